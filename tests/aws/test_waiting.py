"""Waiting for something in the account."""

import pytest

from primavoce.aws.waiting import Waiting
from primavoce.errors import AccountUnavailable, StepFailed


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_it_ends_when_what_is_looked_at_says_so() -> None:
    clock, told, states = Clock(), [], iter(["Creating", "Creating", "InService"])

    def look() -> tuple[bool, str, str]:
        state = next(states)
        return state == "InService", state, state

    waiting = Waiting(lambda *what: told.append(what), clock.sleep, clock)

    assert waiting.until("it", look, timeout_s=100, every_s=15) == "InService"
    assert told == [("it", "Creating", 0.0), ("it", "Creating", 15.0)]


def test_it_takes_no_longer_than_it_may() -> None:
    clock = Clock()
    waiting = Waiting(sleep=clock.sleep, clock=clock)

    with pytest.raises(StepFailed, match=r"waiting for it failed: after 2 minutes it is still Creating.*goes on"):
        waiting.until("it", lambda: (False, "Creating", None), timeout_s=120, every_s=50)
    assert clock.now == 150


def test_one_look_without_an_answer_is_not_the_end() -> None:
    clock, looks, told = Clock(), [], []

    def look() -> tuple[bool, str, int]:
        looks.append(1)
        if len(looks) == 1:
            raise AccountUnavailable("the network is gone")
        return True, "there", 7

    waiting = Waiting(lambda *what: told.append(what), clock.sleep, clock)

    assert waiting.until("it", look, timeout_s=60, every_s=5) == 7
    assert told == [("it", "can't be asked just now (the network is gone)", 0.0)]


def test_an_account_that_never_answers_is_told_in_the_end() -> None:
    clock = Clock()

    def look() -> tuple[bool, str, None]:
        raise AccountUnavailable("the network is gone")

    with pytest.raises(AccountUnavailable):
        Waiting(sleep=clock.sleep, clock=clock).until("it", look, timeout_s=20, every_s=5)


@pytest.mark.aws
@pytest.mark.parametrize("code", ["ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId"])
def test_credentials_that_have_expired_are_the_end_at_once(stubbed, code: str) -> None:
    from primavoce.aws.account import asking

    clock = Clock()
    stubbed.refuse("sts", "get_caller_identity", code)

    def look() -> tuple[bool, str, None]:
        with asking("sts:GetCallerIdentity"):
            stubbed.account.client("sts").get_caller_identity()
        return True, "there", None

    with pytest.raises(AccountUnavailable, match="sign in again"):
        Waiting(sleep=clock.sleep, clock=clock).until("it", look, timeout_s=3600, every_s=15)
    assert clock.now == 0
