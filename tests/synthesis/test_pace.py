import pytest

from primavoce.synthesis.pace import MARGIN, Average, Pace


def average() -> Average:
    return Average(0.04, remembered=100)


def test_the_first_measure_replaces_the_guess() -> None:
    rate = average()

    rate.note(100, 1.0)

    assert rate.value == pytest.approx(0.01)


def test_later_measures_move_it_by_degrees_and_in_the_end_altogether() -> None:
    rate = average()
    rate.note(100, 1.0)

    rate.note(100, 2.0)
    soon = rate.value
    for _ in range(20):
        rate.note(100, 2.0)

    assert 0.015 < soon < 0.02
    assert rate.value == pytest.approx(0.02)


def test_a_measure_counts_by_how_much_was_made() -> None:
    rate = average()
    rate.note(300, 3.0)

    for _ in range(3):
        rate.note(1, 0.1)

    assert 0.01 < rate.value < 0.014


@pytest.mark.parametrize("measure", [(0, 1.0), (10, 0.0), (10, -1.0)])
def test_what_measures_nothing_is_ignored(measure: tuple[int, float]) -> None:
    rate = average()

    rate.note(*measure)

    assert (rate.value, rate.measured) == (0.04, False)


def test_a_segment_may_be_as_long_as_its_first_sound_takes() -> None:
    pace = Pace()
    pace.note_first(60, 0.3)

    assert pace.phonemes_within(1.0) == pytest.approx(200)


def test_a_part_may_be_as_long_as_it_takes() -> None:
    pace = Pace()
    pace.note_part(2.0, 0.5)

    assert pace.audio_within(1.0) == pytest.approx(4.0)


def test_the_real_time_factor_is_unknown_before_anything_was_measured() -> None:
    pace = Pace()
    before = pace.s_per_audio_s
    pace.note_segment(4.0, 1.0)

    assert (before, pace.s_per_audio_s) == (None, pytest.approx(0.25))


@pytest.mark.parametrize(("in_hand_s", "work_s"), [(-1.0, 0.0), (0.0, 0.0), (2.0, 2.0 * MARGIN)])
def test_work_takes_a_share_of_what_is_in_hand(in_hand_s: float, work_s: float) -> None:
    assert Pace().share_of(in_hand_s) == work_s
