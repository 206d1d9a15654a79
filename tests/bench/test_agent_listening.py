"""What a listener reads and hears of an answer, and when."""

import base64

import pytest

from primavoce.bench.agent_listening import AnswerFigures, AnswerHeard, AnswerListener
from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.errors import ProtocolViolation, RequestFailed, SessionBroken, SynthesisFailed

TONE = b"\x00\x20\x00\xe0" * (SAMPLE_RATE // 4)
"""Half a second."""
SILENCE = bytes(SAMPLE_RATE)
"""Half a second."""


def audio(pcm: bytes) -> dict[str, object]:
    return {"type": "audio_chunk", "seq": 0, "data": base64.b64encode(pcm).decode()}


def text(delta: str) -> dict[str, object]:
    return {"type": "text_delta", "seq": 0, "text": delta}


START = {"type": "audio_stream_start", "format": "pcm16", "voice": "af_heart", "sample_rate": SAMPLE_RATE}
END = {"type": "agent_end", "timings": {}}


def heard(*events: tuple[dict[str, object], float]) -> AnswerListener:
    listener = AnswerListener()
    for event, at_s in events:
        listener.take(event, at_s)
    return listener


def test_each_moment_is_when_the_event_came() -> None:
    listener = heard(
        ({"type": "agent_start", "mode": "stream"}, 0.01), (text("Well. "), 0.4), (text("So be it."), 0.9),
        (START, 1.0), (audio(SILENCE), 1.0), (audio(TONE), 1.25), (END, 3.0),
    )  # fmt: skip

    assert listener.ended
    assert listener.end() == AnswerHeard(0.4, 0.9, 1.0, 1.5, 3.0, 1.0, 0.0, "af_heart", "Well. So be it.")


def test_a_listener_who_runs_dry_has_waited() -> None:
    listener = heard((text("Well."), 0.1), (START, 1.0), (audio(TONE), 1.0), (audio(TONE), 1.75), (END, 2.0))

    assert listener.end().stalled_s == pytest.approx(0.25)


def test_unknown_events_are_none_of_its_business() -> None:
    listener = heard(({"type": "applause"}, 0.1), ({}, 0.2), ({"type": "audio_chunk"}, 0.3))

    assert not listener.ended


@pytest.mark.parametrize(
    ("event", "error"),
    [
        ({"type": "error", "code": "model_throttled", "message": "later", "retryable": True}, RequestFailed),
        ({"type": "cancelled", "spoken_text": ""}, ProtocolViolation),
        ({**START, "sample_rate": 8000}, ProtocolViolation),
        ({"type": "audio_chunk", "data": "no base64!"}, ProtocolViolation),
        ({"type": "audio_chunk", "data": "Grüße"}, ProtocolViolation),
    ],
)
def test_what_is_no_answer_is_an_error(event: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        AnswerListener().take(event, 0.1)


@pytest.mark.parametrize(
    ("events", "error"),
    [
        ([(text("Well."), 0.1), (START, 0.2), (audio(TONE), 0.3)], SessionBroken),
        ([(text("Well."), 0.1), (START, 0.2), (audio(SILENCE), 0.3), (END, 0.4)], SynthesisFailed),
        ([(START, 0.2), (audio(TONE), 0.3), (END, 0.4)], SessionBroken),
    ],
)
def test_half_an_answer_is_no_measurement(
    events: list[tuple[dict[str, object], float]], error: type[Exception]
) -> None:
    with pytest.raises(error):
        heard(*events).end()


def test_figures_are_of_every_trial() -> None:
    trials = [AnswerHeard(0.1, 0.5, 1.0, 1.1, 4.0, 8.0, 0.0, "af_heart", "Yes." * count) for count in (1, 2, 3)]

    figures = AnswerFigures.of(trials)

    assert figures.characters == (4, 8, 12)
    assert (figures.first_sound_s.median, figures.first_sound_s.n) == (1.1, 3)
