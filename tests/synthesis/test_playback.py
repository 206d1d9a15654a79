import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.synthesis.playback import Playback


def test_nothing_is_in_hand_before_the_first_sound() -> None:
    playback = Playback()

    assert (playback.begun, playback.in_hand_s(9.0), playback.dry_at()) == (False, 0.0, None)


def test_what_is_in_hand_is_heard_as_time_goes_by() -> None:
    playback = Playback()
    playback.hand_over(2.0, now=10.0)
    playback.hand_over(1.0, now=11.0)

    assert [playback.in_hand_s(now) for now in (11.0, 12.5, 13.0, 14.0)] == [2.0, 0.5, 0.0, -1.0]
    assert playback.dry_at() == 13.0
    assert playback.dry_s == 0.0


def test_a_listener_who_waited_hears_the_rest_later() -> None:
    playback = Playback()
    playback.hand_over(1.0, now=0.0)
    playback.hand_over(1.0, now=3.0)

    assert playback.in_hand_s(3.0) == 1.0
    assert playback.dry_s == 2.0


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 5)), min_size=1, max_size=20))
def test_what_was_heard_and_waited_for_is_the_time_that_went_by(steps: list[tuple[float, float]]) -> None:
    playback, now = Playback(), 0.0
    for duration_s, passes_s in steps:
        playback.hand_over(duration_s, now=now)
        now += passes_s

    heard_s = playback.handed_s - playback.in_hand_s(now)
    assert heard_s + playback.dry_s == pytest.approx(now)
