"""Deepgram's words over real sockets, with a model that hums."""

import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
import httpx
import pytest
import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance
from structlog.testing import capture_logs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from primavoce.access import ApiKey, digest_of
from primavoce.protocol.deepgram import DeepgramSession
from primavoce.protocol.deepgram_query import SpeakQuery
from primavoce.protocol.messages import AnyServerMessage, Cancelled
from primavoce.server.dialects.deepgram import DeepgramWire
from primavoce.server.openapi import OPENAPI_PATH
from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.server.test_session import Gate
from tests.server.test_wire import SlowClient

pytestmark = pytest.mark.anyio

QUERY = "encoding=linear16&sample_rate=24000&model=af_heart"

type Heard = list[dict[str, Any] | bytes]


class Talker:
    """A client that speaks Deepgram's words."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def say(self, kind: str, **fields: object) -> None:
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def speak(self, *texts: str) -> None:
        for text in texts:
            await self.say("Speak", text=text)

    async def next(self) -> dict[str, Any] | bytes:
        with anyio.fail_after(10):
            frame = await self.socket.recv()
        return json.loads(frame) if isinstance(frame, str) else frame

    async def until(self, kind: str) -> Heard:
        heard = [await self.next()]
        while isinstance(heard[-1], bytes) or heard[-1]["type"] != kind:
            heard.append(await self.next())
        return heard

    async def closing(self) -> ConnectionClosed:
        with anyio.fail_after(10), pytest.raises(ConnectionClosed) as closed:
            while True:
                await self.socket.recv()
        return closed.value


def url_of(address: str, query: str = QUERY) -> str:
    return f"{address.replace('http', 'ws', 1)}/v1/speak?{query}"


@asynccontextmanager
async def talking(address: str, query: str = QUERY) -> AsyncIterator[Talker]:
    async with connect(url_of(address, query), compression=None) as socket:
        talker = Talker(socket)
        assert (await talker.until("Metadata"))[:-1] == []
        yield talker


def kinds(heard: Heard) -> list[str]:
    """Return the kinds of what was heard, audio that comes in several frames once."""
    found = ["audio" if isinstance(each, bytes) else str(each["type"]) for each in heard]
    return [kind for before, kind in zip(["", *found], found, strict=False) if not kind == before == "audio"]


def audio(heard: Heard) -> bytes:
    return b"".join(each for each in heard if isinstance(each, bytes))


async def test_a_session_begins_with_its_metadata(serving) -> None:
    async with serving() as server, connect(url_of(server.address)) as socket:
        metadata = json.loads(await socket.recv())

    assert metadata["type"] == "Metadata"
    assert metadata["model_name"] == "af_heart"
    assert metadata["request_id"] == socket.response.headers["dg-request-id"]


async def test_texts_are_one_utterance_until_the_flush_and_flushed_follows_its_last_audio(serving) -> None:
    async with serving() as server, talking(server.address) as talker:
        await talker.speak("One th", "ing mo", "re.")
        await talker.say("Flush")
        one = await talker.until("Flushed")
        await talker.speak("One thing more.")
        await talker.say("Flush")
        other = await talker.until("Flushed")

    assert kinds(one) == kinds(other) == ["audio", "Flushed"]
    assert audio(one) == audio(other)
    assert [heard[-1]["sequence_id"] for heard in (one, other)] == [0, 1]


async def test_a_sentence_is_spoken_before_the_flush(serving) -> None:
    async with serving() as server, talking(server.address) as talker:
        await talker.speak("This is the first one. This ")
        heard = await talker.next()

    assert isinstance(heard, bytes)


async def test_turns_that_wait_are_flushed_one_after_another(serving) -> None:
    async with serving() as server, talking(server.address) as talker:
        for text in ("One.", "Two.", "Three."):
            await talker.speak(text)
            await talker.say("Flush")
        heard = [await talker.until("Flushed") for _ in range(3)]

    assert [kinds(each) for each in heard] == [["audio", "Flushed"]] * 3
    assert [each[-1]["sequence_id"] for each in heard] == [0, 1, 2]


async def test_a_flush_of_nothing_is_answered(serving) -> None:
    async with serving() as server, talking(server.address) as talker:
        await talker.say("Flush")
        first = await talker.next()
        await talker.speak(" ")
        await talker.say("Flush")
        second = await talker.next()

    assert [first, second] == [{"type": "Flushed", "sequence_id": 0}, {"type": "Flushed", "sequence_id": 1}]


async def test_no_old_audio_and_no_old_flushed_follow_a_cleared(serving) -> None:
    gate = Gate()
    model = FakeModel(before=gate, parts_per_segment=4)
    async with serving(fake_engine(model=model)) as server, talking(server.address) as talker:
        await talker.speak("This answer is a long one and it will be interrupted. ", "And it goes on")
        await talker.say("Flush")
        await talker.speak("An answer that waits behind it.")
        await talker.say("Flush")
        gate.open(1)
        assert isinstance(await talker.next(), bytes)
        await gate.wait_until_reached()
        await gate.wait_until_reached()  # the model is at work on what comes next
        await talker.say("Clear")
        until_cleared = await talker.until("Cleared")
        gate.open()
        await talker.speak("Yes.")
        await talker.say("Flush")
        after = await talker.until("Flushed")

    assert kinds(until_cleared)[-1] == "Cleared"
    assert "Flushed" not in kinds(until_cleared)
    assert kinds(after) == ["audio", "Flushed"]
    assert audio(after) == await spoken_alone("Yes.", serving)


async def spoken_alone(text: str, serving) -> bytes:
    async with serving(fake_engine(model=FakeModel(parts_per_segment=4))) as server:
        async with talking(server.address) as talker:
            await talker.speak(text)
            await talker.say("Flush")
            return audio(await talker.until("Flushed"))


async def test_a_clear_of_nothing_is_answered(serving) -> None:
    async with serving() as server, talking(server.address) as talker:
        await talker.say("Clear")
        heard = await talker.next()

    assert heard == {"type": "Cleared", "sequence_id": 0}


async def test_close_has_the_rest_spoken_and_then_the_server_closes(serving) -> None:
    async with serving() as server, talking(server.address) as talker:
        await talker.speak("Goodbye")
        await talker.say("Close")
        first = await talker.next()
        closed = await talker.closing()

    assert isinstance(first, bytes)
    assert (closed.rcvd.code, closed.rcvd.reason) == (1000, "closed")


async def test_what_makes_no_sense_is_warned_of_and_the_session_goes_on(serving) -> None:
    async with serving() as server, talking(server.address) as talker:
        await talker.socket.send("{")
        await talker.say("Sing")
        await talker.say("Speak", text=5)
        await talker.say("KeepAlive")
        await talker.speak("Hello.")
        await talker.say("Flush")
        heard = await talker.until("Flushed")

    warnings = [each for each in heard if not isinstance(each, bytes) and each["type"] == "Warning"]
    assert [each["code"] for each in warnings] == ["INVALID_JSON", "UNKNOWN_TYPE", "INVALID_FIELD"]
    assert all(each["warn_code"] == each["code"] and each["warn_msg"] == each["description"] for each in warnings)
    assert audio(heard)


async def test_what_is_warned_of_is_counted_as_every_error_that_a_client_is_told(serving) -> None:
    async with serving(max_text_characters=20) as server, httpx.AsyncClient(base_url=server.address) as client:
        async with talking(server.address) as talker:
            await talker.socket.send("{")
            await talker.speak("A text that is longer than may be. ")
            await talker.until("Warning")
            await talker.until("Warning")
            await talker.speak(" ")
            await talker.say("Flush")
            await talker.until("Flushed")
        lines = (await client.get("/metrics")).text.splitlines()

    counted = {line for line in lines if line.startswith("primavoce_errors_total") and not line.endswith(" 0.0")}
    assert counted == {f'primavoce_errors_total{{code="{code}"}} 1.0' for code in ("invalid_json", "text_too_long")}


async def test_of_an_utterance_that_failed_the_rest_is_dropped_and_the_next_is_spoken(serving) -> None:
    async with serving(max_text_characters=20) as server, talking(server.address) as talker:
        await talker.speak("A text that is longer than may be. ")
        warning = await talker.next()
        await talker.speak("Its rest.")
        await talker.say("Flush")
        flushed = await talker.next()
        await talker.speak("Next.")
        await talker.say("Flush")
        after = await talker.until("Flushed")

    assert (warning["type"], warning["code"]) == ("Warning", "TEXT_TOO_LONG")
    assert flushed == {"type": "Flushed", "sequence_id": 0}
    assert kinds(after) == ["audio", "Flushed"]


async def test_an_unknown_model_is_warned_of_and_the_default_voice_speaks(serving) -> None:
    async with serving() as server, connect(url_of(server.address, "model=aura-2-thalia-en")) as socket:
        metadata, warning = json.loads(await socket.recv()), json.loads(await socket.recv())

    assert metadata["model_name"] == "af_heart"
    assert (warning["type"], warning["code"]) == ("Warning", "UNKNOWN_VOICE")
    assert "af_heart speaks instead" in warning["description"]


@pytest.mark.parametrize(("encoding", "width"), [("linear16", 2), ("mulaw", 1), ("alaw", 1)])
async def test_telephone_encodings_have_a_byte_a_sample(serving, encoding: str, width: int) -> None:
    query = f"encoding={encoding}&sample_rate=8000"
    async with serving() as server, talking(server.address, query) as talker:
        await talker.speak("Hello.")
        await talker.say("Flush")
        heard = await talker.until("Flushed")

    seconds = len(audio(heard)) / width / 8000
    assert 0.2 < seconds < 1


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("encoding=opus", "UNSUPPORTED_FORMAT"),
        ("encoding=mulaw&sample_rate=24000", "UNSUPPORTED_SAMPLE_RATE"),
        ("speed=3", "INVALID_SPEED"),
    ],
)
async def test_a_query_that_cant_be_done_is_refused_with_its_reason_and_logged(serving, query: str, code: str) -> None:
    with capture_logs() as lines:
        async with serving() as server:
            with pytest.raises(InvalidStatus) as refused:
                await connect(url_of(server.address, query))

    answer = refused.value.response
    assert answer.status_code == 400
    body = json.loads(answer.body)
    assert body == {
        "err_code": code,
        "err_msg": answer.headers["dg-error"],
        "request_id": answer.headers["dg-request-id"],
    }
    assert [(line["code"].upper(), line["reason"]) for line in lines if line["event"] == "session refused"] == [
        (code, body["err_msg"])
    ]


async def test_keys_are_shown_as_a_token(serving) -> None:
    key = "k" * 32
    async with serving(api_keys=(ApiKey("ada", digest_of(key.encode())),)) as server:
        async with connect(url_of(server.address), additional_headers={"Authorization": f"Token {key}"}) as socket:
            assert json.loads(await socket.recv())["type"] == "Metadata"
        with pytest.raises(InvalidStatus) as refused:
            await connect(url_of(server.address))

    assert refused.value.response.status_code == 401
    assert json.loads(refused.value.response.body)["err_code"] == "UNAUTHORIZED"


async def test_a_session_that_is_refused_is_closed_with_the_reason(serving) -> None:
    async with serving(max_sessions=1) as server, talking(server.address), connect(url_of(server.address)) as socket:
        closed = await Talker(socket).closing()

    assert closed.rcvd.code == 1013
    assert closed.rcvd.reason.startswith("OVERLOADED: ")


async def test_a_word_whose_sender_was_cancelled_is_said_once_and_not_lost() -> None:
    dialect = DeepgramSession(SpeakQuery("af_heart", "pcm", 24_000, None, ()), request_id="r", max_message_bytes=1000)
    for frame in ('{"type": "Speak", "text": "Hello."}', '{"type": "Flush"}', '{"type": "Flush"}'):
        dialect.receive(frame)
    client = SlowClient(refuses='"sequence_id":1')
    wire = DeepgramWire(client.socket, dialect=dialect, session_id="s", send_timeout_s=10, told=lambda _: None)
    outbox: deque[AnyServerMessage] = deque(
        [Cancelled(request_id="r-1", audio_sent_s=0, spoken_text="", spoken_characters=0)]
    )

    await wire.accept()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wire.send_next, outbox)
        await client.refusing.wait()
        tasks.cancel_scope.cancel()
    await wire.send_next(outbox)

    assert not outbox
    assert [each.get("sequence_id") for each in client.taken] == [None, 0, 1]


# --- POST


@pytest.mark.parametrize(
    ("query", "media_type", "begins"),
    [
        ("encoding=linear16", "audio/wav", b"RIFF"),
        ("encoding=linear16&container=none", "audio/pcm", b""),
        ("", "audio/mpeg", b"\xff"),
        ("encoding=opus", "audio/ogg", b"OggS"),
        ("encoding=flac&sample_rate=16000", "audio/flac", b"fLaC"),
        ("encoding=mulaw", "audio/basic", b""),
    ],
)
async def test_a_text_is_answered_with_its_audio(serving, query: str, media_type: str, begins: bytes) -> None:
    async with serving() as server, httpx.AsyncClient(base_url=server.address) as client:
        answer = await client.post(f"/v1/speak?{query}", json={"text": "Hello there."})

    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == media_type
    assert answer.content.startswith(begins)
    assert len(answer.content) > 1000
    assert answer.headers["dg-model-name"] == "af_heart"
    assert answer.headers["dg-char-count"] == "12"


@pytest.mark.parametrize(
    ("query", "body", "status", "code"),
    [
        ("", b"{", 400, "INVALID_JSON"),
        ("", b'{"words": "Hello."}', 400, "INVALID_FIELD"),
        ("", b'{"text": " "}', 400, "TEXT_REQUIRED"),
        ("encoding=aac", b'{"text": "Hello."}', 400, "UNSUPPORTED_FORMAT"),
        ("encoding=opus&sample_rate=44100", b'{"text": "Hello."}', 400, "UNSUPPORTED_SAMPLE_RATE"),
        ("encoding=mulaw&container=wav", b'{"text": "Hello."}', 400, "INVALID_FIELD"),
        ("", json.dumps({"text": "a " * 60_000}).encode(), 413, "TEXT_TOO_LONG"),
    ],
)
async def test_errors_have_deepgrams_shape(serving, query: str, body: bytes, status: int, code: str) -> None:
    async with serving() as server, httpx.AsyncClient(base_url=server.address) as client:
        answer = await client.post(f"/v1/speak?{query}", content=body)

    assert answer.status_code == status
    assert answer.json()["err_code"] == code
    assert answer.json()["request_id"] == answer.headers["dg-request-id"]
    assert answer.json().keys() == {"err_code", "err_msg", "request_id"}


async def test_other_methods_are_told_in_the_same_shape(serving) -> None:
    async with serving() as server, httpx.AsyncClient(base_url=server.address) as client:
        answer = await client.delete("/v1/speak")

    assert answer.status_code == 405
    assert answer.json()["err_code"] == "METHOD_NOT_ALLOWED"


@pytest.mark.parametrize(("query", "status"), [({"encoding": "linear16"}, 200), ({"encoding": "aac"}, 400)])
async def test_the_answers_are_as_the_document_of_the_routes_says(serving, query: dict[str, str], status: int) -> None:
    async with serving() as server:

        def check() -> None:
            made = schemathesis.openapi.from_url(server.address + OPENAPI_PATH)
            case = made["/v1/speak"]["POST"].Case(body={"text": "Hello."}, query=query, media_type="application/json")
            answer = case.call_and_validate(base_url=server.address, excluded_checks=[positive_data_acceptance])
            assert answer.status_code == status

        await anyio.to_thread.run_sync(check)
