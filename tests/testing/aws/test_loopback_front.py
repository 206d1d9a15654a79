"""SageMaker's front itself, spoken to by another client than ours: h2, and events by hand."""

import json
from datetime import UTC, datetime, timedelta

import anyio
import pytest
from websockets.asyncio.server import ServerConnection
from websockets.frames import Opcode

from primavoce.testing.aws.event_stream import MAX_HEADERS_BYTES, MAX_PAYLOAD_BYTES
from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, Answered, FrontSettings
from tests.testing.aws.bare_client import BareStream, bare_stream
from tests.testing.aws.fronting import front_before
from tests.testing.aws.preludes import prelude

pytestmark = [pytest.mark.anyio, pytest.mark.aws]


async def test_a_type_says_which_frame_and_none_is_binary() -> None:
    kinds = []

    async def session(socket: ServerConnection) -> None:
        async for frame in socket:
            kinds.append(type(frame))
            await socket.send(frame)

    async with front_before(session) as front, bare_stream(front) as stream:
        answers = []
        for data_type in ("UTF8", "BINARY", None):
            await stream.send(b"{}", data_type)
            answers.append((await stream.receive()).headers["DataType"])

    assert kinds == [str, bytes, bytes]
    assert answers == ["UTF8", "BINARY", "BINARY"]


@pytest.mark.parametrize(
    ("data_type", "payloads"),
    [
        ("UTF8", [b"1", b"2", b"3"]),
        ("UTF8", [b"caf\xc3", b"\xa9 \xe2\x82", b"\xac"]),  # cut inside characters
        ("BINARY", [b"\xff", b"", b"\x00"]),
        (None, [b"1", b"2"]),
    ],
)
async def test_each_part_is_one_frame_and_those_that_are_partial_are_one_message(data_type, payloads) -> None:
    frames = []
    messages = []

    async def session(socket: ServerConnection) -> None:
        process_event = socket.process_event

        def note(frame) -> None:
            if frame.opcode is not Opcode.CLOSE:
                frames.append((frame.opcode, bytes(frame.data), frame.fin))
            process_event(frame)

        socket.process_event = note  # type: ignore[method-assign]
        messages.append(await socket.recv())
        await socket.send("done")
        await socket.wait_closed()

    async with front_before(session) as front, bare_stream(front) as stream:
        for payload in payloads[:-1]:
            await stream.send(payload, data_type, "PARTIAL")
        await stream.send(payloads[-1], data_type, "COMPLETE")
        await stream.receive()

    first = Opcode.TEXT if data_type == "UTF8" else Opcode.BINARY
    kinds = [first, *[Opcode.CONT] * (len(payloads) - 1)]
    ends = [False] * (len(payloads) - 1) + [True]
    assert frames == list(zip(kinds, payloads, ends, strict=True))
    whole = b"".join(payloads)
    assert messages == [whole.decode() if data_type == "UTF8" else whole]


async def test_a_message_of_the_containers_in_fragments_is_as_many_parts() -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.send(iter([b"caf\xc3", b"\xa9"]), text=True)
        await socket.send("whole")
        await socket.send(iter([b"\x00", b"\xff"]))
        await socket.wait_closed()

    async with front_before(session) as front, bare_stream(front) as stream:
        parts = [await stream.receive() for _ in range(7)]

    assert [(each.payload, each.headers["DataType"], each.headers.get("CompletionState")) for each in parts] == [
        (b"caf\xc3", "UTF8", "PARTIAL"),
        (b"\xa9", "UTF8", "PARTIAL"),
        (b"", "UTF8", "COMPLETE"),  # so this library ends a message
        (b"whole", "UTF8", None),
        (b"\x00", "BINARY", "PARTIAL"),
        (b"\xff", "BINARY", "PARTIAL"),
        (b"", "BINARY", "COMPLETE"),
    ]


async def test_a_fragment_is_passed_on_before_the_next_has_come() -> None:
    passed_on = anyio.Event()

    async def session(socket: ServerConnection) -> None:
        async def pieces():
            yield "one"
            await passed_on.wait()
            yield "two"

        await socket.send(pieces())
        await socket.wait_closed()

    async with front_before(session) as front, bare_stream(front) as stream:
        first = await stream.receive()
        passed_on.set()
        second = await stream.receive()

    assert (first.payload, second.payload) == (b"one", b"two")


async def test_a_text_that_is_none_is_the_containers_to_refuse() -> None:
    async with front_before() as front, bare_stream(front) as stream:
        await stream.send(b"\xff", "UTF8")
        told = await stream.receive()

    assert told.headers[":exception-type"] == "ModelStreamError"
    assert json.loads(told.payload)["ErrorCode"] == "1007"


@pytest.mark.parametrize(("code", "told_code"), [(1000, "1000"), (1011, "1011"), (1013, "1013"), (4001, "4001")])
async def test_a_close_of_the_containers_is_a_model_stream_error(code: int, told_code: str) -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.close(code, "why")

    async with front_before(session) as front, bare_stream(front) as stream:
        told = await stream.receive()

    assert told.headers[":exception-type"] == "ModelStreamError"
    assert json.loads(told.payload) == {"ErrorCode": told_code, "Message": "why"}


async def test_a_container_that_is_lost_without_a_close_looks_finished() -> None:
    async def session(socket: ServerConnection) -> None:
        socket.transport.abort()

    async with front_before(session) as front, bare_stream(front) as stream:
        assert await stream.status() == 200
        assert await stream.receive() is None
        assert not stream.was_reset


async def test_the_clients_end_is_a_close_to_the_container() -> None:
    closed = []

    async def session(socket: ServerConnection) -> None:
        await socket.wait_closed()
        closed.append(socket.close_code)

    async with front_before(session) as front, bare_stream(front) as stream:
        await stream.end()
        assert await stream.receive() is None

    assert closed == [1000]


async def test_a_session_that_has_lasted_as_long_as_it_may_looks_finished() -> None:
    async with front_before(session_s=0.2) as front, bare_stream(front) as stream:
        await stream.send(b"one", "UTF8")
        assert (await stream.receive()).payload == b"one"
        assert await stream.receive() is None
        assert not stream.was_reset

    assert FrontSettings().session_s == 30 * 60


# --- who is let in, and with what


async def test_an_event_with_a_wrong_signature_ends_the_stream() -> None:
    async with front_before() as front, bare_stream(front, event_secret="another") as stream:
        await stream.send(b"{}", "UTF8")
        told = await stream.receive()

        assert front.sessions[0].problems == ["event 0: its signature is another"]

    assert (told.headers[":message-type"], told.headers[":error-code"]) == ("error", "InvalidSignatureException")


async def test_a_stranger_is_not_let_in() -> None:
    async with front_before() as front, bare_stream(front, secret="another") as stream:
        assert await stream.status() == 403
        assert stream.error == "InvalidSignatureException"


@pytest.mark.parametrize(("token", "status"), [("token", 200), ("another", 403), (None, 403)])
async def test_a_temporary_key_is_let_in_with_its_token_alone(token: str | None, status: int) -> None:
    async with front_before(tokens={ACCESS_KEY: "token"}) as front, bare_stream(front, token=token) as stream:
        assert await stream.status() == status


@pytest.mark.parametrize("off_s", [400, -400])
async def test_whoevers_clock_is_far_off_is_not_let_in(off_s: int) -> None:
    def clock() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=off_s)

    async with front_before(clock=clock) as front, bare_stream(front) as stream:
        assert await stream.status() == 403
        assert stream.error == "InvalidSignatureException"


@pytest.mark.parametrize("off_s", [400, -400])
async def test_an_event_of_another_time_ends_the_stream(off_s: int) -> None:
    def clock() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=off_s)

    async with front_before() as front, bare_stream(front, clock=clock) as stream:
        await stream.send(b"{}", "UTF8")
        told = await stream.receive()

    assert told.headers[":error-code"] == "InvalidSignatureException"
    assert front.sessions[0].verified_events == 0


async def test_credentials_that_expire_end_their_session_and_open_no_other() -> None:
    over = [False]
    expiry = datetime.now(UTC) + timedelta(minutes=2)  # by which no signature is too old

    def clock() -> datetime:
        return expiry if over[0] else datetime.now(UTC)

    async with front_before(expiries={ACCESS_KEY: expiry}, clock=clock) as front:
        async with bare_stream(front) as stream:
            await stream.send(b"one", "UTF8")
            assert (await stream.receive()).payload == b"one"
            over[0] = True
            await stream.send(b"two", "UTF8")
            told = await stream.receive()
        async with bare_stream(front) as another:
            assert await another.status() == 403

    assert told.headers[":error-code"] == another.error == "ExpiredTokenException"


# --- what is no part, or too large a one


async def refused(stream: BareStream) -> tuple[object, object]:
    told = await stream.receive()
    return told.headers[":message-type"], told.headers[":error-code"]


async def test_a_longer_part_than_may_be_ends_the_stream() -> None:
    async with front_before(most_part_bytes=5) as front, bare_stream(front) as stream:
        await stream.send(b"12345", "UTF8")
        assert (await stream.receive()).payload == b"12345"
        await stream.send(b"123456", "UTF8")

        assert await refused(stream) == ("error", "InputValidationError")
        assert front.sessions[0].problems == ["a part of 6 bytes; 5 are the most"]


@pytest.mark.parametrize(("payload_bytes", "headers_bytes"), [(MAX_PAYLOAD_BYTES + 1, 0), (100, MAX_HEADERS_BYTES + 1)])
async def test_a_larger_message_than_an_event_stream_holds_ends_it_before_it_has_come(
    payload_bytes: int, headers_bytes: int
) -> None:
    async with front_before() as front, bare_stream(front) as stream:
        await stream.send_raw(prelude(payload_bytes, headers_bytes))

        assert await refused(stream) == ("error", "InputValidationError")
        assert "are the most" in front.sessions[0].problems[0]


async def test_a_larger_frame_of_the_containers_than_an_event_stream_holds_is_a_failure_of_the_streams() -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.send(bytes(16 * 1024 * 1024 + 1))
        await socket.wait_closed()

    async with front_before(session) as front, bare_stream(front) as stream:
        told = await stream.receive()

    assert told.headers[":exception-type"] == "InternalStreamFailure"


@pytest.mark.parametrize(
    ("data_type", "state", "kind"), [("TEXT", None, "PayloadPart"), ("UTF8", "DONE", "PayloadPart"), (None, None, "X")]
)
async def test_what_is_no_part_ends_the_stream(data_type, state, kind: str) -> None:
    async with front_before() as front, bare_stream(front) as stream:
        await stream.send(b"1", data_type, state, kind=kind)

        assert await refused(stream) == ("error", "InputValidationError")


async def test_what_is_no_event_ends_the_stream() -> None:
    async with front_before() as front, bare_stream(front) as stream:
        await stream.send_raw(b"GET / HTTP/1.1\r\n\r\n")

        assert await refused(stream) == ("error", "InputValidationError")


# --- when it answers


async def test_it_may_answer_only_when_the_container_speaks() -> None:
    settings = {"answered": Answered.WHEN_THE_CONTAINER_SPEAKS}
    heard = anyio.Event()
    speak = anyio.Event()

    async def session(socket: ServerConnection) -> None:
        await socket.recv()
        heard.set()
        await speak.wait()
        await socket.send("one")
        await socket.wait_closed()

    async with front_before(session, **settings) as front, bare_stream(front) as stream:
        await stream.send(b"{}", "UTF8")
        await heard.wait()
        with anyio.move_on_after(0.1) as waiting:
            await stream.status()
        speak.set()

        assert waiting.cancelled_caught
        assert await stream.status() == 200
        assert (await stream.receive()).payload == b"one"


async def test_a_container_that_closes_before_it_has_spoken_is_told_of_in_an_answer() -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.close(1013, "no room")

    async with front_before(session, answered=Answered.WHEN_THE_CONTAINER_SPEAKS) as front:
        async with bare_stream(front) as stream:
            assert await stream.status() == 200
            assert json.loads((await stream.receive()).payload)["ErrorCode"] == "1013"


async def test_what_is_not_right_before_it_has_answered_is_its_answer() -> None:
    settings = {"answered": Answered.WHEN_THE_CONTAINER_SPEAKS, "most_part_bytes": 5}
    async with front_before(**settings) as front:
        async with bare_stream(front, event_secret="another") as stream:
            await stream.send(b"{}", "UTF8")
            assert (await stream.status(), stream.error) == (403, "InvalidSignatureException")
        async with bare_stream(front) as stream:
            await stream.send(b"123456", "UTF8")
            assert (await stream.status(), stream.error) == (400, "InputValidationError")


async def test_it_may_answer_never_while_the_container_hears_and_speaks() -> None:
    heard = []
    spoken = anyio.Event()

    async def session(socket: ServerConnection) -> None:
        heard.append(await socket.recv())
        await socket.send("one")
        await socket.send("two")
        spoken.set()
        await socket.wait_closed()

    async with front_before(session, answered=Answered.NEVER) as front, bare_stream(front) as stream:
        await stream.send(b"{}", "UTF8")
        await spoken.wait()
        with anyio.move_on_after(0.1) as waiting:
            await stream.status()

        assert waiting.cancelled_caught
        await stream.end()  # it isn't answered then either: its stream goes
        assert await stream.status() is None
        assert stream.was_reset

    assert heard == ["{}"]
