"""A small HTTP/2 server over TLS, of which every frame is in our hands: streams can be stalled, reset and cut short."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress

import anyio
from anyio.abc import SocketAttribute, TaskGroup
from anyio.streams.tls import TLSListener, TLSStream
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    RemoteSettingsChanged,
    RequestReceived,
    StreamEnded,
    StreamReset,
    WindowUpdated,
)
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes

from primavoce.errors import lone_error

READ_BYTES = 64 * 1024
BLOCKS_AHEAD = 1000
"""Blocks of a request's body that wait to be read; the stream's window holds its client back long before."""

type Serve = Callable[["Http2Stream"], Awaitable[None]]
"""Answers one request; the stream is ended, or reset, when it returns."""


class Gone(Exception):
    """The client has reset the stream, or left."""


class Http2Stream:
    """One request and its answer."""

    def __init__(self, connection: "Http2Connection", number: int, headers: Mapping[str, str]) -> None:
        self.headers = headers
        """Those of HTTP/2 included, such as ``:path``."""
        self.number = number
        self.over = False
        """Whether nothing more can be sent."""
        self._connection = connection
        self._push, self._blocks = anyio.create_memory_object_stream[tuple[bytes, int]](BLOCKS_AHEAD)

    # --- in

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the request's body. Nothing more is taken from the client than what is iterated, and a window's worth.

        Raises:
            Gone: it breaks off.
        """
        async for block, counted in self._blocks:
            yield block
            await self._connection.acknowledge(self.number, counted)
        if self.over:
            raise Gone

    # --- out

    async def answer(self, status: int, headers: Mapping[str, str], body: bytes | None = None) -> None:
        """Begin the answer; with a body, give all of it."""
        await self._connection.send_headers(self, {":status": str(status), **headers})
        if body is not None:
            await self.send(body, last=True)

    async def send(self, block: bytes, *, last: bool = False) -> None:
        """Send ``block``; wait while the client takes none.

        Raises:
            Gone: it takes nothing any more.
        """
        await self._connection.send_block(self, block, last=last)

    async def reset(self) -> None:
        """Break the answer off, in HTTP/2's way."""
        await self._connection.reset(self)

    async def drop(self) -> None:
        """Break the whole connection off, as a network does."""
        await self._connection.drop()

    # --- for the connection

    def arrived(self, block: bytes, counted: int) -> None:
        """Take a block of the request's body."""
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._push.send_nowait((block, counted))

    def ended(self, *, broken: bool) -> None:
        """Say that no more of the body comes."""
        self.over = self.over or broken
        self._push.close()

    def forgotten(self) -> None:
        """Say that nobody reads it any more."""
        self.over = True
        self._push.close()
        self._blocks.close()


class Http2Connection:
    """One connection.

    Args:
        transport: Open, its handshake done.
        serve: Answers a request.
        most_streams: That are answered at a time; the client is told.
    """

    def __init__(self, transport: TLSStream, serve: Serve, *, most_streams: int) -> None:
        self._transport = transport
        self._serve = serve
        self._most_streams = most_streams
        self._h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self._streams: dict[int, Http2Stream] = {}
        self._writing = anyio.Lock()
        self._window = anyio.Event()
        self._gone = False

    async def run(self) -> None:
        """Answer until the client leaves."""
        self._h2.local_settings[SettingCodes.MAX_CONCURRENT_STREAMS] = self._most_streams
        self._h2.initiate_connection()
        try:
            async with anyio.create_task_group() as tasks:
                try:
                    await self._flush()
                    while True:
                        for event in self._h2.receive_data(await self._transport.receive(READ_BYTES)):
                            self._take(event, tasks)
                        await self._flush()
                except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, ProtocolError):
                    pass
                except ssl.SSLError:
                    pass
                self._leave()
                tasks.cancel_scope.cancel()  # what doesn't notice
        finally:  # whoever ends the server leaves no socket open
            await anyio.aclose_forcefully(self._transport)

    def _take(self, event: Event, tasks: TaskGroup) -> None:
        stream = self._streams.get(getattr(event, "stream_id", None) or 0)
        match event:
            case RequestReceived():
                headers = {str(name): str(value) for name, value in event.headers or ()}
                stream = Http2Stream(self, event.stream_id, headers)
                self._streams[event.stream_id] = stream
                tasks.start_soon(self._answer, stream)
            case DataReceived() if stream is not None:
                stream.arrived(event.data or b"", event.flow_controlled_length or 0)
            case StreamEnded() if stream is not None:
                stream.ended(broken=False)
            case StreamReset() if stream is not None:
                stream.ended(broken=True)
                self._open_window()
            case WindowUpdated() | RemoteSettingsChanged():
                self._open_window()
            case ConnectionTerminated():
                self._leave()
            case _:
                pass

    async def _answer(self, stream: Http2Stream) -> None:
        try:
            await self._serve(stream)
            if not stream.over:
                await stream.send(b"", last=True)
        except* (Gone, ProtocolError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # of both directions at once, too
        finally:
            stream.forgotten()
            del self._streams[stream.number]

    def _leave(self) -> None:
        self._gone = True
        for stream in self._streams.values():
            stream.ended(broken=True)
        self._open_window()

    def _open_window(self) -> None:
        self._window.set()
        self._window = anyio.Event()

    async def _flush(self) -> None:
        async with self._writing:  # what is read from h2 under the lock goes out in order
            if block := self._h2.data_to_send():
                await self._transport.send(block)

    # --- for streams

    async def acknowledge(self, number: int, counted: int) -> None:
        """Let the client send ``counted`` bytes more."""
        if self._gone or not counted:
            return
        with suppress(ProtocolError):
            self._h2.acknowledge_received_data(counted, number)
        await self._flush()

    async def send_headers(self, stream: Http2Stream, headers: Mapping[str, str]) -> None:
        """Send the headers of an answer."""
        self._check(stream)
        self._h2.send_headers(stream.number, list(headers.items()))
        await self._flush()

    async def send_block(self, stream: Http2Stream, block: bytes, *, last: bool) -> None:
        """Send a block of an answer's body, as its window allows."""
        while True:
            self._check(stream)
            room = min(self._h2.local_flow_control_window(stream.number), self._h2.max_outbound_frame_size)
            if block and room <= 0:
                await self._window.wait()
                continue
            now, block = block[:room], block[room:]
            ends = last and not block
            if now or ends:
                self._h2.send_data(stream.number, now, end_stream=ends)
                stream.over = stream.over or ends
                await self._flush()
            if not block:
                return

    async def reset(self, stream: Http2Stream) -> None:
        """Reset a stream."""
        if not stream.over:
            self._h2.reset_stream(stream.number, ErrorCodes.INTERNAL_ERROR)
            stream.over = True
            await self._flush()

    async def drop(self) -> None:
        """Close the connection without a word."""
        self._gone = True
        await anyio.aclose_forcefully(self._transport)

    def _check(self, stream: Http2Stream) -> None:
        if self._gone or stream.over:
            raise Gone


@asynccontextmanager
async def http2_server(
    serve: Serve, context: ssl.SSLContext, *, port: int = 0, most_streams: int = 100
) -> AsyncIterator[int]:
    """Answer requests on loopback while the block runs; yields the port.

    Args:
        serve: Answers a request.
        context: Of a server, with its certificate.
        port: To listen on; a free one unless given.
        most_streams: That are answered at a time on one connection.
    """
    context.set_alpn_protocols(["h2"])
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=port)
    secured = TLSListener(listener, context, standard_compatible=False)

    async def connected(transport: TLSStream) -> None:
        await Http2Connection(transport, serve, most_streams=most_streams).run()

    with lone_error():
        async with secured, anyio.create_task_group() as tasks:
            tasks.start_soon(secured.serve, connected)
            yield int(listener.extra(SocketAttribute.local_port))  # noqa: S610 - anyio's, of its sockets
            tasks.cancel_scope.cancel()
