"""What a deployed agent's answer must be."""

import base64
import math
import struct

import pytest

from primavoce.aws.answer_cycle import AnswerCycle

RATE = 24_000


def hum(seconds: float, level: float = 0.2) -> bytes:
    count = round(seconds * RATE)
    return struct.pack(f"<{count}h", *(round(32767 * level * math.sin(place / 10)) for place in range(count)))


def chunk(pcm: bytes) -> dict[str, object]:
    return {"type": "audio_chunk", "data": base64.b64encode(pcm).decode()}


START = {"type": "agent_start", "request_id": "r", "mode": "stream"}
AUDIO_START = {"type": "audio_stream_start", "format": "pcm", "voice": "af_heart", "sample_rate": RATE}
AUDIO_END = {"type": "audio_stream_end", "total_chunks": 2, "duration_s": 1.0}
END = {"type": "agent_end", "request_id": "r"}


def text(words: str) -> dict[str, object]:
    return {"type": "text_delta", "seq": 0, "text": words}


GOOD = [START, text("One. "), AUDIO_START, chunk(hum(0.5)), text("Two."), chunk(hum(0.5)), AUDIO_END, END]


def outcome(events: list[dict[str, object]]) -> tuple[str, bool, str]:
    """Return the last check that was made: its name, whether it passed, and what it says."""
    cycle = AnswerCycle()
    for place, event in enumerate(events):
        cycle.take(event, place / 10)
    last = list(cycle.checks())[-1]
    return last.name, last.passed, last.detail


def test_an_answer_that_is_spoken_while_it_is_written_passes_every_check() -> None:
    assert outcome(GOOD) == ("ends", True, "agent_end")


def test_audio_that_comes_after_the_last_text_is_no_streaming() -> None:
    late = [START, text("One. "), text("Two."), AUDIO_START, chunk(hum(1.0)), AUDIO_END, END]

    assert outcome(late) == ("is heard before it is written", False, "first audio at 0.40 s, last text at 0.20 s")


@pytest.mark.parametrize(
    ("events", "name", "detail"),
    [
        ([], "begins", "nothing came"),
        ([{"type": "error", "code": "model_failed", "message": "it failed"}], "begins", "it failed (model_failed)"),
        ([START, END], "writes", "no text came"),
        ([START, text("One."), END], "speaks", "no audio came"),
        (
            [START, text("One. "), AUDIO_START, chunk(bytes(48_000)), text("x"), AUDIO_END, END],
            "is not silent",
            "silen",
        ),
        (GOOD[:-2], "has all of its audio", "no audio_stream_end came"),
        ([*GOOD[:-3], AUDIO_END, END], "has all of its audio", "0.50 s came, 1.00 s announced"),
        (
            [START, text("One. " * 20), AUDIO_START, chunk(hum(1.0)), text("Two."), AUDIO_END, END],
            "has all of its audio",
            "1.00 s came, 1.00 s announced, for 104 characters",
        ),
        (
            [*GOOD[:3], chunk(hum(0.5) + b"x"), *GOOD[4:]],
            "has all of its audio",
            "a piece of audio has 24001 bytes, and so half a sample",
        ),
        (
            [*GOOD[:-2], {"type": "audio_chunk", "data": "§"}, *GOOD[-2:]],
            "has all of its audio",
            "a piece of audio is no base64",
        ),
        (GOOD[:-1], "ends", "audio_stream_end was the last that came"),
        (
            [*GOOD[:-1], {"type": "error", "code": "speech_unavailable", "message": "it broke off"}],
            "ends",
            "it broke off (speech_unavailable)",
        ),
    ],
)
def test_an_answer_that_isnt_whole_fails_where_it_breaks(
    events: list[dict[str, object]], name: str, detail: str
) -> None:
    found = outcome(events)

    assert found[:2] == (name, False)
    assert detail in found[2]


def test_an_answer_is_over_with_its_last_event_and_not_before() -> None:
    cycle, over = AnswerCycle(), []
    for event in GOOD:
        cycle.take(event, 0.0)
        over.append(cycle.over)

    assert over == [False] * 7 + [True]
