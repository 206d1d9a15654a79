"""What several trials say together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.bench.spread import LagFit, Spread, ratio

seconds = st.floats(min_value=0.001, max_value=1000.0)


def test_a_spread_has_the_median_the_ends_and_the_count() -> None:
    assert Spread.of([3.0, 1.0, 10.0]) == Spread(median=3.0, min=1.0, max=10.0, n=3)


def test_the_median_of_two_trials_lies_between_them() -> None:
    assert Spread.of([1.0, 2.0]).median == 1.5


def test_what_no_two_trials_agree_on_is_rounded_away() -> None:
    assert Spread.of([0.12345678]).median == 0.123457


def test_no_trial_has_no_spread() -> None:
    with pytest.raises(ValueError, match="no trial"):
        Spread.of([])


@given(st.lists(seconds, min_size=1))
def test_the_median_is_between_the_least_and_the_most(values: list[float]) -> None:
    found = Spread.of(values)

    assert found.min <= found.median <= found.max
    assert found.n == len(values)


@given(st.permutations([0.5, 1.0, 2.5, 7.0]))
def test_the_order_of_trials_makes_no_difference(values: list[float]) -> None:
    assert Spread.of(values) == Spread.of(sorted(values))


def test_a_ratio_is_median_by_median() -> None:
    assert ratio(Spread(1.0, 0.1, 9.0, 3), Spread(4.0, 0.1, 9.0, 3)) == 0.25


@given(st.floats(min_value=0.05, max_value=2.0), st.floats(min_value=0.001, max_value=0.05))
def test_a_fit_finds_the_line_that_the_lags_are_on(base_s: float, slope: float) -> None:
    phonemes = [20, 60, 150, 300]

    fit = LagFit.through(phonemes, [base_s + slope * count for count in phonemes])

    assert fit.base_s == pytest.approx(base_s, abs=1e-4)
    assert fit.s_per_phoneme == pytest.approx(slope, abs=1e-5)
    assert fit.at(100) == pytest.approx(base_s + 100 * slope, abs=2e-3)


def test_a_fit_has_the_least_squares() -> None:
    fit = LagFit.through([0, 10, 20], [1.0, 4.0, 4.0])

    assert (fit.base_s, fit.s_per_phoneme) == (1.5, 0.15)


def test_one_length_makes_no_line() -> None:
    with pytest.raises(ValueError, match="two different lengths"):
        LagFit.through([20, 20], [1.0, 2.0])
