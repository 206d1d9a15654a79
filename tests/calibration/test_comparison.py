"""Two recordings of one segment, and what many of them say together; and the texts that they may be judged by."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.calibration.comparison import Comparison, Summary, compare
from primavoce.calibration.heldout import held_out, held_out_texts
from primavoce.errors import UnknownLanguage
from primavoce.kokoro.log_mel import frame_distances, log_mel_distance
from primavoce.languages import LANGUAGES

SECOND = 24_000


def noise(seconds: float = 3.0, *, level: float = 0.1, seed: int = 1) -> np.ndarray:
    return (level * np.random.default_rng(seed).standard_normal(round(seconds * SECOND))).astype(np.float32)


def test_a_recording_is_not_apart_from_itself() -> None:
    assert compare(noise(), noise()) == Comparison(0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(("factor", "decibels"), [(2.0, 6.02), (0.5, -6.02), (1.122, 1.0)])
def test_a_louder_recording_is_apart_by_its_level_in_every_measure(factor: float, decibels: float) -> None:
    found = compare(noise(), noise() * np.float32(factor))

    assert found.level_db == pytest.approx(decibels, abs=0.01)
    assert found.distance_db == pytest.approx(abs(decibels), abs=0.01)
    assert found.worst_half_second_db == pytest.approx(abs(decibels), abs=0.01)
    assert found.peak_ratio == pytest.approx(factor, rel=1e-3)


def test_one_bad_half_second_is_found_in_a_long_recording() -> None:
    whole, windowed = noise(10), noise(10)
    windowed[5 * SECOND : 5 * SECOND + SECOND // 2] *= 2

    found = compare(whole, windowed)

    assert 0.2 < found.distance_db < 0.5
    assert found.worst_half_second_db == pytest.approx(6.02, abs=0.3)


def test_a_click_shows_in_the_peak() -> None:
    whole, windowed = noise(), noise()
    windowed[100] = 3 * np.abs(whole).max()

    assert compare(whole, windowed).peak_ratio == pytest.approx(3, rel=1e-3)


def test_a_recording_shorter_than_half_a_second_is_its_own_worst() -> None:
    found = compare(noise(0.2), noise(0.2, seed=2))

    assert found.worst_half_second_db == pytest.approx(found.distance_db)
    assert found.distance_db > 1


def test_two_silences_are_alike() -> None:
    silence = np.zeros(SECOND, np.float32)

    assert compare(silence, silence) == Comparison(0.0, 0.0, 0.0, 1.0)


def test_recordings_of_different_lengths_are_of_no_one_segment() -> None:
    with pytest.raises(ValueError, match="24000 and 48000 samples"):
        compare(noise(1), noise(2))


@given(st.integers(min_value=0, max_value=5000), st.integers(min_value=1, max_value=2**31))
def test_the_worst_half_second_is_never_better_than_the_mean_of_a_short_recording(size: int, seed: int) -> None:
    one, other = (noise(size / SECOND, seed=each) for each in (seed, seed + 1))

    found = compare(one, other)

    assert found.worst_half_second_db >= found.distance_db - 1e-9


def test_the_distance_of_two_recordings_is_the_mean_of_their_frames() -> None:
    one, other = noise(), noise(seed=2)

    assert log_mel_distance(one, other) == frame_distances(one, other).mean()
    assert frame_distances(one, other).size == (one.size - 1024) // 256 + 1


def measured(distance: float, *, worst: float = 1.0, level: float = 0.0, peak: float = 1.0) -> Comparison:
    return Comparison(distance, worst, level, peak)


def test_a_summary_has_the_mean_the_percentile_and_the_most() -> None:
    summary = Summary.of([measured(float(number)) for number in range(101)])

    assert summary.segments == 101
    assert (summary.distance_db.mean, summary.distance_db.p95, summary.distance_db.max) == (50.0, 95.0, 100.0)


def test_levels_above_and_below_do_not_make_up_for_each_other() -> None:
    summary = Summary.of([measured(0.5, level=1.0), measured(0.5, level=-1.0)])

    assert summary.level_db.mean == 1.0


@pytest.mark.parametrize(
    ("comparisons", "above_floor", "reaches_goals"),
    [
        ([measured(0.7)], True, True),
        ([measured(0.71)], True, False),
        ([measured(1.0)], True, False),
        ([measured(1.01)], False, False),
        ([measured(0.3), *[measured(0.3)] * 8, measured(2.5)], True, False),
        ([measured(0.5), measured(0.5, worst=2.6)], True, False),
        ([measured(0.5), measured(0.5, peak=1.11)], True, False),
        ([measured(float("nan"))], False, False),
    ],
)
def test_goals_and_the_floor_are_what_was_agreed(
    comparisons: list[Comparison], above_floor: bool, reaches_goals: bool
) -> None:
    summary = Summary.of(comparisons)

    assert (summary.above_floor, summary.reaches_goals) == (above_floor, reaches_goals)


def test_no_comparison_is_no_summary() -> None:
    with pytest.raises(ValueError, match="no comparison"):
        Summary.of([])


def test_one_text_in_eight_is_held_out_whatever_the_language() -> None:
    assert [index for index in range(20) if held_out(index)] == [3, 11, 19]
    assert {len(held_out_texts(language)) for language in LANGUAGES} == {13}


def test_both_englishes_have_the_same_texts_and_other_languages_their_own() -> None:
    assert held_out_texts("en-gb") == held_out_texts("en-us")
    assert len({held_out_texts(language) for language in LANGUAGES}) == len(LANGUAGES) - 1


def test_a_language_that_is_not_spoken_has_no_texts() -> None:
    with pytest.raises(UnknownLanguage):
        held_out_texts("tlh")
