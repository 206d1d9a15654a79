"""What several trials of one thing say together."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

DIGITS = 6
"""Decimals that are kept: a microsecond, which is less than any two trials differ by."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The trials of one measurement."""

    median: float
    min: float
    max: float
    n: int
    """Trials."""

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """Return the spread of ``values``.

        Raises:
            ValueError: there are none.
        """
        found = list(values)
        if not found:
            raise ValueError("no trial, no spread")
        middle, least, most = (round(value, DIGITS) for value in (statistics.median(found), min(found), max(found)))
        return cls(middle, least, most, len(found))


def ratio(ours: Spread, theirs: Spread) -> float:
    """Return median ÷ median."""
    return round(ours.median / theirs.median, DIGITS)


@dataclass(frozen=True, slots=True)
class LagFit:
    """Speech lag as a line: ``base_s`` + ``s_per_phoneme`` · phonemes."""

    base_s: float
    s_per_phoneme: float

    @classmethod
    def through(cls, phonemes: Sequence[int], lags_s: Sequence[float]) -> Self:
        """Return the line with the least squares.

        Raises:
            ValueError: there are fewer than two different lengths.
        """
        if len(set(phonemes)) < 2:
            raise ValueError("a line needs two different lengths")
        slope, base = statistics.linear_regression(phonemes, lags_s)
        return cls(round(base, DIGITS), round(slope, DIGITS))

    def at(self, phonemes: float) -> float:
        """Return the seconds that the line has for so many ``phonemes``."""
        return self.base_s + self.s_per_phoneme * phonemes
