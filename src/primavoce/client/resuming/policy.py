"""How long to go on trying, and when a session is given up for another."""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from primavoce.errors import Draining, Overloaded, SessionExpired

SESSION_S = 1770.0
"""Seconds that a session is good for where nobody says: SageMaker ends one after 30 minutes."""

OWN_PING = "link"
"""The id of pings that no client has asked for; nor are their answers passed on."""


GIVEN_BACK = frozenset({Draining.code, Overloaded.code, SessionExpired.code})
"""Why a server gives back what another may take."""
IN_GOOD_ORDER = frozenset({Draining.code, SessionExpired.code})
"""Those of them that say nothing about the load."""


@dataclass(frozen=True, slots=True)
class ResumePolicy:
    """How it is done; time and chance are arguments."""

    attempts: int = 4
    """Links that are opened, one after another, without anything being delivered; then what went wrong is raised."""
    first_pause_s: float = 0.25
    """The longest pause before the second of them; before each more, twice as long."""
    longest_pause_s: float = 4.0
    silence_s: float = 10.0
    """Seconds without a frame, while something is to be spoken, after which the server is asked for a sign of life; and
    then for which it is waited."""
    session_s: float = SESSION_S
    """Seconds that a session is good for, until its server says."""
    ahead_s: float = 60.0
    """Seconds before a session's end at which the next is opened."""
    close_s: float = 2.0
    """Seconds that a session has to end that isn't needed any more."""
    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    chance: Callable[[], float] = random.random
    """From 0 to 1."""

    def pause_s(self, failures: int) -> float:
        """Return how long to wait after ``failures`` in a row: by chance, so that clients don't come all at once."""
        bound: float = min(self.longest_pause_s, self.first_pause_s * 2.0 ** (failures - 1))
        return bound * self.chance()
