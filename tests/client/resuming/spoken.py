"""What a server says of an utterance, event by event, and what is heard of it: without a link."""

from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.messages import (
    SegmentSpoken,
    SynthesisComplete,
    SynthesisStart,
    Text,
    WordSpoken,
    WordsSpoken,
)

RATE, SECOND = 24_000, 48_000
BOTH = ("segments", "words")


def start(audio_format: str = "pcm") -> SynthesisStart:
    return SynthesisStart(
        request_id="1", voice="af_heart", format=audio_format, sample_rate=RATE, session_ends_in_s=100.0
    )


def segment(index: int, text: str, begin: int, at_s: float) -> SegmentSpoken:
    return SegmentSpoken(request_id="1", index=index, text=text, start=begin, end=begin + len(text), start_s=at_s)


def words(index: int, *told: tuple[str, int, float, float]) -> WordsSpoken:
    spoken = tuple(
        WordSpoken(text=text, start=at, end=at + len(text), start_s=from_s, end_s=to_s)
        for text, at, from_s, to_s in told
    )
    return WordsSpoken(request_id="1", index=index, words=spoken)


def audio(seconds: float, fill: bytes = b"\x01\x00") -> Audio:
    return Audio("1", fill * round(seconds * RATE))


def complete() -> SynthesisComplete:
    return SynthesisComplete(
        request_id="1",
        total_duration_s=9.0,
        elapsed_s=1.0,
        time_to_first_audio_s=0.1,
        queued_s=0.0,
        real_time_factor=0.5,
        segments=9,
        characters=9,
    )


def utterance(text: str = "One two. Three.", *, events: tuple = BOTH, **options: object) -> ResumableUtterance:
    asked = ResumableUtterance("1", Text(text=text, request_id="1", events=events, **options))  # type: ignore[arg-type]
    asked.asking()
    return asked


def hear(asked: ResumableUtterance, *events: ClientEvent) -> list[ClientEvent]:
    return [told for event in events for told in asked.hear(event)]


def first_segment(asked: ResumableUtterance) -> list[ClientEvent]:
    """Hear "One two.", of which "One" lasts from 0.1 to 0.5 s and "two" from 0.6 to 1."""
    return hear(asked, start(), segment(0, "One two.", 0, 0.0), words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0)))


def texts(messages: list) -> list[str]:
    return [message.text for message in messages if isinstance(message, Text)]


def seconds(events: list[ClientEvent]) -> float:
    return sum(len(event.pcm) for event in events if isinstance(event, Audio)) / SECOND
