"""Every bound, and what is told beyond it: over real sockets, with a model that hums."""

import json
import re
import time
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import pytest
from anyio.abc import SocketStream
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from primavoce.assets.locations import AssetLocations
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import Error, Pong, SessionComplete, SynthesisComplete, SynthesisStart
from primavoce.server.bodies import AT_A_TIME
from primavoce.settings import VARIABLES, Settings
from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.server.test_http import ask
from tests.server.test_session import Gate, calling, seconds

pytestmark = pytest.mark.anyio

LAST_PIECE = b"0\r\n\r\n"
"""How a body that comes in pieces ends when it is whole."""
OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"


async def connect_to(address: str) -> SocketStream:
    host, port = urlsplit(address).netloc.split(":")
    return await anyio.connect_tcp(host, int(port))


async def read_all(stream: SocketStream) -> bytes:
    """Return what comes until the other side closes."""
    received = b""
    with anyio.fail_after(10):
        try:
            while True:
                received += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return received


def code(answer: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    return answer[0], json.loads(answer[2])["error"]


def request(body: dict[str, object]) -> bytes:
    content = json.dumps(body).encode()
    return f"POST /invocations HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content


# --- how many


async def test_bodies_that_are_being_read_on_any_route_are_bounded_all_together_and_make_room_again(serving) -> None:
    paths = cycle([b"/invocations", b"/v1/audio/speech", b"/v1/speak"])
    large = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1024\r\n\r\n" + b" " * 1023
    async with serving(max_message_bytes=1024) as server, AsyncExitStack() as unfinished:
        for _ in range(AT_A_TIME):
            stream = await unfinished.enter_async_context(await connect_to(server.address))
            await stream.send(large % next(paths))
        while (refused := await ask(server.address, {"text": "Hello there, hello."}))[0] == 200:
            pass  # until the server has seen all of them
        await unfinished.aclose()
        while (spoken := await ask(server.address, {"text": "Hello there, hello."}))[0] == 503:
            pass  # until it has seen that they left

    assert code(refused) == (503, "queue_saturated")
    assert refused[1]["retry-after"]
    assert spoken[0] == 200


async def test_a_session_too_many_is_told_so_and_given_the_time_to_close(serving) -> None:
    async with (
        serving(max_sessions=1) as server,
        calling(server.session_url) as inside,
        calling(server.session_url) as outside,
    ):
        await inside.send(type="ping")
        await inside.next()

        events = await outside.until(SessionComplete)
        await outside.socket.close()
        await inside.send(text="Hello.")
        await inside.until(SynthesisComplete)

    error, last = events
    assert isinstance(error, Error)
    assert (error.code, error.retryable, error.fatal, error.request_id) == ("overloaded", True, True, None)
    assert last == SessionComplete(reason="overloaded")
    # The client closed first: a server's close reaches SageMaker's client as an error.
    assert outside.socket.protocol.close_rcvd_then_sent is False


async def test_a_request_too_many_in_a_session_is_refused_and_the_session_goes_on(serving) -> None:
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate)), max_queued_requests=1) as server,
        calling(server.session_url) as caller,
    ):
        await caller.send(text="Hello.", request_id="a")
        await gate.wait_until_reached()
        for name in "bc":
            await caller.send(text="Hello.", request_id=name)
        refused = (await caller.until(Error))[-1]
        gate.open()
        await caller.until(SynthesisComplete)
        await caller.until(SynthesisComplete)
        await caller.send(text="Hello.", request_id="c")
        *_, complete = await caller.until(SynthesisComplete)

    assert isinstance(refused, Error)
    assert (refused.code, refused.request_id, refused.fatal) == ("too_many_requests", "c", False)
    assert complete.request_id == "c"


async def test_messages_faster_than_the_rate_are_read_late_and_none_is_lost(serving) -> None:
    async with (
        serving(max_messages_per_s=200.0, max_messages_burst=1) as server,
        calling(server.session_url) as caller,
    ):
        began = time.monotonic()
        for number in range(21):
            await caller.send(type="ping", request_id=str(number))
        pongs = [await caller.next() for _ in range(21)]
        elapsed_s = time.monotonic() - began

    assert [pong.request_id for pong in pongs if isinstance(pong, Pong)] == [str(number) for number in range(21)]
    assert elapsed_s >= 19 / 200


# --- how large


async def test_a_text_too_long_is_refused_in_a_session_and_over_http(serving) -> None:
    async with serving(max_text_characters=10) as server, calling(server.session_url) as caller:
        await caller.send(text="x" * 11, request_id="r")
        error = await caller.next()
        answer = await ask(server.address, {"text": "x" * 11, "request_id": "r"})
        await caller.send(text="x" * 10)
        await caller.until(SynthesisComplete)

    assert isinstance(error, Error)
    assert (error.code, error.request_id, error.fatal) == ("text_too_long", "r", False)
    assert code(answer) == (413, "text_too_long")
    assert json.loads(answer[2])["request_id"] == "r"


LONG = "One two three four five. " * 40


async def test_an_utterance_too_long_is_ended_and_its_session_goes_on(serving) -> None:
    async with serving(max_utterance_s=5.0) as server, calling(server.session_url) as caller:
        await caller.send(text=LONG, request_id="r")
        events = await caller.until(Error)
        await caller.send(text="Hello.")
        await caller.until(SynthesisComplete)

    error = events[-1]
    assert isinstance(error, Error)
    assert (error.code, error.request_id, error.fatal) == ("utterance_too_long", "r", False)
    assert 0 < seconds(events) <= 5.0


async def test_over_http_an_utterance_too_long_is_broken_off_and_one_in_one_piece_refused(serving) -> None:
    async with serving(max_utterance_s=5.0) as server, await connect_to(server.address) as stream:
        await stream.send(request({"text": LONG}))
        told = await read_all(stream)
        answer = await ask(server.address, {"text": LONG, "stream": False})

    assert told.startswith(b"HTTP/1.1 200 ")
    assert not told.endswith(LAST_PIECE)
    assert code(answer) == (413, "utterance_too_long")


async def test_audio_in_one_piece_has_a_bound_and_a_stream_has_not(serving) -> None:
    async with serving(max_answer_bytes=100_000) as server:
        refused = await ask(server.address, {"text": LONG, "stream": False})
        status, _, body = await ask(server.address, {"text": LONG})

    assert code(refused) == (413, "answer_too_large")
    assert (status, len(body) > 100_000) == (200, True)


async def test_audio_is_not_made_further_ahead_of_a_listener_than_asked(serving) -> None:
    model = FakeModel(parts_per_segment=20)
    async with serving(fake_engine(model=model), max_ahead_s=1.0) as server, calling(server.session_url) as caller:
        await caller.send(text=LONG)
        began = None
        heard_s = 0.0
        while heard_s < 3.5:
            event = await caller.next()
            if isinstance(event, Audio):
                began = began or time.monotonic()
                heard_s += len(event.pcm) / 48_000
        assert began is not None
        elapsed_s = time.monotonic() - began

    assert heard_s - elapsed_s < 2.5  # and a few parts that were on their way


async def test_no_frame_of_audio_is_larger_than_its_bound(serving) -> None:
    async with serving(max_frame_bytes=1001) as server, calling(server.session_url) as caller:
        await caller.send(text="Good morning.")
        events = await caller.until(SynthesisComplete)

    sizes = [len(event.pcm) for event in events if isinstance(event, Audio)]
    assert max(sizes) == 1000  # whole samples


async def test_a_message_too_large_is_an_error_and_one_far_too_large_ends_the_session(serving) -> None:
    async with serving(max_message_bytes=2000) as server, calling(server.session_url) as caller:
        await caller.socket.send("x" * 2001)
        error = await caller.next()
        await caller.send(type="ping")
        pong = await caller.next()

        await caller.socket.send("x" * 4001)
        with pytest.raises(ConnectionClosed) as closed:
            await caller.next()

    assert isinstance(error, Error)
    assert (error.code, error.fatal) == ("message_too_large", False)
    assert isinstance(pong, Pong)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


async def test_a_text_frame_that_is_not_utf_8_ends_its_session_as_the_websocket_protocol_has_it(serving) -> None:
    async with serving() as server:
        async with calling(server.session_url) as caller:
            await caller.socket.send(b"\xff", text=True)
            with pytest.raises(ConnectionClosed) as closed:
                await caller.next()
        async with calling(server.session_url) as caller:
            await caller.socket.send(b"\xff")
            error = await caller.next()

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1007
    assert isinstance(error, Error)
    assert error.code == "invalid_utf8"


async def test_a_body_too_large_is_refused_before_it_is_read(serving) -> None:
    async with serving(max_message_bytes=2000) as server, await connect_to(server.address) as stream:
        await stream.send(b"POST /invocations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
        with anyio.fail_after(10):
            told = await stream.receive()

    assert b" 413 " in told
    assert b"message_too_large" in told


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("upgrade", [b"", b"Connection: Upgrade\r\nUpgrade: websocket\r\n"])
async def test_headers_too_large_are_refused_whether_or_not_they_come_in_one_piece(
    serving, whole: bool, upgrade: bytes
) -> None:
    head = b"GET /ping HTTP/1.1\r\nHost: localhost\r\n" + upgrade + b"".join(b"X-%d: x\r\n" % n for n in range(300))
    async with serving(max_header_bytes=2000) as server, await connect_to(server.address) as stream:
        await stream.send(head + b"\r\n" if whole else head)
        told = await read_all(stream)
        status, _, _ = await ask(server.address, path="/ping", method="GET")

    assert told.startswith(b"HTTP/1.1 400 ")
    assert status == 200


async def test_a_header_of_a_handshake_that_no_one_needs_so_long_is_refused(serving) -> None:
    async with serving() as server:
        with pytest.raises((InvalidStatus, InvalidMessage, ConnectionClosed, OSError)):
            async with calling(server.session_url + "?x=" + "x" * 20_000):
                pass
        async with calling(server.session_url) as caller:
            await caller.send(type="ping")
            assert isinstance(await caller.next(), Pong)


# --- how long


async def test_a_session_without_any_message_is_ended(serving, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.server.session.WATCH_PERIOD_S", 0.01)
    async with serving(first_message_s=0.02) as server, calling(server.session_url) as caller:
        assert await caller.next() == SessionComplete(reason="idle")


async def test_a_session_that_has_lasted_its_limit_ends_with_what_it_speaks(serving, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.server.session.WATCH_PERIOD_S", 0.01)
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate)), session_limit_s=0.05) as server,
        calling(server.session_url) as caller,
    ):
        for name in "ab":
            await caller.send(text="Hello.", request_id=name)
        await gate.wait_until_reached()
        error = (await caller.until(Error))[-1]
        gate.open()
        events = await caller.until(SessionComplete)

    assert isinstance(error, Error)
    assert (error.code, error.request_id, error.retryable) == ("session_expired", "b", True)
    assert isinstance(events[-2], SynthesisComplete)
    assert events[-2].request_id == "a"
    assert events[-1] == SessionComplete(reason="limit")


async def test_a_session_says_at_each_start_when_it_ends(serving) -> None:
    async with serving(session_limit_s=100.0) as server, calling(server.session_url) as caller:
        await caller.send(text="Hello.")
        start = await caller.next()

    assert isinstance(start, SynthesisStart)
    assert isinstance(start.session_ends_in_s, float)
    assert 90.0 < start.session_ends_in_s <= 100.0


async def test_headers_that_never_end_are_answered_and_a_silent_connection_is_closed(serving) -> None:
    async with serving(receive_timeout_s=0.2) as server:
        async with await connect_to(server.address) as unfinished, await connect_to(server.address) as silent:
            await unfinished.send(b"GET /ping HTTP/1.1\r\nHost: local")
            told = await read_all(unfinished)
            nothing = await read_all(silent)

    assert told.startswith(b"HTTP/1.1 408 ")
    assert json.loads(told.partition(b"\r\n\r\n")[2])["error"] == "request_incomplete"
    assert nothing == b""


async def test_an_idle_connection_that_was_served_is_kept(serving) -> None:
    ping = b"GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n"

    async def status(stream: SocketStream) -> bytes:
        await stream.send(ping)
        with anyio.fail_after(10):
            return (await stream.receive())[:12]

    async with serving(receive_timeout_s=0.2) as server, await connect_to(server.address) as kept:
        first = await status(kept)
        async with await connect_to(server.address) as silent:
            assert await read_all(silent) == b""  # the time is over: it came later, and is closed
        second = await status(kept)

    assert [first, second] == [b"HTTP/1.1 200"] * 2


async def test_a_body_that_goes_on_for_ever_after_its_answer_is_cut_off(serving) -> None:
    async with serving(max_message_bytes=2000, receive_timeout_s=0.2) as server:
        async with await connect_to(server.address) as stream:
            await stream.send(
                b"POST /invocations HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                b"BB8\r\n" + b" " * 3000 + b"\r\n"
            )
            told = await read_all(stream)

    assert b" 413 " in told


# --- when


BAD_STAMPS = [
    ("-1", "invalid_field", 400),
    ("1e300", "invalid_field", 400),
    ("1800000000000", "invalid_field", 400),
    ('"now"', "invalid_field", 400),
    ("true", "invalid_field", 400),
    ("1e999", "invalid_json", 400),
    ("NaN", "invalid_json", 400),
    ("-Infinity", "invalid_json", 400),
    ("0", "request_stale", 408),
    ("1.5", "request_stale", 408),
]


async def test_a_time_stamp_that_makes_no_sense_is_refused_on_both_ways(serving) -> None:
    found = []
    async with serving() as server, calling(server.session_url) as caller:
        for stamp, _, _ in BAD_STAMPS:
            frame = f'{{"text": "Hello.", "request_timestamp": {stamp}}}'
            await caller.socket.send(frame)
            event = await caller.next()
            assert isinstance(event, Error)
            assert not event.fatal
            status, told = code(await ask(server.address, frame.encode()))
            assert told == event.code
            found.append((stamp, told, status))

    assert found == BAD_STAMPS


# --- the list


def test_every_bound_in_the_list_is_a_setting_with_that_default() -> None:
    settings = Settings(assets=AssetLocations(cache_dir=Path("/nowhere")))
    fields = {variable.name: variable.sets for variable in VARIABLES}
    bounds = OPERATIONS.read_text().partition("## Bounds")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| [^|]+ \| `(PRIMAVOCE_\w+)` \| `([^`]*)` \| [^|]+\|", bounds, re.MULTILINE)

    assert len(rows) >= 20
    assert [(name, float(default)) for name, default in rows] == [
        (name, float(getattr(settings, fields[name]))) for name, _ in rows
    ]
