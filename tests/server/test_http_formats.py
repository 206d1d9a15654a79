"""Every format over HTTP: streamed, in one piece, and in events."""

import http.client
import io
import json
import threading
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import numpy as np
import pytest
import soundfile

from primavoce.audio.formats import FORMATS
from primavoce.audio.wav import HEADER_BYTES
from primavoce.client import AudioEvents, EventReader, ServerEvent
from primavoce.server.event_stream import event
from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.audio.test_encoders import MP3_PADDING_S, decoded
from tests.server.test_http import ask

pytestmark = pytest.mark.anyio

TEXT = "Good morning. And good night."
EACH = [(each.name, each.rates[-1]) for each in FORMATS.values()]


def events_in(stream: bytes) -> list[tuple[str, dict[str, object]]]:
    return [(each.name, json.loads(each.data)) for each in EventReader().push(stream)]


async def pcm_of(address: str, rate: int) -> np.ndarray:
    _, _, body = await ask(address, {"text": TEXT, "format": "pcm", "sample_rate": rate})
    return np.frombuffer(body, "<i2")


@pytest.mark.parametrize(("name", "rate"), EACH)
async def test_every_format_is_streamed_with_its_media_type(serving, name: str, rate: int) -> None:
    async with serving() as server:
        pcm = await pcm_of(server.address, rate)
        status, headers, body = await ask(server.address, {"text": TEXT, "format": name, "sample_rate": rate})

    found = decoded(name, rate, body, count=pcm.size)
    assert (status, headers["content-type"]) == (200, FORMATS[name].media_type)
    assert headers["transfer-encoding"] == "chunked"
    assert 0 <= (found.size - pcm.size) / rate <= (MP3_PADDING_S if name == "mp3" else 0)
    if name in {"pcm", "wav", "flac"}:
        np.testing.assert_array_equal(found, pcm)


@pytest.mark.parametrize(("name", "rate"), EACH)
async def test_in_one_piece_every_format_tells_its_true_length(serving, name: str, rate: int) -> None:
    async with serving() as server:
        pcm = await pcm_of(server.address, rate)
        status, headers, body = await ask(
            server.address, {"text": TEXT, "format": name, "sample_rate": rate, "stream": False}
        )

    assert (status, headers["content-type"]) == (200, FORMATS[name].media_type)
    assert int(headers["content-length"]) == len(body)
    assert float(headers["x-audio-duration"]) == pytest.approx(pcm.size / rate, abs=1e-3)
    assert headers["x-characters-processed"] == str(len(TEXT))
    if name in {"wav", "mp3", "opus", "flac"}:  # read as files, with nothing told beside them
        found, found_rate = soundfile.read(io.BytesIO(body), dtype="int16")
        assert found_rate == rate
        assert 0 <= (found.size - pcm.size) / rate <= (MP3_PADDING_S if name == "mp3" else 0)


async def test_the_bound_of_an_answer_in_one_piece_is_on_the_pcm_that_it_is_made_of(serving) -> None:
    small = {"text": TEXT, "format": "opus", "stream": False}
    async with serving(max_answer_bytes=40_000) as server:
        status, _, body = await ask(server.address, small)
        streamed, _, _ = await ask(server.address, {**small, "stream": True})

    assert (status, json.loads(body)["error"]) == (413, "answer_too_large")
    assert streamed == 200


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"format": "opus", "sample_rate": 44_100}, "unsupported_sample_rate"),
        ({"format": "alaw", "sample_rate": 16_000}, "unsupported_sample_rate"),
        ({"format": "aac", "transport": "sse"}, "unsupported_format"),
        ({"format": "mulaw", "sample_rate": 24_000, "transport": "sse"}, "unsupported_sample_rate"),
    ],
)
async def test_what_a_format_can_not_have_is_refused_before_anything_is_sent(serving, fields, code: str) -> None:
    async with serving() as server:
        status, headers, body = await ask(server.address, {"text": TEXT, **fields})

    assert (status, json.loads(body)["error"]) == (400, code)
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("name", FORMATS)
async def test_nothing_to_say_is_an_empty_body_but_for_a_wavs_header(serving, name: str, stream: bool) -> None:
    async with serving() as server:
        status, headers, body = await ask(server.address, {"text": "!!!", "format": name, "stream": stream})

    assert (status, headers["content-type"]) == (200, FORMATS[name].media_type)
    assert len(body) == (HEADER_BYTES if name == "wav" else 0)


@pytest.mark.parametrize(("name", "rate"), EACH)
async def test_events_carry_the_same_audio(serving, name: str, rate: int) -> None:
    body = {"text": TEXT, "format": name, "sample_rate": rate}
    async with serving() as server:
        _, _, plain = await ask(server.address, body)
        status, headers, stream = await ask(server.address, {**body, "transport": "sse", "request_id": "r"})

    audio = AudioEvents()
    carried = audio.push(stream) + audio.flush()
    (_, first), *_, (_, last) = events_in(stream)
    assert status == 200
    assert headers["content-type"] == "text/event-stream"
    assert (headers["cache-control"], headers["x-accel-buffering"]) == ("no-cache", "no")
    assert first == {"request_id": "r", "format": name, "voice": "af_heart", "sample_rate": rate}
    assert last["characters"] == len(TEXT)
    assert last["segments"] == 2
    assert last["real_time_factor"] > 0
    if name == "opus":  # whose serial number is drawn by chance
        carried, plain = (decoded(name, rate, each, count=0).tobytes() for each in (carried, plain))
    assert carried == plain


async def test_events_have_their_order_and_their_numbers_and_samples_stay_whole(serving) -> None:
    async with serving(max_frame_bytes=999) as server:
        _, _, stream = await ask(server.address, {"text": TEXT, "format": "pcm", "transport": "sse"})

    names = [name for name, _ in events_in(stream)]
    chunks = [told for name, told in events_in(stream) if name == "audio_chunk"]
    last = events_in(stream)[-1][1]
    sizes = [len(each["data"]) for each in chunks]
    assert names == ["audio_stream_start", *["audio_chunk"] * len(chunks), "audio_stream_end"]
    assert [each["seq"] for each in chunks] == list(range(len(chunks)))
    assert last["total_chunks"] == len(chunks) > 50
    assert all(len(AudioEvents().push(event("audio_chunk", **{**each, "seq": 0}))) % 2 == 0 for each in chunks)
    assert max(sizes) <= 999


async def test_events_without_an_id_are_given_one(serving) -> None:
    async with serving() as server:
        _, _, stream = await ask(server.address, {"text": TEXT, "transport": "sse"})

    assert events_in(stream)[0][1]["request_id"]


async def test_nothing_to_say_is_a_start_and_an_end(serving) -> None:
    async with serving() as server:
        _, _, stream = await ask(server.address, {"text": "!!!", "format": "mp3", "transport": "sse"})

    assert [name for name, _ in events_in(stream)] == ["audio_stream_start", "audio_stream_end"]
    assert events_in(stream)[-1][1]["duration_s"] == 0


class SecondPart:
    """Lets a model make its first part, and holds the second until it is let go; then it may fail."""

    def __init__(self, *, fails: bool = False) -> None:
        self.let_go = threading.Event()
        self._calls = 0
        self._fails = fails

    def __call__(self) -> None:
        self._calls += 1
        if self._calls > 1:
            assert self.let_go.wait(timeout=10)
            if self._fails:
                raise RuntimeError("the secret reason")


async def test_the_first_events_come_while_the_rest_is_made_and_silence_is_filled_with_comments(
    serving, monkeypatch
) -> None:
    monkeypatch.setattr("primavoce.server.event_stream.HEARTBEAT_S", 0.05)
    second = SecondPart()

    def read(address: str) -> tuple[list[ServerEvent], int, list[ServerEvent]]:
        reader, comments, before = EventReader(), 0, []
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
        connection.request("POST", "/invocations", json.dumps({"text": TEXT, "format": "pcm", "transport": "sse"}))
        answer = connection.getresponse()
        while comments < 2:
            line = answer.readline()
            comments += line.startswith(b":")
            before += reader.push(line)
        second.let_go.set()
        after = reader.push(answer.read())
        connection.close()
        return before, comments, after

    async with serving(fake_engine(model=FakeModel(before=second))) as server:
        before, comments, after = await anyio.to_thread.run_sync(read, server.address)

    assert [each.name for each in before[:2]] == ["audio_stream_start", "audio_chunk"]
    assert comments == 2
    assert after[-1].name == "audio_stream_end"


async def test_a_failure_after_the_first_audio_is_the_last_event_without_its_reason(serving) -> None:
    second = SecondPart(fails=True)
    second.let_go.set()
    async with serving(fake_engine(model=FakeModel(before=second))) as server:
        status, _, stream = await ask(
            server.address, {"text": TEXT, "format": "pcm", "transport": "sse", "request_id": "r"}
        )

    *_, (name, told) = events_in(stream)
    assert (status, name) == (200, "error")
    assert (told["request_id"], told["code"], told["retryable"]) == ("r", "synthesis_failed", False)
    assert b"secret" not in stream


async def test_too_long_a_text_is_told_in_an_event_when_some_of_it_was_sent(serving) -> None:
    async with serving(max_utterance_s=1.0) as server:
        _, _, stream = await ask(server.address, {"text": TEXT, "format": "pcm", "transport": "sse"})

    names = [name for name, _ in events_in(stream)]
    assert "audio_chunk" in names
    assert (names[-1], events_in(stream)[-1][1]["code"]) == ("error", "utterance_too_long")


async def test_what_a_draining_server_can_not_end_is_told_so_in_an_event(serving) -> None:
    second = SecondPart()
    came = threading.Event()

    def read(address: str) -> list[ServerEvent]:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
        connection.request("POST", "/invocations", json.dumps({"text": TEXT, "format": "pcm", "transport": "sse"}))
        reader, answer = EventReader(), connection.getresponse()
        events = reader.push(answer.readline() + answer.readline() + answer.readline())
        came.set()
        events += reader.push(answer.read())
        connection.close()
        return events

    events: list[ServerEvent] = []

    async def listen(address: str) -> None:
        events.extend(await anyio.to_thread.run_sync(read, address))

    async with serving(fake_engine(model=FakeModel(before=second))) as server:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listen, server.address)
            await anyio.to_thread.run_sync(came.wait)
            emptied = await server.lobby.drain(within_s=0.0)
            second.let_go.set()

    assert emptied
    assert events[0].name == "audio_stream_start"
    assert (events[-1].name, json.loads(events[-1].data)["code"]) == ("error", "draining")
    assert json.loads(events[-1].data)["retryable"]


async def test_a_failure_before_any_audio_is_a_status(serving) -> None:
    def before() -> None:
        raise RuntimeError

    async with serving(fake_engine(model=FakeModel(before=before))) as server:
        status, headers, _ = await ask(server.address, {"text": TEXT, "transport": "sse"})

    assert (status, headers["content-type"]) == (500, "application/json")
