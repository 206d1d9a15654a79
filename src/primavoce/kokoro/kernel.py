"""A kernel machine over compressed features, with targets of low rank: small enough to ship, quick to evaluate.

Kernel ridge regression (Saunders, Gammerman and Vovk 1998) with a Gaussian kernel beside a linear one: what is near a
known row follows it, and what isn't still follows the trend. The Gaussian kernel is approximated by what a feature
vector has in common with a choice of rows (Williams and Seeger 2001: the Nyström method). Features are standardised,
weighted and projected on their principal components; targets are standardised and projected on theirs.
"""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

_FINE, _MIDDLE = 32, 160
"""Components, the largest, that are kept with eleven bits, and with eight; those after them with four."""
_LEVELS, _COARSE_LEVELS = 127, 7
"""Steps to each side that eight bits have, and four."""
_SMALL = 64
"""Rows of a matrix that is inverted as it is."""
_JITTER = 1e-4
"""Added to the diagonal of what rows have in common, so that rows that are next to alike do no harm."""

type Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class KernelMachine:
    """Maps a feature vector to a target vector; pure."""

    used: NDArray[np.int16]
    """(used,): which features count."""
    centre: Floats
    """(used,): what is subtracted of them."""
    projection: Floats
    """(used, k): makes the coordinates in which distance is measured; a column for each."""
    rows: Floats
    """(m, k): segments of the calibration in these coordinates."""
    weights: Floats
    """(m + k + 1, r): what each number of `expansion` adds to the targets' components."""
    components: Floats
    """(r, targets): the targets' principal components."""
    scale: Floats
    """(targets,): what a target is measured by."""
    offset: Floats
    """(targets,): the targets' mean."""
    _whitening: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_whitening", whitening(self.rows))

    def evaluate(self, features: Floats) -> tuple[NDArray[np.float32], float]:
        """Return the targets for ``features``, (features,), and the distance from the nearest row."""
        at = self.coordinates(features[None])
        # In double precision up to here, since whitening takes differences of what is nearly alike.
        expansion = self.expansion(at).astype(np.float32)
        targets = (expansion @ self.weights @ self.components)[0] * self.scale + self.offset
        return targets.astype(np.float32), float(np.sqrt(squared_distances(at, self.rows).min()))

    def coordinates(self, features: Floats) -> Floats:
        """Return the coordinates of feature vectors, (n, features) → (n, k)."""
        coordinates: Floats = (features[:, self.used] - self.centre) @ self.projection
        return coordinates

    def expansion(self, coordinates: Floats) -> Floats:
        """Return what the weights are for, (n, k) → (n, m + k + 1): kernels, whitened, coordinates, and one."""
        return expand(coordinates, self.rows, self._whitening)

    def packed(self) -> dict[str, NDArray[np.generic]]:
        """Return it as small arrays by name; `unpacked` undoes it but for rounding, and what it returns packs the same.

        What rounding does is far below the predictions' own errors.
        """
        projection, projection_step = in_steps(self.projection, axis=0)
        middle, middle_step = in_steps(self.components[_FINE:_MIDDLE], axis=1)
        coarse, coarse_step = in_steps(self.components[_MIDDLE:], axis=1, levels=_COARSE_LEVELS)
        coarse_weights, coarse_weights_step = in_steps(self.weights[:, _MIDDLE:], axis=0)
        return {
            "used": self.used,
            "centre": self.centre.astype(np.float32),
            "projection": projection,
            "projection_step": projection_step,
            "rows": self.rows.astype(np.float16),
            "weights": self.weights[:, :_MIDDLE].astype(np.float16),
            "coarse_weights": coarse_weights,
            "coarse_weights_step": coarse_weights_step,
            "fine": self.components[:_FINE].astype(np.float16),
            "middle": middle,
            "middle_step": middle_step,
            "coarse": coarse,
            "coarse_step": coarse_step,
            "scale": self.scale.astype(np.float32),
            "offset": self.offset.astype(np.float32),
        }

    @classmethod
    def unpacked(cls, arrays: dict[str, NDArray[np.generic]]) -> Self:
        """Return the machine of ``arrays``."""
        used = np.asarray(arrays["used"], np.int16)
        floats = {name: np.asarray(value, np.float32) for name, value in arrays.items() if name != "used"}
        for name in ("projection", "middle", "coarse", "coarse_weights"):
            floats[name] = floats[name] * floats.pop(f"{name}_step")
        floats["components"] = np.concatenate([floats.pop("fine"), floats.pop("middle"), floats.pop("coarse")])
        floats["weights"] = np.concatenate([floats["weights"], floats.pop("coarse_weights")], axis=1)
        return cls(used, **floats)


def in_steps(values: Floats, *, axis: int, levels: int = _LEVELS) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return ``values`` as whole numbers of steps, at most ``levels`` to each side, and the steps.

    There is one step for all along ``axis``. Few levels are stored in as few bits, once they are compressed.
    """
    peak = np.abs(values).max(axis=axis, keepdims=True)
    step = (np.where(peak > 0, peak, 1) / levels).astype(np.float32)
    return np.round(values / step).astype(np.int8), step


def expand(coordinates: Floats, rows: Floats, whiten: Floats) -> Floats:
    """Return kernels with ``rows``, whitened, coordinates, and one, (n, k) → (n, m + k + 1)."""
    kernels = np.exp(-squared_distances(coordinates, rows)) @ whiten.T
    return np.concatenate([kernels, coordinates, np.ones((len(coordinates), 1))], axis=1)


def whitening(rows: Floats) -> Floats:
    """Return what makes the kernels with ``rows`` independent of each other, (m, m).

    It is triangular: with further rows, the first ones' numbers stay as they are.
    """
    common = np.exp(-squared_distances(rows, rows))
    return inverse_of_lower(np.linalg.cholesky(common + _JITTER * np.eye(len(rows))))


def inverse_of_lower(matrix: Floats) -> Floats:
    """Return the inverse of a lower triangular matrix, by halves: a sixth of the work of that of any matrix."""
    if len(matrix) <= _SMALL:
        inverse: Floats = np.linalg.inv(matrix)
        return inverse
    half = len(matrix) // 2
    first, last = inverse_of_lower(matrix[:half, :half]), inverse_of_lower(matrix[half:, half:])
    whole: Floats = np.zeros_like(matrix)
    whole[:half, :half], whole[half:, half:] = first, last
    whole[half:, :half] = -last @ (matrix[half:, :half] @ first)
    return whole


def squared_distances(first: Floats, second: Floats) -> Floats:
    """Return the squared distance of each row of one matrix from each of the other, (n, k), (m, k) → (n, m)."""
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    between = np.square(one).sum(axis=1)[:, None] + np.square(other).sum(axis=1) - 2 * (one @ other.T)
    apart: Floats = np.maximum(between, 0)
    return apart
