"""How a deployment stands, as far as one may look."""

from typing import Any

import pytest

from primavoce.aws.account import Account
from primavoce.aws.leftovers import Unseen
from primavoce.aws.names import Names
from primavoce.aws.standing import Standing, gone_off


class Watch:
    """CloudWatch, with alarms that have gone off."""

    def __init__(self, *alarms: str) -> None:
        self.alarms = alarms

    def get_paginator(self, _: str) -> Any:
        return self

    def paginate(self, **_: str) -> list[dict[str, list[dict[str, str]]]]:
        return [{"MetricAlarms": [{"AlarmName": name} for name in self.alarms]}]


def blind_to(*kinds: str) -> Standing:
    return Standing("us-east-1", (), None, None, (), None, tuple(Unseen(kind, "you may not") for kind in kinds))


@pytest.mark.aws
def test_an_idle_endpoint_has_no_alarm_that_anybody_should_look_at() -> None:
    watch = Watch("primavoce-speech-scale-in", "primavoce-speech-errors")

    assert gone_off(Account("us-east-1", lambda _: watch), Names()) == ("primavoce-speech-errors",)


@pytest.mark.parametrize(
    ("kinds", "blind"), [((), False), (("alarms",), False), (("endpoint",), True), (("alarms", "runtime"), True)]
)
def test_what_cant_be_looked_at_may_be_deployed(kinds: tuple[str, ...], *, blind: bool) -> None:
    assert blind_to(*kinds).is_blind == blind
