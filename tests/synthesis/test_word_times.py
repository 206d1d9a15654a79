import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.synthesis.segment import Segment, SegmentWord
from primavoce.synthesis.word_times import LAST_PHONEME_S, without_silence, word_times


def test_a_word_lasts_as_long_as_its_phonemes() -> None:
    words = [SegmentWord(0, 2, 0, 2), SegmentWord(3, 6, 3, 6)]
    durations_s = [0.5, 0.1, 0.1, 0.05, 0.2, 0.2, 0.2, 0.3]  # pad, two, a space, three, pad

    first, second = word_times(words, durations_s, origin_s=10.0, from_s=10.0)

    assert (first.start_s, first.end_s) == pytest.approx((10.5, 10.7))
    assert (second.start_s, second.end_s) == pytest.approx((10.75, 11.35))


def test_words_of_one_written_thing_are_one() -> None:
    """$5 is read as two words."""
    words = [SegmentWord(0, 3, 0, 1), SegmentWord(4, 6, 1, 2), SegmentWord(4, 6, 2, 3), SegmentWord(7, 9, 3, 4)]

    times = word_times(words, [0.0, 1.0, 1.0, 1.0, 1.0, 0.0], origin_s=0.0, from_s=0.0)

    assert [(time.start, time.end, time.start_s, time.end_s) for time in times] == [
        (0, 3, 0.0, 1.0),
        (4, 6, 1.0, 3.0),
        (7, 9, 3.0, 4.0),
    ]


def test_no_word_begins_before_its_sound() -> None:
    (time,) = word_times([SegmentWord(0, 1, 0, 1)], [0.1, 0.4, 0.0], origin_s=0.8, from_s=1.0)

    assert (time.start_s, time.end_s) == pytest.approx((1.0, 1.3))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=20), st.data())
def test_times_grow(lengths: list[int], data: st.DataObject) -> None:
    count = sum(lengths)
    durations_s = data.draw(st.lists(st.floats(0.025, 0.5), min_size=count + 2, max_size=count + 2))
    words, first = [], 0
    for number, length in enumerate(lengths):
        words.append(SegmentWord(number, number + 1, first, first + length))
        first += length

    times = word_times(words, durations_s, origin_s=0.0, from_s=0.0)

    moments = [moment for time in times for moment in (time.start_s, time.end_s)]
    assert moments == sorted(moments)
    assert moments[-1] <= sum(durations_s) + 1e-9


def segment(phonemes: str, *words: SegmentWord) -> Segment:
    return Segment(0, 10, phonemes, words, 0.0)


def test_silence_that_the_model_counts_to_the_last_word_is_taken_off() -> None:
    durations_s = [0.3, 0.1, 0.1, 0.05, 0.1, 0.6, 0.2, 0.3]  # pad, two, a space, two, a mark, pad

    found = without_silence(segment("ab cd.", SegmentWord(0, 2, 0, 2), SegmentWord(3, 5, 3, 5)), durations_s)

    assert found == [*durations_s[:5], LAST_PHONEME_S, *durations_s[6:]]


def test_a_length_mark_is_a_part_of_the_phoneme_before_it() -> None:
    found = without_silence(segment("baː", SegmentWord(0, 2, 0, 3)), [0.3, 0.1, 0.12, 0.5, 0.1])

    assert found == pytest.approx([0.3, 0.1, 0.12, LAST_PHONEME_S - 0.12, 0.1])


def test_a_short_last_phoneme_is_as_long_as_it_is() -> None:
    durations_s = [0.3, 0.1, 0.1, 0.1]

    assert without_silence(segment("ab", SegmentWord(0, 2, 0, 2)), durations_s) == durations_s


def test_a_segment_without_words_stays_as_it_is() -> None:
    assert without_silence(segment("ab"), [0.3, 0.1, 0.9, 0.1]) == [0.3, 0.1, 0.9, 0.1]
