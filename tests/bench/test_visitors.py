"""Those who visit a server in a soak, and what is counted of it."""

import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread
import pytest
from websockets.asyncio.server import ServerConnection, serve

from primavoce.bench.texts import Texts, read_texts
from primavoce.bench.visitors import (
    LEFT_AFTER_FRAMES,
    NONSENSE_BODIES,
    NONSENSE_FRAMES,
    PAUSE_S,
    Visitor,
    Visits,
    ask,
    confuse,
    interrupt,
    leave,
    visit,
)
from primavoce.errors import SessionBroken, SessionTimeout

pytestmark = pytest.mark.anyio

PCM = bytes(2000)


def said(kind: str, **fields: object) -> str:
    return json.dumps({"type": kind, **fields})


def started(request_id: str) -> str:
    return said(
        "synthesis_start",
        protocol=1,
        request_id=request_id,
        voice="af_heart",
        format="pcm",
        sample_rate=24000,
        channels=1,
        sample_width=2,
    )


def completed(request_id: str) -> str:
    numbers = ("total_duration_s", "elapsed_s", "time_to_first_audio_s", "queued_s", "real_time_factor")
    return said("synthesis_complete", request_id=request_id, segments=1, characters=9, **dict.fromkeys(numbers, 1.0))


def failed(code: str, request_id: str | None = None, *, fatal: bool = False) -> str:
    return said("error", request_id=request_id, code=code, message="", retryable=False, fatal=fatal)


@asynccontextmanager
async def server_that(session: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[str]:
    async with serve(session, "127.0.0.1", 0, compression=None) as server:
        yield f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


async def once(visitor: Visitor, address: str) -> Visits:
    """Have ``visitor`` come once, and return what came of it."""
    visits = Visits()
    await visitor(address, read_texts(), random.Random(1), visits)
    return visits


async def visited(visitor: Visitor, address: str, *, times: int = 1) -> tuple[Visits, list[float]]:
    """Have ``visitor`` come, and return what is counted and how long it paused each time."""
    visits, pauses = Visits(), []
    now = iter(range(times + 1))

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    await visit(
        visitor, address, read_texts(), visits, seed=1, until_s=times, clock=lambda: float(next(now)), sleep=sleep
    )
    return visits, pauses


# --- what a server may do to a visitor


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this", "IncompleteRead"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nonly this", "IncompleteRead"),
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 3\r\n\r\nbad", "status 500"),
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\n[]", "status 500"),
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 20\r\n\r\n" + b'{"error":"internal"}', "internal"),
        (b"220 mail.example.com\r\n\r\n", "BadStatusLine"),
    ],
    ids=["cut", "cut in pieces", "no JSON", "no object", "an error", "no HTTP"],
)
async def test_what_ends_an_answer_over_http_is_counted_and_the_visits_go_on(answering, answer, name) -> None:
    async with answering(answer) as address:
        visits, pauses = await visited(ask, address, times=2)

    assert visits.errors == {name: 2}
    assert visits.requests == 0
    assert pauses == [PAUSE_S, PAUSE_S]


async def test_different_errors_that_are_met_at_once_are_counted_each() -> None:
    async def unlucky(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
        raise ExceptionGroup("both", [SessionBroken("cut"), ExceptionGroup("", [SessionTimeout("pong", 1.0)])])

    visits, pauses = await visited(unlucky, "")

    assert visits.errors == {"SessionBroken": 1, "SessionTimeout": 1}
    assert pauses == [PAUSE_S]


async def test_an_error_that_no_server_can_cause_is_not_counted_away() -> None:
    async def mistaken(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
        raise KeyError("a bug of ours")

    with pytest.RaisesGroup(KeyError, allow_unwrapped=True):
        await visited(mistaken, "")


async def test_visitors_over_http_do_not_wait_for_threads_of_others(answering) -> None:
    threads = anyio.to_thread.current_default_thread_limiter()
    others = [object() for _ in range(int(threads.total_tokens))]
    for other in others:
        await threads.acquire_on_behalf_of(other)
    try:
        async with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhm") as address:
            with anyio.fail_after(5):
                visits = await once(ask, address)
    finally:
        for other in others:
            threads.release_on_behalf_of(other)

    assert visits.requests == 1


# --- leaving


async def test_a_connection_counts_as_left_when_audio_came() -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(started("error"))  # a word, and no error
        for _ in range(LEFT_AFTER_FRAMES):
            await socket.send(PCM)
        await socket.wait_closed()

    async with server_that(session) as address:
        visits = await once(leave, address)

    assert (visits.left, visits.errors) == (1, {})


async def refuses(socket: ServerConnection) -> None:
    await socket.recv()
    await socket.send(failed("overloaded", "r"))
    await socket.wait_closed()


async def closes(socket: ServerConnection) -> None:
    await socket.recv()


async def says_nothing_of_it(socket: ServerConnection) -> None:
    await socket.recv()
    await socket.send(started("r"))
    await socket.send(completed("r"))
    await socket.wait_closed()


@pytest.mark.parametrize(
    ("session", "name"),
    [(refuses, "overloaded"), (closes, "ConnectionClosedOK"), (says_nothing_of_it, "ProtocolViolation")],
)
async def test_whoever_hears_nothing_has_not_left_but_met_an_error(session, name) -> None:
    async with server_that(session) as address:
        visits, pauses = await visited(leave, address)

    assert (visits.left, visits.errors) == (0, {name: 1})
    assert pauses == [PAUSE_S]


# --- interrupting


@pytest.mark.parametrize("obeys", [True, False])
async def test_a_cancel_counts_when_it_is_acknowledged(obeys: bool) -> None:
    async def session(socket: ServerConnection) -> None:
        async for frame in socket:
            message = json.loads(frame)
            request_id = message.get("request_id")
            match message["type"]:
                case "end":
                    await socket.send(started(request_id))
                    await socket.send(PCM)
                case "cancel" if obeys:
                    await socket.send(
                        said("cancelled", request_id=request_id, audio_sent_s=1.0, spoken_text="", spoken_characters=0)
                    )
                case "cancel":
                    await socket.send(completed(request_id))
                case "close":
                    await socket.send(said("session_complete", reason="closed"))

    async with server_that(session) as address:
        visits = await once(interrupt, address)

    assert visits.errors == {}
    assert (visits.cancelled > 0, visits.utterances > 0) == (obeys, not obeys)


# --- nonsense


async def test_our_server_answers_all_nonsense_with_the_codes_that_it_should(serving) -> None:
    visits = Visits()

    async with serving() as server:
        for seed in range(5):
            await confuse(server.address, read_texts(), random.Random(seed), visits)

    assert visits.errors == {}
    assert visits.nonsense == 5 * (NONSENSE_FRAMES + NONSENSE_BODIES)
    assert visits.utterances == 5


async def test_nonsense_that_meets_a_bug_is_an_error(serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the nonsense is, ``internal`` isn't what it asks for."""

    async def session(socket: ServerConnection) -> None:
        async for frame in socket:
            if isinstance(frame, str) and "close" in frame:
                await socket.send(said("session_complete", reason="closed"))
            else:
                await socket.send(failed("internal"))

    async with serving() as server, server_that(session) as address:
        monkeypatch.setattr("primavoce.bench.visitors._post", answer_by(server.address))
        visits = await once(confuse, address)

    assert visits.errors["internal"] == NONSENSE_FRAMES + 1
    assert sum(count for name, count in visits.errors.items() if name.startswith("no ")) == NONSENSE_FRAMES


def answer_by(address: str) -> Callable[[str, bytes], Awaitable[str | None]]:
    from primavoce.bench import visitors

    post = visitors._post

    async def elsewhere(_: str, body: bytes) -> str | None:
        return await post(address, body)

    return elsewhere


async def test_a_session_that_is_refused_is_one_error() -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.send(failed("overloaded", fatal=True))
        await socket.send(said("session_complete", reason="overloaded"))
        async for _ in socket:
            pass

    async with server_that(session) as address:
        visits, pauses = await visited(confuse, address)

    assert visits.errors == {"overloaded": 1}
    assert pauses == [PAUSE_S]


async def test_a_500_for_nonsense_over_http_is_an_error(serving, answering, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as server, answering(b"HTTP/1.1 500 Oh\r\nContent-Length: 3\r\n\r\nbad") as broken:
        monkeypatch.setattr("primavoce.bench.visitors._post", answer_by(broken))
        visits = await once(confuse, server.address)

    assert visits.errors["status 500"] == NONSENSE_BODIES
