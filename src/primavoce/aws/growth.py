"""What happens while new instances start; pure arithmetic, second by second.

Scaling sees sessions that are being served, never those that were refused: a full fleet looks exactly full, so each
wave of new instances can be no larger than ``sessions_per_instance / target_sessions`` asks for.
"""

import math
from dataclasses import dataclass

LONGEST_RAMP_S = 7 * 24 * 3600
"""Seconds over which all sessions may come."""
PATIENCE_S = 24 * 3600
"""Seconds after the last of them after which a fleet that still isn't large enough is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """Instances, and how they come."""

    sessions_per_instance: float
    """That one speaks to without a gap."""
    target_sessions: float
    """Of each instance on average, that scaling keeps to."""
    min_instances: int
    """That are there before anybody comes."""
    max_instances: int
    """That are never exceeded."""
    reaction_s: float
    """Seconds from a target that is exceeded to the start of a new instance."""
    start_s: float
    """Seconds from its start until it serves."""

    @property
    def lag_s(self) -> float:
        """Seconds from a target that is exceeded to more room."""
        return self.reaction_s + self.start_s

    def wanted(self, held: float) -> int:
        """Return the instances that scaling wants where ``held`` sessions are being served."""
        wanted = math.ceil(round(held / self.target_sessions, 9))
        return min(max(wanted, self.min_instances), self.max_instances)


@dataclass(frozen=True, slots=True)
class Ramp:
    """What sessions meet that come at a steady rate."""

    settled_s: float | None
    """Seconds after the first of them until everybody has a place; null if that never comes."""
    most_waiting: int
    """The most that have no place at a time, if each of them tries again until it has one."""
    longest_wait_s: float | None
    """About how long the unluckiest of them tries; null where some try for ever."""
    refused: int
    """Those that find no place, if none of them tries again."""


def ramp(fleet: Fleet, *, sessions: int, per_s: float) -> Ramp:
    """Return what happens when ``per_s`` new sessions come every second until there are ``sessions``.

    Args:
        fleet: Instances, `Fleet.min_instances` of them at first.
        sessions: All there will be; none of them leaves.
        per_s: New ones every second.
    """
    patient, waiting = _served(fleet, sessions, per_s, tries_again=True)
    impatient, _ = _served(fleet, sessions, per_s, tries_again=False)
    come = [min(sessions, per_s * second) for second in range(len(patient))]
    settled = len(patient) - 1 if waiting[-1] < 0.5 and come[-1] >= sessions else None
    return Ramp(
        settled_s=None if settled is None else float(settled),
        most_waiting=math.ceil(max(waiting) - 1e-6),
        longest_wait_s=None if settled is None else _longest_wait(come, patient),
        refused=math.ceil(sessions - impatient[-1] - 1e-6),
    )


def _served(fleet: Fleet, sessions: int, per_s: float, *, tries_again: bool) -> tuple[list[float], list[float]]:
    """Return the sessions that are being served, and those that want to be, second by second."""
    lag = math.ceil(fleet.lag_s)
    instances, come = fleet.min_instances, 0.0
    held, waiting = [0.0], [0.0]
    for second in range(1, math.ceil(sessions / per_s) + PATIENCE_S):
        if second >= lag:
            instances = max(instances, fleet.wanted(held[second - lag]))
        room = instances * fleet.sessions_per_instance
        before, come = come, min(sessions, per_s * second)
        wants = come if tries_again else held[-1] + come - before
        held.append(min(wants, room))
        waiting.append(max(0.0, wants - room))
        if come >= sessions and (waiting[-1] == 0.0 or _stands_still(held, lag)):
            break
    return held, waiting


def _stands_still(held: list[float], lag: int) -> bool:
    """Return whether no instance is on its way: nothing has changed for longer than one takes."""
    return len(held) > lag + 1 and held[-1] == held[-1 - lag]


def _longest_wait(come: list[float], held: list[float]) -> float:
    """Return how long after the n-th session came the n-th place was there, at most."""
    longest, second = 0, 0
    for now, places in enumerate(held):
        while second < now and come[second] <= places + 1e-9:
            second += 1
        longest = max(longest, now - second)
    return float(longest)
