"""Clips on their way to a listener: all of what comes is counted."""

import base64
import json

import pytest

from primavoce.bench.delivery import over_events, over_websocket
from primavoce.bench.replaying import replay_engine
from primavoce.errors import RequestFailed, SessionBroken
from tests.bench.clips import tone_clip

pytestmark = pytest.mark.anyio

CLIPS = [tone_clip("One two three.", seconds=1.0), tone_clip("Four.", seconds=0.5, hertz=330)]


def event(name: str, **told: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps(told)}\n\n".encode()


def chunked(*pieces: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


async def test_frames_over_a_websocket_bring_the_audio_and_little_more(serving) -> None:
    async with serving(replay_engine(CLIPS)) as server:
        first, second = await over_websocket(server.address, CLIPS, "pcm")

    assert [first.audio, second.audio] == [clip.pcm for clip in CLIPS]
    assert first.carried_bytes == len(CLIPS[0].pcm)
    assert 0 < first.wire_bytes - first.carried_bytes < 2000
    assert first.events == 0
    assert [at_s for at_s, _ in first.pieces] == sorted(at_s for at_s, _ in first.pieces)


@pytest.mark.parametrize("audio_format", ["wav", "mp3", "opus", "flac"])
async def test_what_is_compressed_is_what_comes(serving, audio_format: str) -> None:
    magic = {"wav": b"RIFF", "mp3": b"\xff", "opus": b"OggS", "flac": b"fLaC"}[audio_format]

    async with serving(replay_engine(CLIPS)) as server:
        (found,) = await over_websocket(server.address, CLIPS[:1], audio_format)

    assert found.audio.startswith(magic)
    assert found.carried_bytes == len(found.audio)


async def test_events_are_counted_with_their_base64_and_the_framing_round_them(answering) -> None:
    audio = bytes(6000)
    body = event("audio_stream_start", request_id="r") + event(
        "audio_chunk", seq=0, data=base64.b64encode(audio).decode()
    )
    whole = chunked(body[:100], body[100:], event("audio_stream_end", total_chunks=1))

    async with answering(whole) as address:
        (found,) = await over_events(address, CLIPS[:1], "pcm")

    assert found.audio == audio
    assert found.carried_bytes == 8000
    assert found.wire_bytes == len(whole)
    assert (found.events, found.cut_by_4k) == (3, 1)
    assert found.cut_by_socket <= 1


async def test_an_error_among_the_events_is_raised(answering) -> None:
    told = chunked(event("audio_stream_start"), event("error", code="draining", message="later", retryable=True))

    async with answering(told) as address:
        with pytest.raises(RequestFailed) as failed:
            await over_events(address, CLIPS[:1], "pcm")

    assert (failed.value.code, failed.value.retryable) == ("draining", True)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (
            b"HTTP/1.1 503 Busy\r\ncontent-length: 57\r\n\r\n"
            b'{"error":"overloaded","message":"later","retryable":true}',
            "overloaded",
        ),
        (b"HTTP/1.1 500 Oh\r\ncontent-length: 2\r\n\r\nno", "status 500"),
    ],
)  # fmt: skip
async def test_an_answer_that_is_an_error_is_raised(answering, answer: bytes, code: str) -> None:
    async with answering(answer) as address:
        with pytest.raises(RequestFailed) as failed:
            await over_events(address, CLIPS[:1], "pcm")

    assert failed.value.code == code


@pytest.mark.parametrize("whole", [chunked(event("audio_stream_start"))[:-5], b"", b"no HTTP\r\n\r\n"])
async def test_an_answer_that_breaks_off_is_an_error(answering, whole: bytes) -> None:
    async with answering(whole) as address:
        with pytest.raises(SessionBroken):
            await over_events(address, CLIPS[:1], "pcm")


@pytest.mark.parametrize("audio_format", ["pcm", "mp3"])
async def test_the_server_streams_events_over_one_connection(serving, audio_format: str) -> None:
    async with serving(replay_engine(CLIPS)) as server:
        events = await over_events(server.address, CLIPS, audio_format)
        frames = await over_websocket(server.address, CLIPS, audio_format)

    assert [each.audio for each in events] == [each.audio for each in frames]
    assert all(each.carried_bytes >= 4 * len(each.audio) // 3 for each in events)
    assert all(each.events >= 3 for each in events)
