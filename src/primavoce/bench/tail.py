"""What many trials of one thing say together, its slow ones too."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from primavoce.bench.spread import DIGITS

TAIL_SHARE = 0.95
NANO_DIGITS = 9
"""Decimals that are kept of what takes microseconds."""


def percentile(values: Sequence[float], share: float) -> float:
    """Return the least of ``values`` that ``share`` of them don't exceed: one that was measured, none between two.

    Raises:
        ValueError: there are none.
    """
    if not values:
        raise ValueError("no trial, no percentile")
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


@dataclass(frozen=True, slots=True)
class Tail:
    """The trials of one measurement."""

    median: float
    min: float
    max: float
    p95: float
    """What 95 of 100 don't exceed."""
    n: int
    """Trials."""

    @classmethod
    def of(cls, values: Iterable[float], *, digits: int = DIGITS) -> Self:
        """Return what ``values`` say, rounded to ``digits`` decimals.

        Raises:
            ValueError: there are none.
        """
        found = list(values)
        slow = percentile(found, TAIL_SHARE)
        told = (statistics.median(found), min(found), max(found), slow)
        middle, least, most, slow = (round(value, digits) for value in told)
        return cls(middle, least, most, slow, len(found))
