"""How fast messages are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.protocol.rate import TokenBucket


def test_a_burst_waits_for_nothing_and_what_follows_for_its_turn() -> None:
    bucket = TokenBucket(per_s=10.0, burst=3, now=0.0)

    waits_s = [bucket.take(now=0.0) for _ in range(5)]

    assert waits_s == pytest.approx([0.0, 0.0, 0.0, 0.1, 0.2])


def test_a_pause_fills_it_again_but_not_beyond_its_burst() -> None:
    bucket = TokenBucket(per_s=10.0, burst=2, now=0.0)
    assert [bucket.take(now=0.0) for _ in range(2)] == [0.0, 0.0]

    waits_s = [bucket.take(now=1000.0) for _ in range(3)]

    assert waits_s == pytest.approx([0.0, 0.0, 0.1])


def test_a_clock_that_goes_back_gives_nothing_twice() -> None:
    bucket = TokenBucket(per_s=1.0, burst=1, now=10.0)
    bucket.take(now=10.0)

    assert bucket.take(now=0.0) == pytest.approx(1.0)
    assert bucket.take(now=10.0) == pytest.approx(2.0)


@given(st.lists(st.floats(0.0, 0.5), min_size=1, max_size=60), st.integers(1, 10))
def test_who_waits_as_told_never_takes_more_than_the_burst_and_the_rate(gaps_s: list[float], burst: int) -> None:
    bucket = TokenBucket(per_s=4.0, burst=burst, now=0.0)
    now = 0.0

    for taken, gap_s in enumerate(gaps_s, start=1):
        now += gap_s
        now += bucket.take(now=now)
        assert taken <= burst + 4.0 * now + 1e-6
