"""How many sessions how many instances take, as `primavoce aws plan` works it out of a measurement."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from primavoce_infra.invalid import InvalidContext

NUMBERS = ("sessions_per_instance", "min_instances", "max_instances", "target_sessions")
"""What the file has to say; what else it says is for people."""
MOST = 10_000
"""Of each of them; the planner knows the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """The limits of scaling. Without a measurement they are small: nothing that is wrong by default shall be dear."""

    sessions_per_instance: int = 4
    """Sessions that one instance speaks to without a gap."""
    min_instances: int = 1
    """Instances that are there, and billed, when nobody speaks; SageMaker has no fewer than one."""
    max_instances: int = 2
    """Instances that are never exceeded."""
    target_sessions: int = 3
    """Sessions **of each instance** on average that scaling keeps to; the rest is for those who come meanwhile."""
    instance_type: str = ""
    """What it was measured on, if the file says so."""

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Read what the planner has written.

        Raises:
            InvalidContext: the file can't be read, or says what can't be.
        """
        try:
            told = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it isn't JSON"
            raise InvalidContext("capacity", f"can't be read from {path}: {reason}") from error
        if not isinstance(told, Mapping):
            raise InvalidContext("capacity", f"in {path} must be an object")
        numbers: dict[str, int] = {}
        for name in NUMBERS:
            number = told.get(name)
            if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MOST:
                raise InvalidContext("capacity", f"in {path} must have {name}: a whole number from 1 to {MOST}")
            numbers[name] = number
        if numbers["min_instances"] > numbers["max_instances"]:
            raise InvalidContext("capacity", f"in {path} has more min_instances than max_instances")
        if numbers["target_sessions"] > numbers["sessions_per_instance"]:
            above = "has a target_sessions, which is of one instance, above sessions_per_instance"
            raise InvalidContext("capacity", f"in {path} {above}")
        return cls(**numbers, instance_type=str(told.get("instance_type") or ""))

    def check_instance_type(self, instance_type: str) -> None:
        """Refuse what was measured on another kind of machine than the one that is to be had.

        Raises:
            InvalidContext: it was.
        """
        if self.instance_type not in ("", instance_type):
            told = (
                f"was measured on {self.instance_type}, and says nothing of {instance_type}: measure there, plan again"
            )
            raise InvalidContext("capacity", told)

    def check_fleet(self, min_instances: int, max_instances: int, sessions_per_instance: int = 0) -> None:
        """Refuse to make a fleet smaller: one that is larger than this allows is cut down at once.

        What counts is how many sessions have room: another type of instance may take more of them, or fewer.

        Args:
            min_instances: The least that are deployed.
            max_instances: The most.
            sessions_per_instance: That each of those takes; as many as here if it isn't known, or 0.

        Raises:
            InvalidContext: it would be smaller.
        """
        each = sessions_per_instance or self.sessions_per_instance
        if (
            self.min_instances * self.sessions_per_instance < min_instances * each
            or self.max_instances * self.sessions_per_instance < max_instances * each
        ):
            here = self.sessions_per_instance
            sessions = "" if each == here else f" with {each} sessions each, here {here}"
            told = (
                f"of {self.min_instances} to {self.max_instances} instances is less than what is deployed, "
                f"{min_instances or self.min_instances} to {max_instances or self.max_instances}{sessions}: sessions "
                "would be cut off; say the --capacity that it was deployed with, or --shrink if it is meant so"
            )
            raise InvalidContext("capacity", told)
