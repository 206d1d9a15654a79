"""Clips sent by a server over one of its ways to a listener, with what came counted."""

import base64
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import anyio
from websockets.asyncio.client import ClientConnection, connect

from primavoce.bench.blocks import cut_by, even_blocks, events_in
from primavoce.bench.counted_http import CountedHttp
from primavoce.bench.recording import Clip
from primavoce.bench.writing import Clock
from primavoce.client.events import EventReader
from primavoce.client.websocket import session_url
from primavoce.errors import RequestFailed
from primavoce.protocol.client import Audio, ClientSession
from primavoce.protocol.messages import Error, SynthesisComplete

INVOCATIONS = "/invocations"
WAIT_S = 60.0


@dataclass(slots=True)
class Delivered:
    """One clip, as it came."""

    pieces: list[tuple[float, bytes]] = field(default_factory=list)
    """Seconds since it was asked for, and audio in its format."""
    carried_bytes: int = 0
    """Of what the audio was written as: itself, or base64."""
    wire_bytes: int = 0
    """Of all that the connection brought: the audio, messages, headers, the framing; TCP's own left out."""
    events: int = 0
    """Events of the stream, if it is one."""
    cut_by_socket: int = 0
    """Events that didn't come in one read of the socket."""
    cut_by_4k: int = 0
    """Events that wouldn't come in one block of 4 KiB."""

    @property
    def audio(self) -> bytes:
        """All of it."""
        return b"".join(audio for _, audio in self.pieces)


class CountedConnection(ClientConnection):
    """A WebSocket that counts what its socket brings."""

    received = 0

    def data_received(self, data: bytes) -> None:
        """Count ``data``, and take it."""
        self.received += len(data)
        super().data_received(data)


async def over_websocket(
    address: str, clips: Sequence[Clip], audio_format: str, *, clock: Clock = time.perf_counter
) -> list[Delivered]:
    """Have ``clips`` spoken one after another in one session; what opens it doesn't count.

    Raises:
        RequestFailed: one isn't.
    """
    delivered = []
    async with connect(session_url(address), compression=None, create_connection=CountedConnection) as socket:
        assert isinstance(socket, CountedConnection)
        session = ClientSession()
        for clip in clips:
            before, began, found = socket.received, clock(), Delivered()
            await socket.send(json.dumps({"text": clip.text, "format": audio_format}))
            with anyio.fail_after(WAIT_S):
                while not isinstance(event := session.receive(await socket.recv()), SynthesisComplete):
                    if isinstance(event, Error):
                        raise RequestFailed(event.code, event.message, retryable=event.retryable)
                    if isinstance(event, Audio):
                        found.pieces.append((clock() - began, event.pcm))
            found.carried_bytes = len(found.audio)
            found.wire_bytes = socket.received - before
            delivered.append(found)
    return delivered


async def over_events(
    address: str, clips: Sequence[Clip], audio_format: str, *, clock: Clock = time.perf_counter
) -> list[Delivered]:
    """Ask for ``clips`` as streams of events, one after another over one connection.

    Raises:
        RequestFailed: one isn't spoken.
        InvalidSetting: the answer isn't whole.
    """
    delivered = []
    url = urlsplit(address)
    async with await anyio.connect_tcp(url.hostname or "", url.port or 80) as stream:
        connection = CountedHttp(stream, url.netloc)
        for clip in clips:
            request = {"text": clip.text, "format": audio_format, "transport": "sse"}
            with anyio.fail_after(WAIT_S):
                delivered.append(await _one_stream(connection, request, clock))
    return delivered


async def _one_stream(connection: CountedHttp, request: dict[str, str], clock: Clock) -> Delivered:
    before, began, found = connection.received, clock(), Delivered()
    events, body, blocks = EventReader(), bytearray(), []
    async for block in connection.post(INVOCATIONS, request):
        at_s = clock() - began
        blocks.append(len(block))
        body += block
        for event in events.push(block):
            told = json.loads(event.data)
            if event.name == "audio_chunk":
                found.carried_bytes += len(told["data"])
                found.pieces.append((at_s, base64.b64decode(told["data"])))
            elif event.name == "error":
                raise RequestFailed(told["code"], told["message"], retryable=told["retryable"])
    spans = events_in(bytes(body))
    found.wire_bytes = connection.received - before
    found.events = len(spans)
    found.cut_by_socket = cut_by(blocks, spans)
    found.cut_by_4k = cut_by(even_blocks(len(body)), spans)
    return found
