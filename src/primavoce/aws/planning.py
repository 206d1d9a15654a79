"""How many instances a number of sessions takes, what they cost, and how soon more of them are there; pure."""

import json
import math
from dataclasses import asdict, dataclass

from primavoce.aws.growth import LONGEST_RAMP_S, Fleet, Ramp, ramp
from primavoce.aws.prices import Price
from primavoce.errors import InvalidSetting

HEADROOM = 0.2
"""Of an instance's sessions, kept free for those who come while scaling hasn't noticed yet."""
REACTION_S = 60.0
"""Seconds from a target that is exceeded until a new instance is asked for: published, as the bound of it."""
START_S = 260.0
"""Seconds from there until the instance serves as fast as the others: published, measured once, ml.g5.xlarge."""
RAMP_S = 600.0
"""Seconds in which all sessions come, unless a growth is given."""
MOST_INSTANCES = 10_000
"""That the stacks take."""


def instances_for(load: float, per_instance: float) -> int:
    """Return the instances that ``load`` takes, of which each takes ``per_instance``.

    Both are of the same kind: sessions at a time, or requests a second. What one instance has waiting in its queue is
    no part of what it takes.
    """
    return math.ceil(round(load / per_instance, 9))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be planned for."""

    sessions: int
    """At the same time, at most."""
    sessions_per_instance: int
    """That one instance speaks to without a gap, as measured."""
    instance_type: str
    headroom: float = HEADROOM
    """Part of each instance's sessions that is kept free."""
    min_instances: int = 1
    """That are there when nobody speaks."""
    per_s: float | None = None
    """New sessions a second; all of them within `RAMP_S` unless given."""
    reaction_s: float = REACTION_S
    start_s: float = START_S


@dataclass(frozen=True, slots=True)
class Plan:
    """What it takes."""

    sessions: int
    instance_type: str
    sessions_per_instance: int
    target_sessions: int
    """Of each instance on average: what scaling keeps to."""
    bare_instances: int
    """Without headroom: each is as full as it was when measured."""
    instances: int
    """With headroom."""
    min_instances: int
    usd_per_instance_hour: float
    price_source: str
    usd_per_hour: float
    """Of all instances."""
    idle_usd_per_hour: float
    """Of those that are there when nobody speaks."""
    time_to_scale_s: float
    """From a target that is exceeded to more room."""
    can_scale: bool
    """Whether a full instance is above its target; if it isn't, scaling never sees that more are wanted."""
    growth_per_s: float
    """New sessions a second."""
    growth: Ramp
    """What they meet, beginning with an empty fleet of ``min_instances``."""

    def capacity(self) -> dict[str, int | str]:
        """Return what the stacks read: the limits of scaling, and what they were measured on."""
        return {
            "sessions_per_instance": self.sessions_per_instance,
            "min_instances": self.min_instances,
            "max_instances": self.instances,
            "target_sessions": self.target_sessions,
            "instance_type": self.instance_type,
        }

    def capacity_json(self) -> str:
        """Return the same as the file's text."""
        return json.dumps(self.capacity(), indent=2) + "\n"

    def as_object(self) -> dict[str, object]:
        """Return all of it, for programs."""
        return asdict(self)


def plan(wish: Wish, price: Price) -> Plan:
    """Return what ``wish`` takes.

    Raises:
        InvalidSetting: it makes no sense.
    """
    _check(wish)
    target = max(1, math.floor(round(wish.sessions_per_instance * (1 - wish.headroom), 9)))
    instances = max(instances_for(wish.sessions, target), wish.min_instances)
    if instances > MOST_INSTANCES:
        option = "--min-instances" if wish.min_instances > MOST_INSTANCES else "--sessions"
        raise InvalidSetting(option, f"{instances} instances are more than one endpoint may have, {MOST_INSTANCES}")
    per_s = wish.sessions / RAMP_S if wish.per_s is None else wish.per_s
    fleet = Fleet(
        sessions_per_instance=wish.sessions_per_instance,
        target_sessions=target,
        min_instances=wish.min_instances,
        max_instances=instances,
        reaction_s=wish.reaction_s,
        start_s=wish.start_s,
    )
    return Plan(
        sessions=wish.sessions,
        instance_type=wish.instance_type,
        sessions_per_instance=wish.sessions_per_instance,
        target_sessions=target,
        bare_instances=instances_for(wish.sessions, wish.sessions_per_instance),
        instances=instances,
        min_instances=wish.min_instances,
        usd_per_instance_hour=price.usd_per_hour,
        price_source=price.source,
        usd_per_hour=round(instances * price.usd_per_hour, 4),
        idle_usd_per_hour=round(wish.min_instances * price.usd_per_hour, 4),
        time_to_scale_s=fleet.lag_s,
        can_scale=target < wish.sessions_per_instance or wish.min_instances >= instances,
        growth_per_s=per_s,
        growth=ramp(fleet, sessions=wish.sessions, per_s=per_s),
    )


def _check(wish: Wish) -> None:
    if not 0 <= wish.headroom < 1:
        raise InvalidSetting("--headroom", f"must be at least 0 and below 1, not {wish.headroom:g}")
    for option, value in (("--sessions", wish.sessions), ("--min-instances", wish.min_instances)):
        if value < 1:
            raise InvalidSetting(option, f"must be at least 1, not {value}")
    for option, given in (
        ("--growth-per-s", wish.per_s),
        ("--start-s", wish.start_s),
        ("--reaction-s", wish.reaction_s),
    ):
        if given is not None and not (math.isfinite(given) and given > 0):
            raise InvalidSetting(option, f"must be above 0, not {given:g}")
    if wish.per_s is not None and wish.sessions / wish.per_s > LONGEST_RAMP_S:
        raise InvalidSetting("--growth-per-s", f"{wish.per_s:g} a second would take more than a week")
