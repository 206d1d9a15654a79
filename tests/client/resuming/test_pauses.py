"""The pauses between sentences, and the times of segments, wherever an utterance is broken off: without a link."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from primavoce.client.resuming.asked import AskedUtterance
from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.messages import End, Flush, SegmentSpoken, SynthesisComplete, Text, WordsSpoken
from tests.client.resuming.spoken import (
    BOTH,
    RATE,
    audio,
    complete,
    first_segment,
    hear,
    seconds,
    segment,
    start,
    utterance,
    words,
)

TEXT = "One two, three. Four five six seven? Eight: nine ten!"
PAUSES_S = {",": 0.15, ".": 0.3, "?": 0.32, "!": 0.3, ":": 0.25}
PART_S = 0.05
"""Of audio that comes at a time."""
LETTER_S = 0.1


@dataclass(frozen=True)
class Word:
    text: str
    start: int
    until: int
    """With its mark."""

    @property
    def pause_s(self) -> float:
        """After it; between two without a mark, there is none."""
        return PAUSES_S.get(TEXT[self.until - 1], 0.0)

    @property
    def lasts_s(self) -> float:
        return LETTER_S * len(self.text)


WORDS = [Word(found[1], found.start(), found.end()) for found in re.finditer(r"(\w+)[^\w\s]?", TEXT)]
WHOLE_S = sum(word.lasts_s + word.pause_s for word in WORDS) - WORDS[-1].pause_s


def speaking(base: int, ends: set[int], tail_s: float = 0.0) -> Iterator[ClientEvent]:
    """Speak the text from ``base`` on as the server does: a pause goes out with the segment after it.

    Args:
        base: Where it begins.
        ends: Numbers of the words that end a segment.
        tail_s: What is heard of each segment after its last word.
    """
    yield start()
    left = [word for word in WORDS if word.start >= base]
    at_s, pause_s, index = 0.0, 0.0, 0
    while left:
        count = next((n for n, word in enumerate(left, 1) if WORDS.index(word) in ends), len(left))
        spoken, left = left[:count], left[count:]
        begins_s = at_s = at_s + pause_s
        told = []
        for word in spoken:
            told.append((word.text, word.start - base, at_s, at_s + word.lasts_s))
            at_s += word.lasts_s + word.pause_s
        at_s += tail_s - spoken[-1].pause_s
        yield segment(index, TEXT[spoken[0].start : spoken[-1].until], spoken[0].start - base, begins_s)
        yield words(index, *told)
        lasts = round((at_s - begins_s + pause_s) * RATE)
        for place in range(0, lasts, round(PART_S * RATE)):
            yield audio(min(round(PART_S * RATE), lasts - place) / RATE)
        pause_s, index = spoken[-1].pause_s, index + 1
    yield complete()


def begun() -> ResumableUtterance:
    asked = ResumableUtterance("1", Text(text=TEXT, request_id="1", events=BOTH))
    asked.say(End("1"))
    asked.asking()
    return asked


def base_of(messages: list) -> int:
    """Return where the text begins that is asked for."""
    return len(TEXT) - len(next(message.text for message in messages if isinstance(message, Text)))


def resumed(asked: ResumableUtterance, ends: set[int], tail_s: float = 0.0) -> list[ClientEvent]:
    """Ask for the rest, and hear all of it."""
    messages = asked.asking()
    return hear(asked, *speaking(base_of(messages), ends, tail_s)) if messages else []


SENTENCES = {2, 6, 9}


@pytest.mark.parametrize("told", [0, 1, 2, 4], ids=["nothing", "the segment", "its words", "some of its pause"])
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("tail_s", [0.0, 0.1])
def test_the_pause_before_a_sentence_is_heard_whole_when_it_begins_a_session(
    number: int, told: int, tail_s: float
) -> None:
    asked = begun()
    events = list(speaking(0, SENTENCES, tail_s))
    begins = [place for place, event in enumerate(events) if isinstance(event, SegmentSpoken)][number]

    heard = [*hear(asked, *events[: begins + told]), *resumed(asked, SENTENCES, tail_s)]

    assert isinstance(heard[-1], SynthesisComplete)
    assert seconds(heard) == pytest.approx(WHOLE_S + 3 * tail_s)
    assert times_of_words(heard) == pytest.approx(times_of_words(hear(begun(), *speaking(0, SENTENCES, tail_s))))


def times_of_words(events: list[ClientEvent]) -> list[float]:
    return [word.start_s for event in events if isinstance(event, WordsSpoken) for word in event.words]


def segments(events: list[ClientEvent]) -> list[SegmentSpoken]:
    return [event for event in events if isinstance(event, SegmentSpoken)]


SEGMENTATIONS = st.sets(st.integers(0, len(WORDS) - 1))


@given(
    sessions=st.lists(st.tuples(SEGMENTATIONS, st.integers(0, 120)), min_size=1, max_size=4),
    last=SEGMENTATIONS,
)
@example(sessions=[(SENTENCES, 20)], last=set())  # the segment with the word to go on from reaches beyond what was told
@example(sessions=[({3}, 12)], last=set())  # in the middle of a sentence no pause is heard
def test_wherever_it_is_cut_and_however_its_segments_are_each_word_and_segment_has_its_time(
    sessions: list[tuple[set[int], int]], last: set[int]
) -> None:
    asked = begun()
    heard: list[ClientEvent] = []
    for ends, events in [*sessions, (last, None)]:
        if messages := asked.asking():
            heard += hear(asked, *list(speaking(base_of(messages), ends))[:events])

    assert seconds(heard) == pytest.approx(WHOLE_S)
    assert times_of_words(heard) == pytest.approx(times_of_words(hear(begun(), *speaking(0, SENTENCES))))
    starts = [each.start_s for each in segments(heard)]
    assert starts == sorted(starts)
    begins = dict(zip([word.start for word in WORDS], times_of_words(heard), strict=True))
    first_words = [min(place for place in begins if place >= each.start) for each in segments(heard)]
    assert starts == pytest.approx([begins[place] for place in first_words])


def test_where_a_sentence_begins_that_was_joined_to_the_one_that_broke_off_is_told_by_its_first_word() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.asking()

    told = hear(
        asked,
        segment(0, "One two. Three.", 0, 0.0),
        words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0), ("Three", 9, 1.3, 1.7)),
        audio(1.8),
    )

    assert [(each.text, each.start_s) for each in segments(told)] == [(" Three.", 1.3)]


def test_a_segment_of_which_nothing_is_told_but_marks_follows_the_last_word() -> None:
    asked = utterance("One two. ```x```")
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.asking()

    told = hear(
        asked,
        segment(0, "One two. ```x```", 0, 0.0),
        words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0)),
        audio(1.8),
        complete(),
    )

    assert [(each.text, each.start_s) for each in segments(told)] == [(" ```x```", 1.0)]


def test_a_segment_of_which_no_words_are_told_is_told_before_its_audio() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(1.1))
    asked.asking()

    told = hear(asked, segment(0, "One two. Three.", 0, 0.0), audio(1.8))

    assert [type(event) for event in told] == [SegmentSpoken, Audio]


@pytest.mark.parametrize(("delivered_s", "heard_s"), [(0.0, 0.55), (0.2, 0.35), (0.55, 0.0)])
def test_a_pause_that_was_told_of_is_heard_as_long_as_it_was(delivered_s: float, heard_s: float) -> None:
    asked = utterance("# One two\nThree.")
    hear(asked, start(), segment(0, "One two", 2, 0.0), words(0, ("One", 2, 0.1, 0.5), ("two", 6, 0.6, 1.0)))
    hear(asked, audio(1.0), segment(1, "Three.", 10, 1.55))
    if delivered_s:
        hear(asked, audio(delivered_s))
    asked.asking()

    told = hear(asked, segment(0, "Three.", 0, 0.0), words(0, ("Three", 0, 0.1, 0.6)), audio(0.7))

    assert seconds(told) == pytest.approx(heard_s + 0.7)
    assert [word.start_s for event in told if isinstance(event, WordsSpoken) for word in event.words] == [1.65]


@pytest.mark.parametrize(("told", "heard_s"), [(False, 2.0), (True, 1.5)])
def test_a_pause_that_the_text_asks_for_is_not_added_to_the_one_of_the_mark(told: bool, heard_s: float) -> None:
    asked = utterance("One two. <break/> Three.")
    first_segment(asked)
    hear(asked, audio(1.0), *([segment(1, "Three.", 18, 3.0), audio(0.5)] if told else []))
    asked.asking()

    # The session pauses for the text's sake alone.
    heard = hear(asked, segment(0, "Three.", 10, 2.0), words(0, ("Three", 10, 2.1, 2.6)), audio(2.7))

    assert seconds(heard) == pytest.approx(heard_s + 0.7)


def test_silence_is_put_in_as_its_format_has_it() -> None:
    asked = utterance(format="mulaw")
    hear(asked, structs.replace(start("mulaw"), sample_rate=8000, sample_width=1))
    hear(asked, segment(0, "One two.", 0, 0.0), words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0)))
    hear(asked, Audio("1", b"\x01" * 8000))
    asked.asking()

    told = hear(asked, segment(0, "Three.", 0, 0.0), words(0, ("Three", 0, 0.1, 0.6)), Audio("1", b"\x01" * 100))

    assert told[-1] == Audio("1", b"\xff" * 2400 + b"\x01" * 100)


@pytest.mark.parametrize(
    ("before", "after", "seconds"),
    [
        ("One.", " Two.", 0.30),
        ("“One?” ", "Two.", 0.32),
        ("One…", " two.", 0.35),
        ("one,", " two.", 0.15),
        ("one", " two.", 0.0),
        ("One", "\n\nTwo.", 0.35),
        ("One\n", "Two.", 0.35),
        ("", "One.", 0.0),
    ],
)
def test_the_pause_at_a_place_is_that_of_its_mark_or_of_a_line_and_inside_of_a_sentence_none(
    before: str, after: str, seconds: float
) -> None:
    assert AskedUtterance("1", Text(text=before + after)).pause_at(len(before)) == seconds


def test_there_is_a_pause_where_all_was_to_be_spoken() -> None:
    asked = AskedUtterance("1", Text(text="One"))
    asked.take(Flush("1"))
    asked.take(Text(text=" two three"))

    assert [asked.pause_at(len(text)) for text in ("One", "One ", "One two")] == [0.35, 0.35, 0.0]
