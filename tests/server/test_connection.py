"""What comes over a connection and is none of HTTP's or WebSocket's: each was found by chance, and is kept here."""

import logging
import random

import anyio
import pytest

from primavoce.server.run import is_news
from tests.server.rough_clients import CLOSE, TEXT, frame, handshake
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
