"""How a segment that was spoken in windows differs from its whole run, and what differences are small enough."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.log_mel import HOP, frame_distances
from primavoce.kokoro.model import SAMPLE_RATE, Samples

GOAL_MEAN_DB = 0.7
"""Of segments' log-mel distances, the mean."""
GOAL_P95_DB = 1.2
"""The 95th percentile."""
GOAL_HALF_SECOND_DB = 2.5
"""Mean distance of the worst half second of any segment: one bad syllable is heard, however good the rest is."""
GOAL_PEAK_RATIO = 1.1
"""Beyond the whole run's peak by more, and a loud syllable may clip."""
FLOOR_MEAN_DB = 1.0
"""Mean distance that may not be exceeded; between it and the goal, streaming is good and could be better."""

HALF_SECOND_FRAMES = round(SAMPLE_RATE / 2 / HOP)
"""Frames of the distance that begin within half a second."""
SILENCE = 1e-6
"""Level that is added to both before they are compared, so that two silences are equal."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A segment in windows beside its whole run."""

    distance_db: float
    """Log-mel distance."""
    worst_half_second_db: float
    """Mean distance of the half second where it is greatest; a shorter segment's own."""
    level_db: float
    """By how much it is louder: root mean square ÷ root mean square."""
    peak_ratio: float
    """Peak ÷ the whole run's peak."""


def compare(whole: Samples, windowed: Samples) -> Comparison:
    """Compare two recordings of one segment.

    Args:
        whole: Spoken in one run.
        windowed: Spoken in windows.

    Raises:
        ValueError: they differ in length, and so aren't of one segment.
    """
    if whole.size != windowed.size:
        raise ValueError(f"{whole.size} and {windowed.size} samples are no two recordings of one segment")
    distances = frame_distances(whole, windowed)
    mean = float(distances.mean()) if distances.size else 0.0
    return Comparison(
        distance_db=mean,
        worst_half_second_db=_worst_mean(distances, HALF_SECOND_FRAMES) if distances.size else mean,
        level_db=20 * float(np.log10((_level(windowed) + SILENCE) / (_level(whole) + SILENCE))),
        peak_ratio=(_peak(windowed) + SILENCE) / (_peak(whole) + SILENCE),
    )


@dataclass(frozen=True, slots=True)
class Range:
    """One measure over many segments."""

    mean: float
    p95: float
    """The 95th percentile."""
    max: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Return the range of ``values``, of which there is at least one."""
        return cls(float(np.mean(values)), float(np.percentile(values, 95)), float(np.max(values)))


@dataclass(frozen=True, slots=True)
class Summary:
    """Many segments' comparisons."""

    segments: int
    distance_db: Range
    worst_half_second_db: Range
    level_db: Range
    """Of levels' magnitudes: a segment that is too soft is as wrong as one that is too loud."""
    peak_ratio: Range

    @classmethod
    def of(cls, comparisons: Iterable[Comparison]) -> Self:
        """Return what ``comparisons`` say together.

        Raises:
            ValueError: there are none.
        """
        found = list(comparisons)
        if not found:
            raise ValueError("no comparison, no summary")
        return cls(
            len(found),
            Range.of([each.distance_db for each in found]),
            Range.of([each.worst_half_second_db for each in found]),
            Range.of([abs(each.level_db) for each in found]),
            Range.of([each.peak_ratio for each in found]),
        )

    @property
    def above_floor(self) -> bool:
        """Whether it is good enough to be heard. What is no number isn't."""
        return self.distance_db.mean <= FLOOR_MEAN_DB

    @property
    def reaches_goals(self) -> bool:
        """Whether it is as good as is wanted. What is no number isn't."""
        return (
            self.distance_db.mean <= GOAL_MEAN_DB
            and self.distance_db.p95 <= GOAL_P95_DB
            and self.worst_half_second_db.max <= GOAL_HALF_SECOND_DB
            and self.peak_ratio.max <= GOAL_PEAK_RATIO
        )


def _worst_mean(distances: NDArray[np.float64], frames: int) -> float:
    """Return the greatest mean of ``frames`` distances in a row, or of all when there are fewer."""
    frames = min(frames, distances.size)
    return float(np.lib.stride_tricks.sliding_window_view(distances, frames).mean(axis=1).max())


def _level(samples: Samples) -> float:
    return float(np.sqrt(np.square(samples, dtype=np.float64).mean())) if samples.size else 0.0


def _peak(samples: Samples) -> float:
    return float(np.abs(samples).max(initial=0.0))
