"""What `primavoce bench throughput --json` says of one machine, as far as planning needs it."""

from pathlib import Path
from typing import Annotated, Self

import msgspec

from primavoce.errors import InvalidSetting

OPTION = "--capacity"
FIRST_SOUND_P95_S = 2.0
"""Seconds within which 19 of 20 answers are heard, unless told: who waits for longer is waiting, not spoken to."""
MOST_SESSIONS = 10_000
"""Of one instance that the stacks take; no machine speaks to so many."""


type Count = Annotated[int, msgspec.Meta(ge=0)]
"""How often something happened."""


class MeasuredLevel(msgspec.Struct, frozen=True):
    """So many sessions at a time."""

    n: Annotated[int, msgspec.Meta(ge=1, le=MOST_SESSIONS)]
    answers: Count
    underruns: Count
    refused: Count = 0
    first_sound_p95_s: Annotated[float, msgspec.Meta(ge=0)] | None = None

    def kept_up(self, within_s: float) -> bool:
        """Return whether everybody was spoken to, without a gap and, but for one in twenty, ``within_s`` seconds."""
        waited_s = self.first_sound_p95_s or 0.0
        return self.answers > 0 and self.underruns == 0 and self.refused == 0 and waited_s <= within_s


class MeasuredMachine(msgspec.Struct, frozen=True):
    """What was measured on."""

    cpu: str = "unknown processor"
    cores: int = 0


class Measurement(msgspec.Struct, frozen=True):
    """The benchmark's outcome; what else it says is none of planning's business."""

    benchmark: str
    sessions: tuple[MeasuredLevel, ...]
    machine: MeasuredMachine = MeasuredMachine()

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file that `primavoce bench throughput --json` has written.

        Raises:
            InvalidSetting: it can't be read, is of another benchmark, or has no level that can be kept up.
        """
        try:
            found = msgspec.json.decode(path.read_bytes(), type=cls)
        except OSError as error:
            raise InvalidSetting(OPTION, f"can't read {path}: {error.strerror}") from error
        except msgspec.MsgspecError as error:
            told = f"{path} isn't what `primavoce bench throughput --json` writes: {error}"
            raise InvalidSetting(OPTION, told) from error
        if found.benchmark != "throughput":
            raise InvalidSetting(OPTION, f"{path} is of `primavoce bench {found.benchmark}`, not of throughput")
        return found

    def sessions_per_instance(self, within_s: float = FIRST_SOUND_P95_S) -> int:
        """Return the most sessions that were all spoken to in time and without a gap, there and at every lower level.

        Args:
            within_s: Seconds within which 19 of 20 answers have to be heard.

        Raises:
            InvalidSetting: there is no such number.
        """
        held = 0
        for level in sorted(self.sessions, key=lambda each: each.n):
            if not level.kept_up(within_s):
                break
            held = level.n
        if held == 0:
            raise InvalidSetting(
                OPTION,
                f"not even the lowest level was kept up without a gap, and within {within_s:g} s: "
                "this machine is too slow",
            )
        return held

    def found_its_end(self, within_s: float = FIRST_SOUND_P95_S) -> bool:
        """Return whether a level was too much: otherwise the machine may do more than was tried."""
        return any(not level.kept_up(within_s) for level in self.sessions)
