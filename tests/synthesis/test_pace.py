import pytest

from primavoce.synthesis.pace import MARGIN, Pace


def test_the_first_measure_replaces_the_guess() -> None:
    pace = Pace()

    pace.note(100, 1.0)

    assert pace.affordable(10.0) == pytest.approx(10.0 * MARGIN * 100, abs=1)


def test_later_measures_move_it_by_degrees() -> None:
    pace = Pace()
    pace.note(100, 1.0)

    pace.note(100, 2.0)

    assert 10.0 * MARGIN * 50 < pace.affordable(10.0) < 10.0 * MARGIN * 100


@pytest.mark.parametrize("measure", [(0, 1.0), (10, 0.0), (10, -1.0)])
def test_what_measures_nothing_is_ignored(measure: tuple[int, float]) -> None:
    pace = Pace()
    before = pace.affordable(5.0)

    pace.note(*measure)

    assert pace.affordable(5.0) == before


def test_without_audio_in_hand_nothing_is_affordable() -> None:
    assert Pace().affordable(-1.0) == 0
