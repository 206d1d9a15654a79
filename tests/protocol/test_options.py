"""A request's options, and the age of its time stamp."""

import math

import pytest

from primavoce.errors import InvalidField, RequestStale
from primavoce.protocol.options import MOST_AHEAD_S, check_age

NOW = 1_800_000_000.0


@pytest.mark.parametrize("timestamp", [None, NOW, NOW - 56.0, NOW + 5.0, NOW + MOST_AHEAD_S])
def test_a_young_request_passes_and_so_does_one_whose_clock_is_ahead(timestamp: float | None) -> None:
    check_age(timestamp, now=NOW, limit_s=56.0)


@pytest.mark.parametrize("timestamp", [NOW - 56.01, 0.0, 1.0])
def test_an_old_request_is_stale(timestamp: float) -> None:
    with pytest.raises(RequestStale):
        check_age(timestamp, now=NOW, limit_s=56.0)


@pytest.mark.parametrize("timestamp", [-1.0, math.nan, math.inf, -math.inf, NOW * 1000, NOW + MOST_AHEAD_S + 1])
def test_what_is_no_moment_in_seconds_is_refused_as_such(timestamp: float) -> None:
    with pytest.raises(InvalidField, match="request_timestamp"):
        check_age(timestamp, now=NOW, limit_s=56.0)
