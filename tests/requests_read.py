"""Requests, read whole: whoever closes a connection with something unread on it resets it."""

import re

from anyio.abc import SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream


async def read_request(stream: SocketStream) -> bytes:
    """Return the next request on ``stream``, with a ``content-length`` or no body; it may come in pieces."""
    incoming = BufferedByteReceiveStream(stream)
    head = await incoming.receive_until(b"\r\n\r\n", 64 * 1024)
    length = re.search(rb"(?im)^content-length: *(\d+)", head)
    body = await incoming.receive_exactly(int(length[1])) if length and int(length[1]) else b""
    return head + b"\r\n\r\n" + body
