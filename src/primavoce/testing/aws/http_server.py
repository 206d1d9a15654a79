"""A small HTTP/1.1 server on loopback, whose answers can be cut short: what boto3 is sent to by ``endpoint_url``."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import anyio
import h11
from anyio.abc import SocketAttribute, SocketStream

from primavoce.errors import lone_error

READ_BYTES = 64 * 1024

type Answer = Callable[["Exchange"], Awaitable[None]]
"""Answers one request; what it leaves open is ended."""


class Dropped(Exception):
    """The connection is to end without another word."""


class Exchange:
    """One request, and its answer."""

    def __init__(self, connection: h11.Connection, stream: SocketStream, request: h11.Request, body: bytes) -> None:
        self.method = request.method.decode()
        self.path = request.target.decode()
        """With its query."""
        self.headers: Mapping[str, str] = {name.decode(): value.decode() for name, value in request.headers}
        """By their names in lower case."""
        self.body = body
        self._connection = connection
        self._stream = stream

    async def answer(self, status: int, headers: Mapping[str, str], body: bytes | None = None) -> None:
        """Begin the answer; with a body, give all of it."""
        length = {"transfer-encoding": "chunked"} if body is None else {"content-length": str(len(body))}
        named = [(name.encode(), value.encode()) for name, value in {**headers, **length}.items()]
        await self._send(h11.Response(status_code=status, headers=named))
        if body is not None:
            await self._send(h11.Data(data=body), h11.EndOfMessage())

    async def send(self, block: bytes) -> None:
        """Send a block of the body."""
        await self._send(h11.Data(data=block))

    async def end(self) -> None:
        """End the answer, unless it has ended."""
        if self._connection.our_state is h11.SEND_BODY:
            await self._send(h11.EndOfMessage())

    async def _send(self, *events: h11.Event) -> None:
        blocks = [self._connection.send(event) for event in events]
        await self._stream.send(b"".join(block for block in blocks if block))


@asynccontextmanager
async def http_server(answer: Answer) -> AsyncIterator[str]:
    """Answer requests on a free port while the block runs; yields the ``http://`` address."""

    async def connected(stream: SocketStream) -> None:
        async with stream:
            try:
                connection = h11.Connection(h11.SERVER)
                while (exchange := await _next(connection, stream)) is not None:
                    await answer(exchange)
                    await exchange.end()
                    if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                        break
                    connection.start_next_cycle()
            except (Dropped, anyio.BrokenResourceError, h11.ProtocolError):
                await anyio.aclose_forcefully(stream)

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    with lone_error():
        async with listener, anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, connected)
            port = listener.extra(SocketAttribute.local_port)  # noqa: S610 - anyio's, of its sockets
            yield f"http://127.0.0.1:{port}"
            tasks.cancel_scope.cancel()


async def _next(connection: h11.Connection, stream: SocketStream) -> Exchange | None:
    """Return the next request, or `None` when the client leaves."""
    request: h11.Request | None = None
    body = b""
    while True:
        event = connection.next_event()
        match event:
            case h11.NEED_DATA:
                if connection.they_are_waiting_for_100_continue:
                    go_on = connection.send(h11.InformationalResponse(status_code=100, headers=[]))
                    await stream.send(go_on or b"")
                try:
                    connection.receive_data(await stream.receive(READ_BYTES))
                except anyio.EndOfStream:
                    return None
            case h11.Request():
                request = event
            case h11.Data():
                body += event.data
            case h11.EndOfMessage():
                assert request is not None
                return Exchange(connection, stream, request, body)
            case _:
                return None
