"""OpenAI's words over real sockets, with a model that hums."""

import base64
import http.client
import json
import re
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import pytest

from primavoce.access import parse_keys
from primavoce.server.dialects.openai import RESPONSE_FORMATS, invocation_of, speech_request_in
from primavoce.server.dialects.openai_voices import MODELS, OPENAI_VOICES, kokoro_voice
from primavoce.testing.fake_engine import FakeModel, fake_engine
from primavoce.voices.blend import parse_voice
from primavoce.voices.catalogue import VOICES
from tests.audio.test_encoders import MP3_PADDING_S, decoded
from tests.server.test_http import ask

pytestmark = pytest.mark.anyio

SPEECH = "/v1/audio/speech"
HELLO = {"model": "tts-1", "input": "Good morning. And good night.", "voice": "alloy"}
MEDIA_TYPES = {
    "mp3": "audio/mpeg",
    "opus": "audio/ogg",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "pcm": "audio/pcm",
}


def asked_of_us(**fields: object) -> dict[str, object]:
    """Return the invocation that a request with these fields becomes."""
    found = {**HELLO, **fields}
    return invocation_of(speech_request_in(found), found, "req_1")


# --- the request


@pytest.mark.parametrize(
    ("voice", "ours"),
    [
        ("af_heart", "af_heart"),
        ("nova", "af_nova"),
        ({"id": "marin"}, "af_heart"),
        ({"id": "bf_emma"}, "bf_emma"),
        ("alloy+echo", "af_alloy+am_echo"),
        ("af_alloy(2)+nova(1)", "af_alloy(2)+af_nova(1)"),
        ("fable:0.3+bf_lily:0.7", "bm_fable:0.3+bf_lily:0.7"),
        (None, None),
    ],
)
def test_a_voice_is_openais_or_kokoros_or_a_blend_of_both(voice: object, ours: str | None) -> None:
    assert asked_of_us(voice=voice)["voice"] == ours


@pytest.mark.parametrize("name", OPENAI_VOICES)
def test_each_of_openais_voices_is_one_of_kokoros_english_ones(name: str) -> None:
    assert parse_voice(kokoro_voice(name)).language in ("en-us", "en-gb")


def test_a_voice_whose_name_kokoro_has_is_its_namesake() -> None:
    bare = {voice.partition("_")[2]: voice for voice in VOICES}

    assert all(OPENAI_VOICES[name] == bare[name] for name in OPENAI_VOICES.keys() & bare)


def test_what_openai_has_no_field_for_may_be_asked_for_by_ours() -> None:
    asked = asked_of_us(language="it", request_timestamp=1.0, lexicon={"a": "b"}, volume_multiplier=2)

    assert {name: asked[name] for name in ("language", "request_timestamp", "lexicon")} == {
        "language": "it",
        "request_timestamp": 1.0,
        "lexicon": {"a": "b"},
    }
    assert "volume_multiplier" not in asked


# --- the answer


@pytest.mark.parametrize("name", RESPONSE_FORMATS)
async def test_each_format_is_answered_by_its_media_type_and_can_be_decoded(serving, name: str) -> None:
    async with serving() as server:
        status, headers, body = await ask(server.address, {**HELLO, "response_format": name}, path=SPEECH)
        _, _, pcm = await ask(server.address, {**HELLO, "response_format": "pcm"}, path=SPEECH)

    samples = decoded(name, 24_000, body, count=len(pcm) // 2)
    assert (status, headers["content-type"], headers["transfer-encoding"]) == (200, MEDIA_TYPES[name], "chunked")
    assert len(samples) == pytest.approx(len(pcm) // 2, abs=MP3_PADDING_S * 24_000)


async def test_without_a_format_it_is_mp3(serving) -> None:
    async with serving() as server:
        _, headers, _ = await ask(server.address, HELLO, path=SPEECH)

    assert headers["content-type"] == "audio/mpeg"


async def test_text_alone_is_enough(serving) -> None:
    async with serving() as server:
        status, _, body = await ask(server.address, {"input": "Good morning."}, path=SPEECH)

    assert status == 200
    assert body


async def test_the_audio_is_that_of_an_invocation_by_kokoros_name(serving) -> None:
    theirs = {**HELLO, "response_format": "pcm", "speed": 1.5, "instructions": "Whisper.", "stream": True}
    ours = {"text": HELLO["input"], "voice": "af_alloy", "format": "pcm", "speed": 1.5}
    async with serving() as server:
        _, _, body = await ask(server.address, theirs, path=SPEECH)
        _, _, expected = await ask(server.address, ours)

    assert body == expected


async def test_an_answer_has_an_id_that_is_its_own(serving) -> None:
    async with serving() as server:
        answers = [await ask(server.address, body, path=SPEECH) for body in (HELLO, HELLO, {})]

    ids = [headers["x-request-id"] for _, headers, _ in answers]
    assert len(set(ids)) == 3
    assert all(each.startswith("req_") for each in ids)


def two_sentences() -> tuple[FakeModel, threading.Event]:
    """Return a model that makes a second segment only once the event is set."""
    go_on = threading.Event()
    calls: list[None] = []

    def before() -> None:
        calls.append(None)
        if len(calls) > 1:
            assert go_on.wait(timeout=10)

    return FakeModel(before=before), go_on


@pytest.mark.parametrize("name", ["pcm", "wav", "mp3"])
async def test_the_first_sentence_arrives_while_the_second_is_made(serving, name: str) -> None:
    model, go_on = two_sentences()

    def read(address: str) -> tuple[bytes, bytes]:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
        connection.request("POST", SPEECH, json.dumps({**HELLO, "response_format": name}))
        answer = connection.getresponse()
        first = answer.read(1000)
        go_on.set()
        rest = answer.read()
        connection.close()
        return first, rest

    async with serving(fake_engine(model=model)) as server:
        first, rest = await anyio.to_thread.run_sync(read, server.address)

    assert len(first) == 1000
    assert rest


def events_in(body: bytes) -> list[dict[str, Any]]:
    """Return the events of a whole answer; each is one line of data."""
    lines = [block for block in body.decode().split("\n\n") if block and not block.startswith(":")]
    assert all(line.startswith("data: ") for line in lines)
    return [json.loads(line.removeprefix("data: ")) for line in lines]


@pytest.mark.parametrize("name", ["pcm", "mp3"])
async def test_events_carry_the_same_audio_and_say_when_it_is_done(serving, name: str) -> None:
    body = {**HELLO, "response_format": name}
    async with serving() as server:
        status, headers, stream = await ask(server.address, {**body, "stream_format": "sse"}, path=SPEECH)
        _, _, audio = await ask(server.address, body, path=SPEECH)

    *deltas, done = events_in(stream)
    characters = len(HELLO["input"])
    assert status == 200
    assert headers["content-type"].startswith("text/event-stream")
    assert {frozenset(each) for each in deltas} == {frozenset({"type", "audio"})}
    assert {each["type"] for each in deltas} == {"speech.audio.delta"}
    assert b"".join(base64.b64decode(each["audio"]) for each in deltas) == audio
    assert done == {
        "type": "speech.audio.done",
        "usage": {"input_tokens": characters, "output_tokens": 0, "total_tokens": characters},
    }


async def test_a_first_event_arrives_while_the_second_sentence_is_made(serving) -> None:
    model, go_on = two_sentences()

    def read(address: str) -> tuple[bytes, bytes]:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
        connection.request("POST", SPEECH, json.dumps({**HELLO, "response_format": "pcm", "stream_format": "sse"}))
        answer = connection.getresponse()
        first = answer.readline()
        go_on.set()
        rest = answer.read()
        connection.close()
        return first, rest

    async with serving(fake_engine(model=model)) as server:
        first, rest = await anyio.to_thread.run_sync(read, server.address)

    assert events_in(first)[0]["type"] == "speech.audio.delta"
    assert events_in(rest.lstrip(b"\n"))[-1]["type"] == "speech.audio.done"


async def test_a_failure_in_mid_stream_is_an_event_in_openais_shape(serving) -> None:
    calls: list[None] = []

    def before() -> None:
        calls.append(None)
        if len(calls) > 1:
            raise RuntimeError("the secret reason")

    async with serving(fake_engine(model=FakeModel(before=before))) as server:
        _, _, stream = await ask(
            server.address, {**HELLO, "response_format": "pcm", "stream_format": "sse"}, path=SPEECH
        )

    *_, last = events_in(stream)
    assert last == {
        "type": "error",
        "error": {
            "message": "the model failed on a segment",
            "type": "server_error",
            "param": None,
            "code": "synthesis_failed",
        },
    }


async def test_when_a_client_has_left_its_text_is_spoken_no_further(serving) -> None:
    go_on = threading.Event()
    calls: list[None] = []

    def before() -> None:
        calls.append(None)
        if len(calls) > 1:
            assert go_on.wait(timeout=10)

    async with serving(fake_engine(model=FakeModel(before=before)), max_sessions=1) as server:

        def leave() -> None:
            connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=20)
            long = {"input": "One is here. Two is here. Three is here. Four is here.", "response_format": "pcm"}
            connection.request("POST", SPEECH, json.dumps(long))
            answer = connection.getresponse()
            answer.read(100)
            answer.close()
            connection.close()

        await anyio.to_thread.run_sync(leave)
        with anyio.fail_after(10):
            while len(server.lobby):  # noqa: ASYNC110 - the server has no event for a test to wait for
                await anyio.sleep(0.01)
        go_on.set()
        status, _, _ = await ask(server.address, {"input": "Hello.", "response_format": "pcm"}, path=SPEECH)

    assert status == 200
    assert len(calls) <= 3  # the segment that was heard, the one that was being made, and the other request's


# --- errors


BAD_REQUESTS: list[tuple[object, int, str, str | None]] = [
    (b"", 400, "empty_frame", None),
    (b"{", 400, "invalid_json", None),
    ([1], 400, "invalid_message", None),
    ({}, 400, "invalid_field", "input"),
    ({"input": ""}, 400, "text_required", "input"),
    ({"input": " \n"}, 400, "text_required", "input"),
    ({"input": 1}, 400, "invalid_field", "input"),
    ({"input": "a", "model": "whisper-1"}, 404, "model_not_found", "model"),
    ({"input": "a", "model": 1}, 400, "invalid_field", "model"),
    ({"input": "a", "voice": "nobody"}, 400, "unknown_voice", "voice"),
    ({"input": "a", "voice": ["alloy"]}, 400, "invalid_field", "voice"),
    ({"input": "a", "voice": {"name": "alloy"}}, 400, "invalid_field", "voice"),
    ({"input": "a", "voice": "alloy(0)+nova"}, 400, "invalid_field", "voice"),
    ({"input": "a", "response_format": "aac"}, 400, "unsupported_format", "response_format"),
    ({"input": "a", "response_format": "mulaw"}, 400, "unsupported_format", "response_format"),
    ({"input": "a", "response_format": 1}, 400, "invalid_field", "response_format"),
    ({"input": "a", "speed": 0.25}, 400, "invalid_speed", "speed"),
    ({"input": "a", "speed": 4}, 400, "invalid_speed", "speed"),
    ({"input": "a", "speed": "fast"}, 400, "invalid_speed", "speed"),
    ({"input": "a", "stream_format": "chunks"}, 400, "invalid_field", "stream_format"),
    ({"input": "a", "language": "tlh"}, 400, "unknown_language", "language"),
    ({"input": "a", "request_timestamp": 1.0}, 408, "request_stale", None),
    ({"input": "a" * 101}, 413, "text_too_long", "input"),
    (b"x" * 2000, 413, "message_too_large", None),
]


async def test_a_bad_request_is_told_in_openais_shape(serving) -> None:
    answers = []
    async with serving(max_text_characters=100, max_message_bytes=1999) as server:
        for body, _, _, _ in BAD_REQUESTS:
            status, headers, content = await ask(server.address, body, path=SPEECH)
            answers.append((body, status, json.loads(content)))
            assert "x-request-id" in headers

    told = [(body, status, each["error"]["code"], each["error"]["param"]) for body, status, each in answers]
    assert told == BAD_REQUESTS
    assert all(set(each) == {"error"} for _, _, each in answers)
    assert all(set(each["error"]) == {"message", "type", "param", "code"} for _, _, each in answers)
    assert {each["error"]["type"] for _, _, each in answers} == {"invalid_request_error"}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", SPEECH, 405, "method_not_allowed"),
        ("POST", "/v1/models", 405, "method_not_allowed"),
        ("GET", "/v1/completions", 404, "unknown_route"),
        ("GET", "/v1/models/gpt-4", 404, "model_not_found"),
    ],
)
async def test_where_there_is_nothing_it_is_told_in_openais_shape(
    serving, method: str, path: str, status: int, code: str
) -> None:
    async with serving() as server:
        found, _, body = await ask(server.address, method=method, path=path)

    assert (found, json.loads(body)["error"]["code"]) == (status, code)


async def test_without_a_key_the_refusal_has_openais_shape_under_v1_alone(serving) -> None:
    async with serving(api_keys=parse_keys("PRIMAVOCE_API_KEYS", "a-key-that-is-long-enough")) as server:
        status, headers, body = await ask(server.address, HELLO, path=SPEECH)
        _, _, plain = await ask(server.address, {"text": "Hello."})

    assert (status, headers["www-authenticate"]) == (401, "Bearer")
    assert json.loads(body)["error"] == {
        "message": "an API key is needed: Authorization: Bearer KEY",
        "type": "invalid_request_error",
        "param": None,
        "code": "unauthorized",
    }
    assert json.loads(plain)["error"] == "unauthorized"


async def test_one_request_too_many_is_told_when_to_come_back(serving) -> None:
    async with serving(max_sessions=1) as server:
        with server.lobby.visit():
            status, headers, body = await ask(server.address, HELLO, path=SPEECH)

    assert (status, headers["retry-after"]) == (503, "1")
    assert (json.loads(body)["error"]["type"], json.loads(body)["error"]["code"]) == ("server_error", "queue_saturated")


async def test_a_server_that_is_leaving_says_so(serving) -> None:
    async with serving(max_sessions=1) as server:
        server.lobby.draining = True
        status, headers, body = await ask(server.address, HELLO, path=SPEECH)

    assert (status, headers["retry-after"], json.loads(body)["error"]["code"]) == (503, "1", "draining")


async def test_a_model_that_fails_before_any_audio_is_a_500_without_its_reason(serving) -> None:
    def before() -> None:
        raise RuntimeError("the secret reason")

    async with serving(fake_engine(model=FakeModel(before=before))) as server:
        status, _, body = await ask(server.address, HELLO, path=SPEECH)

    assert (status, json.loads(body)["error"]["type"]) == (500, "server_error")
    assert b"secret" not in body


async def test_a_body_that_never_ends_is_told_so(serving) -> None:
    async with serving(receive_timeout_s=0.5) as server:
        host, port = urlsplit(server.address).netloc.split(":")
        async with await anyio.connect_tcp(host, int(port)) as endless:
            await endless.send(f"POST {SPEECH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{{".encode())
            with anyio.fail_after(10):
                told = await endless.receive()

    assert b" 408 " in told
    assert b'"code":"request_incomplete"' in told


# --- what there is


async def test_the_model_is_listed_by_each_of_its_names_and_found_by_them(serving) -> None:
    async with serving() as server:
        _, _, listed = await ask(server.address, method="GET", path="/v1/models")
        single = [await ask(server.address, method="GET", path=f"/v1/models/{name}") for name in MODELS]
        _, _, snapshot = await ask(server.address, method="GET", path="/v1/models/gpt-4o-mini-tts-2025-12-15")

    made = json.loads(listed)
    assert (made["object"], [each["id"] for each in made["data"]]) == ("list", list(MODELS))
    assert [json.loads(body) for _, _, body in single] == made["data"]
    assert json.loads(snapshot)["id"] == "gpt-4o-mini-tts-2025-12-15"


async def test_voices_are_listed_as_kokoro_fastapi_does(serving) -> None:
    async with serving() as server:
        _, _, listed = await ask(server.address, method="GET", path="/v1/audio/voices")
        _, _, legacy = await ask(server.address, method="GET", path="/v1/audio/voices?legacy=true")

    voices = json.loads(listed)["voices"]
    assert [voice["id"] for voice in voices] == [voice["name"] for voice in voices] == list(VOICES)
    assert json.loads(legacy) == {"voices": list(VOICES)}


def test_the_voices_in_the_docs_are_those_that_speak() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    table = page.partition("| OpenAI's voice |")[2].partition("\n\n")[0]

    assert dict(re.findall(r"`(\w+)` \| `(\w+)`", table)) == OPENAI_VOICES
