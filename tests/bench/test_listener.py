"""Hearing an answer, and noticing gaps; by a clock of the test's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.listener import Listener

TENTH = b"\x00\x20\x00\xe0" * (SAMPLE_RATE // 20)
SILENCE = bytes(SAMPLE_RATE // 5)  # a tenth of a second


def second(count: float = 1.0) -> bytes:
    return TENTH * round(count * 10)


def listening(*certain: tuple[int, float]) -> Listener:
    """Return somebody to whom sentences become certain: (where it ends, when)."""
    listener = Listener()
    for end, at_s in certain:
        listener.know(end, at_s)
    return listener


def test_audio_that_comes_before_the_one_before_is_heard_leaves_no_gap() -> None:
    listener = listening((20, 100.0))

    listener.take(second(), 100.5)
    listener.take(second(), 101.0)
    listener.take(second(), 102.5)

    assert listener.underruns == []
    assert listener.dry_at_s == pytest.approx(103.5)


def test_audio_of_a_certain_sentence_that_comes_after_the_listener_ran_dry_is_an_underrun() -> None:
    listener = listening((20, 100.0))

    listener.take(second(), 100.5)
    listener.take(second(), 101.7)

    assert listener.underruns == [pytest.approx(0.2)]
    assert listener.dry_at_s == pytest.approx(102.7)


def test_a_gap_that_a_sound_card_bridges_is_none() -> None:
    listener = listening((20, 100.0))

    listener.take(second(), 100.5)
    listener.take(second(), 101.508)

    assert listener.underruns == []


def test_text_that_comes_after_the_listener_ran_dry_explains_the_gap() -> None:
    listener = listening((20, 100.0))

    listener.expect(0)
    listener.take(second(), 100.5)
    listener.know(60, 101.6)
    listener.expect(21)
    listener.take(second(), 102.0)

    assert listener.underruns == []


def test_text_that_came_just_before_the_listener_ran_dry_explains_nothing() -> None:
    listener = listening((20, 100.0), (60, 101.4))

    listener.expect(0)
    listener.take(second(), 100.5)
    listener.expect(21)
    listener.take(second(), 102.0)

    assert listener.underruns == [pytest.approx(0.5)]


def test_within_a_segment_late_text_of_the_next_sentence_explains_nothing() -> None:
    listener = listening((20, 100.0))

    listener.expect(0)
    listener.take(second(), 100.5)
    listener.know(60, 101.6)
    listener.take(second(), 102.0)

    assert listener.underruns == [pytest.approx(0.5)]


def test_the_first_of_several_sentences_in_a_segment_decides() -> None:
    listener = listening((20, 100.0), (40, 101.0))

    listener.expect(0)
    listener.take(second(), 100.5)
    listener.know(60, 101.9)
    listener.expect(21)  # up to 60
    listener.take(second(2), 102.0)

    assert listener.underruns == [pytest.approx(0.5)]


def test_a_later_part_of_a_long_sentence_belongs_to_it() -> None:
    listener = listening((200, 100.0))

    listener.expect(0)
    listener.take(second(), 100.5)
    listener.expect(90)
    listener.take(second(), 101.6)

    assert listener.underruns == [pytest.approx(0.1)]


def test_the_first_sound_counts_from_the_first_sentence_and_silence_is_waiting() -> None:
    listener = listening((20, 100.0), (60, 101.0))

    listener.take(SILENCE + TENTH, 100.4)

    assert listener.first_sound_s == pytest.approx(0.5)


def test_before_any_audio_there_is_no_sound_no_gap_and_nothing_heard() -> None:
    listener = listening((20, 100.0))

    assert listener.first_sound_s is None
    assert listener.dry_at_s is None
    assert listener.heard_s(200.0) == 0.0


def test_what_was_heard_leaves_out_gaps_and_what_is_in_hand() -> None:
    listener = listening((20, 100.0))

    listener.take(second(), 100.0)
    assert listener.heard_s(100.25) == pytest.approx(0.25)
    assert listener.heard_s(105.0) == pytest.approx(1.0)

    listener.take(second(3), 106.0)
    assert listener.heard_s(107.0) == pytest.approx(2.0)


arrivals = st.lists(st.tuples(st.integers(1, 20), st.floats(min_value=0.0, max_value=3.0)), min_size=1, max_size=12)


@given(arrivals)
def test_all_time_since_the_first_audio_is_heard_or_a_gap_or_in_hand(parts: list[tuple[int, float]]) -> None:
    listener = listening((20, 0.0))
    now_s = 1.0

    for tenths, wait_s in parts:
        listener.take(TENTH * tenths, now_s)
        last_s, now_s = now_s, now_s + wait_s

    audio_s = sum(tenths for tenths, _ in parts) / 10
    assert listener.heard_s(last_s) <= audio_s + 1e-6
    assert listener.heard_s(last_s + audio_s) == pytest.approx(audio_s, abs=1e-6)
    assert listener.dry_at_s is not None
    noticed_s = sum(listener.underruns)
    unnoticed_s = 0.01 * len(parts)
    assert 1.0 + audio_s + noticed_s - 1e-6 <= listener.dry_at_s <= 1.0 + audio_s + noticed_s + unnoticed_s
