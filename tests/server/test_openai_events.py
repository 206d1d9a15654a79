"""Our events in OpenAI's words, without a server."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.server.dialects.openai_events import SpeechEvents

OURS = (
    b'event: audio_stream_start\ndata: {"request_id": "r", "format": "pcm"}\n\n'
    b'event: audio_chunk\ndata: {"seq": 0, "data": "AAA="}\n\n'
    b":\n\n"
    b'event: audio_stream_end\ndata: {"total_chunks": 1, "duration_s": 0.1, "characters": 3}\n\n'
)
THEIRS = (
    b'data: {"type":"speech.audio.delta","audio":"AAA="}\n\n'
    b":\n\n"
    b'data: {"type":"speech.audio.done","usage":{"input_tokens":3,"output_tokens":0,"total_tokens":3}}\n\n'
)


@given(st.lists(st.integers(0, len(OURS))))
def test_events_are_translated_however_they_are_cut(cuts: list[int]) -> None:
    events = SpeechEvents()
    places = [0, *sorted(cuts), len(OURS)]

    made = b"".join(events.push(OURS[start:end]) for start, end in pairwise(places))

    assert made == THEIRS


@pytest.mark.parametrize(
    ("code", "kind", "param"),
    [
        ("utterance_too_long", "invalid_request_error", "input"),
        ("draining", "server_error", None),
        ("synthesis_failed", "server_error", None),
    ],
)
def test_an_error_says_whose_fault_it_is(code: str, kind: str, param: str | None) -> None:
    told = json.dumps({"code": code, "message": "It failed.", "retryable": False}).encode()

    made = SpeechEvents().push(b"event: error\ndata: " + told + b"\n\n")

    assert json.loads(made.removeprefix(b"data: ")) == {
        "type": "error",
        "error": {"message": "It failed.", "type": kind, "param": param, "code": code},
    }
