"""Readers who stop reading: what they cost is bounded, and they are let go though they never read again."""

import random
import socket as sockets
import threading
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from primavoce.server.connection import SocketConnection
from tests.server.rough_clients import PING, PONG, frame, handshake
from tests.server.test_http import ask
from tests.server.test_limits import request
from tests.server.test_session import calling

pytestmark = pytest.mark.anyio

LONG = "One two three four five. " * 2000
"""Some 300 MB of audio at 48 kHz."""
BUFFERS = 500_000
"""More bytes than the buffers of the system and of the process hold of a connection in these tests."""


@pytest.fixture
def let_go(monkeypatch: pytest.MonkeyPatch) -> anyio.Event:
    """Is set when the server is rid of a connection."""
    monkeypatch.setattr("primavoce.server.transport.LINGER_S", 0.1)
    rid = anyio.Event()
    for kind in (H11Protocol, WebSocketsSansIOProtocol):

        def connection_lost(self, exc: Exception | None, lose=kind.connection_lost) -> None:
            lose(self, exc)
            rid.set()

        monkeypatch.setattr(kind, "connection_lost", connection_lost)
    return rid


def stalled_client(address: str) -> sockets.socket:
    """Return a connection that takes next to nothing unless it is read."""
    host, port = urlsplit(address).netloc.split(":")
    stalled = sockets.socket()
    stalled.settimeout(10)
    stalled.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    stalled.connect((host, int(port)))
    return stalled


def stalled_session(address: str) -> sockets.socket:
    stalled = stalled_client(address)
    stalled.sendall(handshake(random.Random(0)))
    assert stalled.recv(4096).startswith(b"HTTP/1.1 101 ")
    return stalled


def send(stalled: sockets.socket, content: bytes) -> None:
    try:
        stalled.sendall(content)
    except ConnectionError:
        pass  # it was let go meanwhile


def received_in_the_end(stalled: sockets.socket) -> int:
    """Return how many bytes were on their way when the other side let go."""
    count = 0
    try:
        while part := stalled.recv(65536):
            count += len(part)
    except ConnectionResetError:
        pass
    return count


@pytest.mark.parametrize(
    ("text", "fields"),
    [(LONG, {}), (LONG[:2500], {"stream": False}), (LONG, {"transport": "sse"})],  # of it in one piece, 14 MB
    ids=["streamed", "in one piece", "in events"],
)
async def test_over_http_one_costs_its_buffer_and_is_dropped(
    serving, let_go: anyio.Event, text: str, fields: dict[str, object]
) -> None:
    async with serving(send_timeout_s=0.2, send_buffer_bytes=65536) as server:
        with stalled_client(server.address) as stalled:
            stalled.sendall(request({"text": text, "sample_rate": 48_000, **fields}))
            with anyio.fail_after(20):
                await let_go.wait()
            held = len(server.lobby)
            status, _, _ = await ask(server.address, {"text": "Hello."})
            count = await anyio.to_thread.run_sync(received_in_the_end, stalled)

    assert (held, status) == (0, 200)
    assert 0 < count < BUFFERS


async def test_an_answer_in_one_piece_is_sent_inside_of_its_visit(serving) -> None:
    async with serving(send_buffer_bytes=8192) as server:
        with stalled_client(server.address) as slow:
            slow.sendall(request({"text": LONG[:2500], "sample_rate": 48_000, "stream": False}))
            for _ in range(100):
                await anyio.to_thread.run_sync(slow.recv, 4096)  # more than was written at once, and by far not all
            during = len(server.lobby)

    assert during == 1


async def test_in_a_session_one_is_let_go(serving, let_go: anyio.Event) -> None:
    async with serving(send_timeout_s=0.2, send_buffer_bytes=65536) as server:
        async with calling(server.session_url) as stalled:
            stalled.socket.transport.pause_reading()  # what a stalled reader looks like to the server
            await stalled.send(text=LONG, sample_rate=48_000)
            with anyio.fail_after(20):
                await let_go.wait()
            assert len(server.lobby) == 0
            stalled.socket.transport.abort()


@pytest.mark.parametrize(("path", "times"), [("/metrics", 60), ("/openapi.json", 60), ("/ping", 2000), ("/no", 2000)])
async def test_whatever_it_is_that_one_does_not_read_one_is_let_go(
    serving, let_go: anyio.Event, path: str, times: int
) -> None:
    async with serving(send_timeout_s=0.1, send_buffer_bytes=8192) as server:
        with stalled_client(server.address) as stalled:
            asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * times
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(anyio.to_thread.run_sync, send, stalled, asked)
                with anyio.fail_after(20):
                    await let_go.wait()
            count = await anyio.to_thread.run_sync(received_in_the_end, stalled)

    assert 0 < count < BUFFERS


PINGS = 40_000
MANY_PINGS = frame(b"x" * 125, PING) * PINGS
"""Whose answers are 5 MB."""


async def test_one_who_only_pings_is_let_go(serving, let_go: anyio.Event) -> None:
    async with serving(send_timeout_s=0.1, send_buffer_bytes=8192) as server:
        with await anyio.to_thread.run_sync(stalled_session, server.address) as stalled:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(anyio.to_thread.run_sync, send, stalled, MANY_PINGS)
                with anyio.fail_after(20):
                    await let_go.wait()
            count = await anyio.to_thread.run_sync(received_in_the_end, stalled)

    assert 0 < count < BUFFERS


async def test_of_pings_whose_pongs_nobody_reads_the_last_is_answered(serving, monkeypatch: pytest.MonkeyPatch) -> None:
    all_came = threading.Event()
    count = 0
    handle = SocketConnection.handle_ping

    def handle_ping(self: SocketConnection) -> None:
        nonlocal count
        handle(self)
        count += 1
        if count == PINGS + 1:
            all_came.set()

    monkeypatch.setattr(SocketConnection, "handle_ping", handle_ping)
    last = frame(b"the last", PONG, mask=None)

    def ping_and_read(address: str) -> int:
        with stalled_session(address) as stalled:
            send(stalled, MANY_PINGS + frame(b"the last", PING))
            assert all_came.wait(10)
            received = b""
            while not received.endswith(last):
                received += stalled.recv(65536)
            return len(received)

    async with serving(send_buffer_bytes=8192) as server:
        with anyio.fail_after(30):
            size = await anyio.to_thread.run_sync(ping_and_read, server.address)

    assert size < BUFFERS
