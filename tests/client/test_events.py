"""Server-sent events, and the audio that they carry, from blocks cut anywhere."""

import base64
import json
import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.client import AudioEvents, EventReader, ServerEvent
from primavoce.errors import ProtocolViolation, RequestFailed, SessionBroken


def read(stream: bytes, cuts: list[int] | None = None) -> list[ServerEvent]:
    reader = EventReader()
    events = [event for block in in_blocks(stream, cuts or []) for event in reader.push(block)]
    return events + reader.flush()


def in_blocks(stream: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    return [stream[begin:end] for begin, end in pairwise(places)]


@pytest.mark.parametrize(
    ("stream", "found"),
    [
        (b"data: a\n\n", [("message", "a")]),
        (b"data: a\r\n\r\n", [("message", "a")]),
        (b"data: a\r\r", [("message", "a")]),
        (b"data: a\r\n\ndata: b\n\r", [("message", "a"), ("message", "b")]),
        (b"\xef\xbb\xbfdata: a\n\n", [("message", "a")]),
        (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", [("message", "a")]),
        (b"event: beep\ndata: a\ndata: b\n\n", [("beep", "a\nb")]),
        (b"data:a\ndata:  b\n\n", [("message", "a\n b")]),
        (b"data\n\ndata\ndata\n\n", [("message", ""), ("message", "\n")]),
        (b": heart\n\n:\n\ndata: a\n: beat\n\n", [("message", "a")]),
        (b"event: nothing\n\ndata: a\n\n", [("message", "a")]),
        (b"retry: 10\nnonsense: 1\nnonsense\ndata: a:b\n\n", [("message", "a:b")]),
        ("data: caf\u00e9 \U0001f600\n\n".encode(), [("message", "caf\u00e9 \U0001f600")]),
        (b"data: \xff\n\n", [("message", "\ufffd")]),
        (b"data: a\n\ndata: without its blank line\n", [("message", "a")]),
        (b"\n\n\n", []),
        (b"", []),
    ],
)
def test_a_stream_is_read_as_its_standard_says(stream: bytes, found: list[tuple[str, str]]) -> None:
    assert [(event.name, event.data) for event in read(stream)] == found


def test_an_id_holds_until_the_next() -> None:
    events = read(b"id: 1\ndata: a\n\ndata: b\n\nid: 2\0\ndata: c\n\nid\ndata: d\n\n")

    assert [event.last_id for event in events] == ["1", "1", "1", ""]


FIELDS = st.sampled_from(
    [b"data: a", b"data: caf\xc3\xa9", b"event: beep", b": comment", b"id: 7", b"data", b"", b"", b"\xef\xbb\xbf", b"x"]
)
STREAMS = st.lists(st.tuples(FIELDS, st.sampled_from([b"\n", b"\r", b"\r\n"])), max_size=20).map(
    lambda lines: b"".join(line + end for line, end in lines)
)


@given(STREAMS | st.binary(max_size=60), st.lists(st.integers(0, 400), max_size=12))
def test_it_makes_no_difference_where_blocks_end(stream: bytes, cuts: list[int]) -> None:
    assert read(stream, cuts) == read(stream)


@given(STREAMS)
def test_it_makes_no_difference_if_every_byte_comes_alone(stream: bytes) -> None:
    assert read(stream, list(range(len(stream)))) == read(stream)


def test_an_event_is_there_as_soon_as_its_blank_line_is() -> None:
    reader = EventReader()

    assert reader.push(b"data: a\r\n") == []
    assert reader.push(b"\r") == [ServerEvent("message", "a")]
    assert reader.push(b"\n") == []


def test_after_a_flush_half_an_event_is_forgotten() -> None:
    reader = EventReader()
    reader.push(b"data: a\nda")
    reader.flush()

    assert reader.push(b"\xef\xbb\xbfdata: b\n\n") == [ServerEvent("message", "b")]


@pytest.mark.parametrize("line", [b"data: " + b"x" * 90 + b"\n", b"x" * 101, b": " + b"x" * 100])
def test_an_event_too_long_is_refused_before_it_ends(line: bytes) -> None:
    reader = EventReader(max_event_bytes=100)

    with pytest.raises(ProtocolViolation):
        reader.push(line)
        reader.push(line)


def told(name: str, **fields: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps(fields)}\n\n".encode()


def spoken(pcm: bytes, pieces: int, *, audio_format: str = "pcm", total: int | None = None) -> bytes:
    """Return a stream with ``pcm`` in so many pieces, cut at any byte."""
    places = sorted(random.Random(pieces).choices(range(len(pcm) + 1), k=pieces - 1))
    chunks = [pcm[begin:end] for begin, end in pairwise([0, *places, len(pcm)])]
    return b"".join(
        [
            told("audio_stream_start", request_id="r", format=audio_format, voice="af_heart", sample_rate=24_000),
            *(told("audio_chunk", seq=n, data=base64.b64encode(each).decode()) for n, each in enumerate(chunks)),
            b":\n\n",
            told("audio_stream_end", total_chunks=pieces if total is None else total, duration_s=len(pcm) / 48_000),
        ]
    )


@given(
    pcm=st.binary(max_size=300).map(lambda data: data + data),
    pieces=st.integers(1, 9),
    cuts=st.lists(st.integers(0, 3000), max_size=20),
)
def test_audio_is_joined_at_whole_samples_however_it_is_cut(pcm: bytes, pieces: int, cuts: list[int]) -> None:
    audio = AudioEvents()

    came = [audio.push(block) for block in in_blocks(spoken(pcm, pieces), cuts)]

    assert all(len(each) % 2 == 0 for each in came)
    assert b"".join(came) == pcm
    assert audio.flush() == b""
    assert audio.started is not None
    assert (audio.started.voice, audio.started.sample_rate) == ("af_heart", 24_000)
    assert audio.ended is not None
    assert audio.ended.total_chunks == pieces


def test_of_what_is_compressed_every_byte_comes_at_once() -> None:
    audio = AudioEvents()

    assert audio.push(spoken(b"abc", 1, audio_format="mp3")) == b"abc"


def test_an_odd_byte_at_the_end_is_not_lost() -> None:
    audio = AudioEvents()

    assert audio.push(spoken(b"abc", 2)) == b"ab"
    assert audio.flush() == b"c"


def without_its_end(stream: bytes) -> bytes:
    return stream[: stream.rindex(b"event:")]


@pytest.mark.parametrize("asked", [lambda audio: audio.flush(), lambda audio: audio.push(b"")])
def test_the_servers_error_is_raised_with_its_code_after_the_audio_that_came(
    asked: Callable[[AudioEvents], bytes],
) -> None:
    failure = told("error", request_id="r", code="draining", message="the server is leaving", retryable=True)
    audio = AudioEvents()

    assert audio.push(without_its_end(spoken(b"ab", 1)) + failure) == b"ab"
    with pytest.raises(RequestFailed) as caught:
        asked(audio)

    assert (caught.value.code, caught.value.retryable, caught.value.request_id) == ("draining", True, "r")


def test_a_stream_that_breaks_off_is_no_whole_answer() -> None:
    audio = AudioEvents()
    audio.push(without_its_end(spoken(b"ab", 1)))

    with pytest.raises(SessionBroken):
        audio.flush()


@pytest.mark.parametrize(
    "stream",
    [
        told("audio_chunk", seq=1, data=""),
        told("audio_chunk", seq=0, data="?"),
        told("audio_chunk", seq=0, data="Grüße"),
        told("audio_chunk", seq=0),
        told("audio_stream_end", total_chunks=3, duration_s=1.0),
        b"event: audio_stream_start\ndata: {\n\n",
    ],
)
def test_what_makes_no_sense_is_refused(stream: bytes) -> None:
    with pytest.raises(ProtocolViolation):
        AudioEvents().push(stream)


def test_an_event_that_is_not_known_is_left_alone() -> None:
    assert AudioEvents().push(told("weather", sun=True)) == b""
