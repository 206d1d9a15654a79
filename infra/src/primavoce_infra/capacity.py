"""How many sessions how many instances take, as `primavoce aws plan` works it out of a measurement."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from primavoce_infra.invalid import InvalidContext

NUMBERS = ("sessions_per_instance", "min_instances", "max_instances", "target_sessions")
"""What the file has to say; what else it says is for people."""


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
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise InvalidContext("capacity", f"in {path} must have {name}: a whole number above 0")
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
