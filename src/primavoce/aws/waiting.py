"""Waiting for something in the account, with a look at it every few seconds, and a word about it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from primavoce.aws.account import is_lasting
from primavoce.errors import AccountUnavailable, StepFailed

type Look[Found] = Callable[[], tuple[bool, str, Found]]
"""Returns whether the waiting is over, how things stand in words, and what was found."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """How one waits; time is an argument."""

    on_state: Callable[[str, str, float], None] = lambda *_: None
    """Told what is waited for, how that stands, and for how many seconds."""
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def until[Found](self, what: str, look: Look[Found], *, timeout_s: float, every_s: float) -> Found:
        """Return what ``look`` has found when it says that the waiting is over.

        One look that gets no answer isn't the end: networks and services fail for a moment. Credentials that have
        expired are: a role's end after an hour, and nothing comes of waiting for them.

        Raises:
            StepFailed: it took longer than ``timeout_s``; what is waited for may come all the same.
            DeploymentError: ``look`` failed.
        """
        began = self.clock()
        while True:
            try:
                over, state, found = look()
                if over:
                    return found
            except AccountUnavailable as error:
                if is_lasting(error) or self.clock() - began >= timeout_s:
                    raise
                state = f"can't be asked just now ({error.reason})"
            waited = self.clock() - began
            self.on_state(what, state, waited)
            if waited >= timeout_s:
                told = f"after {timeout_s / 60:.0f} minutes it is still {state}"
                raise StepFailed(f"waiting for {what}", told, "run the same command again: it goes on from here")
            self.sleep(every_s)
