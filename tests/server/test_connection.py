"""What comes over a connection and is none of HTTP's or WebSocket's: each was found by chance, and is kept here."""

import asyncio
import json
import logging
import random
import socket

import anyio
import anyio.abc
import pytest
import uvicorn
from uvicorn.server import ServerState

from primavoce.server.connection import MOST_FRAGMENTS, SocketConnection
from primavoce.server.run import is_news
from primavoce.server.transport import MortalTransport
from tests.server.rough_clients import CLOSE, CONTINUATION, TEXT, frame, handshake
from tests.server.test_limits import connect_to, read_all

pytestmark = pytest.mark.anyio

HEAD = b"POST /invocations HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR and is_news(record)]


@pytest.mark.parametrize("host", [b"localhost", b"rebound.example.com"], ids=["let in", "refused"])
async def test_a_body_that_turns_out_to_be_no_http_is_400_and_no_fault_of_ours(serving, caplog, host: bytes) -> None:
    async with serving() as server, await connect_to(server.address) as stream:
        await stream.send(HEAD.replace(b"localhost", host) + b'5\r\n{"tex\r\nno size\r\n')
        told = await read_all(stream)

    assert told.startswith(b"HTTP/1.1 400 ")
    assert faults(caplog) == []


async def test_nonsense_after_an_answer_gets_no_second_one(serving, caplog) -> None:
    async with serving(max_message_bytes=2000) as server, await connect_to(server.address) as stream:
        await stream.send(HEAD + b"BB8\r\n" + b" " * 3000 + b"\r\n")
        with anyio.fail_after(10):
            told = await stream.receive()  # before the body's end
        await stream.send(b"no size\r\n")
        told += await read_all(stream)

    assert told.startswith(b"HTTP/1.1 413 ")
    assert told.count(b"HTTP/1.1 ") == 1
    assert faults(caplog) == []


async def test_text_that_is_not_utf_8_closes_the_socket_with_1007(serving, caplog) -> None:
    async with serving() as server, await connect_to(server.address) as stream:
        await stream.send(handshake(random.Random(0)))
        with anyio.fail_after(10):
            await stream.receive()
        await stream.send(frame(b"\xff\xfe", TEXT))
        told = await read_all(stream)

    assert told[:4] == b"\x88\x02\x03\xef"
    assert faults(caplog) == []


async def test_text_that_is_not_utf_8_behind_our_closing_is_no_fault_of_ours(serving, caplog) -> None:
    async with serving() as server, await connect_to(server.address) as stream:
        await stream.send(handshake(random.Random(0)))
        with anyio.fail_after(10):
            await stream.receive()
        await stream.send(frame(b"\xff", TEXT) + frame(b"\x03\xe8", CLOSE) + frame(b"\xff", TEXT))
        told = await read_all(stream)

    assert told[:1] == b"\x88"
    assert faults(caplog) == []


# --- a little at a time


async def opened(stream: anyio.abc.SocketStream) -> None:
    await stream.send(handshake(random.Random(0)))
    with anyio.fail_after(10):
        assert (await stream.receive()).startswith(b"HTTP/1.1 101 ")


def in_pieces(message: bytes, count: int) -> bytes:
    """Return ``message`` as a first frame, frames without a byte, and an empty last one; ``count`` in all."""
    empty = frame(b"", CONTINUATION, last=False) * (count - 2)
    return frame(message, TEXT, last=False) + empty + frame(b"", CONTINUATION)


async def test_a_message_in_too_many_frames_closes_the_socket_with_1008(serving, caplog) -> None:
    async with serving() as server, await connect_to(server.address) as stream:
        await opened(stream)
        await stream.send(in_pieces(b'{"type": "ping"}', MOST_FRAGMENTS + 1))
        told = await read_all(stream)

    assert told[:1] == b"\x88"
    assert told[2:4] == (1008).to_bytes(2)
    assert faults(caplog) == []


async def test_a_message_in_as_many_frames_as_it_may_be_is_one(serving) -> None:
    async with serving() as server, await connect_to(server.address) as stream:
        await opened(stream)
        await stream.send(in_pieces(b'{"type": "ping"}', MOST_FRAGMENTS) * 3)
        told = b""
        with anyio.fail_after(10):
            while told.count(b'"pong"') < 3:
                told += await stream.receive()

    assert b"\x88" not in told


async def test_many_messages_at_once_are_all_answered_in_their_order(serving) -> None:
    pings = [frame(json.dumps({"type": "ping", "request_id": f"p{number}"}).encode()) for number in range(3000)]
    async with serving() as server, await connect_to(server.address) as stream:
        await opened(stream)
        told = b""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(stream.send, b"".join(pings))
            with anyio.fail_after(20):
                while b'"p2999"' not in told:
                    told += await stream.receive()

    places = [told.index(b'"p%d"' % number) for number in range(3000)]
    assert places == sorted(places)


async def test_a_reader_who_had_stopped_before_it_became_a_session_is_waited_for() -> None:
    loop = asyncio.get_running_loop()
    here, there = socket.socketpair()
    with here, there:
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=here)
        mortal = MortalTransport(transport, loop, send_timeout_s=30.0)
        session = SocketConnection(uvicorn.Config(lambda: None, log_config=None), ServerState(), {})
        mortal.reader_stopped()

        session.connection_made(mortal)  # type: ignore[arg-type]
        before = session.writable.is_set()
        session.resume_writing()

        assert (before, session.writable.is_set()) == (False, True)
        transport.abort()
        await anyio.wait_all_tasks_blocked()


@pytest.mark.parametrize("size", [40_000, 60_000])
async def test_a_head_that_is_too_large_is_refused_though_it_comes_whole(serving, size: int) -> None:
    padding = b"".join(b"X-A: %s\r\n" % (b"x" * 1000) for _ in range(size // 1000))
    async with serving() as server, await connect_to(server.address) as stream:
        await stream.send(b"GET /ping HTTP/1.1\r\nHost: localhost\r\n" + padding + b"\r\n")
        told = await read_all(stream)

    assert told.startswith(b"HTTP/1.1 400 ")
