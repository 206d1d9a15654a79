"""What many trials say together."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.bench.tail import Tail, percentile

values = st.lists(st.floats(min_value=0.0, max_value=1000.0), min_size=1)


def test_a_tail_has_the_median_the_ends_the_slow_ones_and_the_count() -> None:
    assert Tail.of(range(1, 101)) == Tail(median=50.5, min=1, max=100, p95=95, n=100)


@pytest.mark.parametrize(
    ("found", "share", "expected"),
    [
        ([3.0], 0.95, 3.0),
        ([1.0, 2.0], 0.5, 1.0),
        ([2.0, 1.0, 3.0], 0.5, 2.0),
        ([1.0, 2.0], 0.95, 2.0),
        ([float(number) for number in range(20)], 0.95, 18.0),
        ([1.0, 2.0], 0.0, 1.0),
    ],
)
def test_a_percentile_is_one_of_the_values(found: list[float], share: float, expected: float) -> None:
    assert percentile(found, share) == expected


@given(values, st.floats(min_value=0.01, max_value=1.0))
def test_a_percentile_is_not_exceeded_by_its_share_and_no_smaller_value_is(found: list[float], share: float) -> None:
    least = percentile(found, share)

    wanted = math.ceil(share * len(found))
    assert sum(value <= least for value in found) >= wanted
    assert sum(value < least for value in found) < wanted


def test_what_takes_microseconds_keeps_more_decimals() -> None:
    assert Tail.of([0.0000123456], digits=9).median == 0.000012346
    assert Tail.of([0.0000123456]).median == 0.000012


def test_no_trial_has_no_tail() -> None:
    with pytest.raises(ValueError, match="no trial"):
        Tail.of([])
