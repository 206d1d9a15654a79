"""A kernel machine over compressed features, with targets of low rank: small enough to ship, quick to evaluate.

Kernel ridge regression (Saunders, Gammerman and Vovk 1998) with a Gaussian kernel beside a linear one: what is near a
known row follows it, and what isn't still follows the trend. Features are standardised, weighted and projected on their
principal components; targets are standardised and projected on theirs.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.inverse_stft import Floats

_LEVELS = 127
"""Steps to each side that a component's numbers are kept in: a hundredth of its own error."""


@dataclass(frozen=True, slots=True)
class KernelMachine:
    """Maps a feature vector to a target vector; pure."""

    centre: Floats
    """(features,): what is subtracted of them."""
    projection: Floats
    """(features, k): makes the coordinates in which distance is measured; a column for each."""
    rows: Floats
    """(rows, k): the calibration's segments in these coordinates."""
    weights: Floats
    """(rows, r): what each row adds to the targets' components, times its kernel."""
    slope: float
    """What the linear kernel weighs beside the Gaussian."""
    ridge: float
    """What was added to the kernel's diagonal when the weights were found."""
    components: Floats
    """(r, targets): the targets' principal components."""
    scale: Floats
    """(targets,): what a target is measured by."""
    offset: Floats
    """(targets,): the targets' mean."""

    def evaluate(self, features: Floats) -> tuple[Floats, float]:
        """Return the targets for ``features``, (features,), and the distance from the nearest row."""
        at = self.coordinates(features[None])
        squared = squared_distances(at, self.rows)
        kernel = np.exp(-squared) + self.slope * (at @ self.rows.T)
        targets = ((kernel @ self.weights) @ self.components)[0] * self.scale + self.offset
        return targets.astype(np.float32), float(np.sqrt(squared.min()))

    def coordinates(self, features: Floats) -> Floats:
        """Return the coordinates of feature vectors, (n, features) → (n, k)."""
        return ((features - self.centre) @ self.projection).astype(np.float32)

    def packed(self) -> dict[str, NDArray[np.generic]]:
        """Return it as small arrays by name; `unpacked` undoes it but for rounding, and what it returns packs the same.

        Coordinates are of eleven bits, components of eight: their errors are far below the predictions' own.
        """
        step = np.abs(self.components).max(axis=1, keepdims=True) / _LEVELS
        return {
            "centre": self.centre,
            "projection": self.projection.astype(np.float16),
            "rows": self.rows.astype(np.float16),
            "weights": self.weights.astype(np.float16),
            "slope": np.array(self.slope),
            "ridge": np.array(self.ridge),
            "components": np.round(self.components / step).astype(np.int8),
            "step": step.astype(np.float32),
            "scale": self.scale,
            "offset": self.offset,
        }

    @classmethod
    def unpacked(cls, arrays: dict[str, NDArray[np.generic]]) -> Self:
        """Return the machine of ``arrays``."""
        floats = {name: np.asarray(value, np.float32) for name, value in arrays.items()}
        floats["components"] = floats["components"] * floats.pop("step")
        slope, ridge = float(arrays["slope"]), float(arrays["ridge"])
        return cls(**{**floats, "slope": slope, "ridge": ridge})  # type: ignore[arg-type]


def squared_distances(first: Floats, second: Floats) -> Floats:
    """Return the squared distance of each row of one matrix from each of the other, (n, k), (m, k) → (n, m)."""
    between = np.square(first).sum(axis=1)[:, None] + np.square(second).sum(axis=1) - 2 * (first @ second.T)
    squared: Floats = np.maximum(between, 0)
    return squared
