"""Sessions over a WebSocket: the way to a server that listens."""

import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Self
from urllib.parse import urlsplit, urlunsplit

import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidHandshake, InvalidURI

from primavoce.client.closing import close_within
from primavoce.client.handshake import connect_error, credentials
from primavoce.client.link import Opener
from primavoce.errors import ConnectFailed, SessionBroken, SessionTimeout

SESSION_PATH = "/invocations-bidirectional-stream"
MAX_FRAME_BYTES = 4 * 1024 * 1024
"""The largest frame that is taken from a server; audio comes in frames of 32 KiB."""
CLOSE_S = 2.0
"""Seconds that a server has to take part in the closing of the socket."""


class WebSocketLink:
    """A link over a WebSocket; see `primavoce.client.link.SessionLink`.

    Args:
        socket: Open; whoever opened it closes it.
        send_timeout_s: The longest that a message may wait to be taken.
    """

    typed = True

    def __init__(self, socket: ClientConnection, send_timeout_s: float) -> None:
        self._socket = socket
        self._send_timeout_s = send_timeout_s

    async def send(self, frame: str) -> None:
        """Send a message in a text frame.

        Raises:
            SessionBroken: the socket is closed.
            SessionTimeout: the server takes nothing.
        """
        try:
            with anyio.fail_after(self._send_timeout_s):
                await self._socket.send(frame)
        except ConnectionClosed as error:
            raise SessionBroken(_closing(error)) from error
        except TimeoutError:
            raise SessionTimeout("room for a message", self._send_timeout_s) from None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str | bytes:
        try:
            return await self._socket.recv()
        except ConnectionClosedOK:
            raise StopAsyncIteration from None
        except ConnectionClosed as error:
            raise SessionBroken(_closing(error)) from error


def websocket(
    url: str,
    *,
    connect_timeout_s: float = 10.0,
    send_timeout_s: float = 10.0,
    headers: Mapping[str, str] | None = None,
    api_key: str | None = None,
    ssl_context: ssl.SSLContext | None = None,
) -> Opener:
    """Return what opens a link with the server at ``url``.

    Args:
        url: ``ws://`` or ``wss://`` (``http`` is taken for ``ws``); without a path, the session's own is used.
        connect_timeout_s: The longest wait for the connection.
        send_timeout_s: The longest that a message may wait to be taken.
        headers: Sent with the handshake.
        api_key: Shown to a server that asks for one.
        ssl_context: For ``wss``; the system's certificates unless given.

    Raises:
        ConnectFailed: ``url`` is no address.
        InvalidSetting: the key can't be sent.
    """
    address, shown = session_url(url), credentials(api_key, headers)

    @asynccontextmanager
    async def open_link() -> AsyncIterator[WebSocketLink]:
        try:
            socket = await connect(
                address,
                open_timeout=connect_timeout_s,
                additional_headers=shown,
                ssl=ssl_context,
                compression=None,  # PCM doesn't compress
                max_size=MAX_FRAME_BYTES,
                ping_interval=None,  # the session has pings of its own, and knows when silence means something
                close_timeout=CLOSE_S,
            )
        except (OSError, TimeoutError, InvalidHandshake, InvalidURI, ValueError) as error:
            raise connect_error(address, error, api_key=api_key) from error
        try:
            yield WebSocketLink(socket, send_timeout_s)
        except BaseException:
            socket.transport.abort()  # it may be broken, and whoever opens the next would wait for a farewell
            raise
        await close_within(socket, CLOSE_S)

    return open_link


def session_url(url: str) -> str:
    """Return the address of the session behind ``url``.

    Raises:
        ConnectFailed: it is no address.
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ConnectFailed(url, str(error)) from error
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    return urlunsplit(parts._replace(scheme=scheme, path=parts.path if parts.path.strip("/") else SESSION_PATH))


def _closing(error: ConnectionClosed) -> str:
    if error.rcvd is None:
        return "the connection was lost"
    return f"the server closed it with {error.rcvd.code}{f' ({error.rcvd.reason})' if error.rcvd.reason else ''}"
