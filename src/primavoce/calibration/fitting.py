"""From segments that were spoken whole to a predictor of their statistics.

Which features count how much was found by searching: five-fold, split by text, over 54 voices (decision 0003).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.kernel import KernelMachine
from primavoce.kokoro.prediction import StatisticsPredictor

BLOCKS = {
    "frames": 512,
    "positive": 512,
    "square": 512,
    "upsampled_mean": 256,
    "upsampled_variance": 256,
    "source_slow_mean": 256,
    "source_slow_variance": 256,
    "source_fast_mean": 128,
    "source_fast_variance": 128,
    "decoder_style": 128,
    "prosody_style": 128,
    "pace": 3,
}
"""The parts of a feature vector in order, and how many numbers each has."""


REACH = 0.65
"""Distance, of variances' coordinates, up to which predictions are trusted."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a machine is made."""

    blocks: Mapping[str, float]
    """What a block's mean squared distance weighs; absent blocks aren't used."""
    slope: float
    """What the linear kernel weighs beside the Gaussian."""
    ridge: float
    coordinates: int
    """Principal components of the features that are kept."""
    components: int
    """Principal components of the targets that are kept."""


MEANS = Recipe(
    {
        "square": 0.0001,
        "upsampled_mean": 0.0015,
        "upsampled_variance": 0.0004,
        "source_slow_mean": 0.0054,
        "source_fast_mean": 0.001,
        "source_fast_variance": 0.0005,
        "decoder_style": 0.0536,
    },
    slope=0.7,
    ridge=0.0001,
    coordinates=96,
    components=160,
)
VARIANCES = Recipe(
    {
        "frames": 0.008,
        "positive": 0.001,
        "square": 0.0016,
        "upsampled_mean": 0.003,
        "upsampled_variance": 0.0045,
        "source_slow_mean": 0.0027,
        "source_slow_variance": 0.0268,
        "source_fast_variance": 0.003,
        "decoder_style": 0.05,
        "prosody_style": 0.0016,
    },
    slope=0.07,
    ridge=0.001,
    coordinates=96,
    components=128,
)

type Floats = NDArray[np.float64]


def fit(
    features: Floats, means: Floats, variances: Floats, voices: Sequence[str], *, digest: str
) -> StatisticsPredictor:
    """Return a predictor that knows these segments.

    Args:
        features: (segments, features), as `primavoce.kokoro.prediction.feature_vector` makes them.
        means: (segments, channels of all sites).
        variances: (segments, channels of all sites).
        voices: Whose segments they are.
        digest: Of the weights that spoke them.
    """
    # Errors count as shares of a channel's deviation: half of a small change of the variance's logarithm is one.
    deviations = np.sqrt(variances.mean(axis=0))
    return StatisticsPredictor(
        digest,
        frozenset(voices),
        REACH,
        machine(features, means, deviations, MEANS),
        machine(features, np.log(variances), np.full(means.shape[1], 2.0), VARIANCES),
    )


def machine(features: Floats, targets: Floats, scale: Floats, recipe: Recipe) -> KernelMachine:
    """Return a machine that maps ``features`` to ``targets``.

    Args:
        features: (segments, features).
        targets: (segments, targets).
        scale: What an error of each target is measured by, (targets,).
        recipe: How.
    """
    centre, projection = _coordinates(features, recipe)
    # Rounded before they are made use of, as they will be.
    projection = projection.astype(np.float16).astype(np.float64)
    rows = ((features - centre) @ projection).astype(np.float16).astype(np.float64)
    offset = targets.mean(axis=0)
    wanted = (targets - offset) / scale
    components = _principal(wanted, recipe.components)
    weights = solve(rows, wanted @ components.T, slope=recipe.slope, ridge=recipe.ridge)
    return KernelMachine(
        centre=centre.astype(np.float32),
        projection=projection.astype(np.float32),
        rows=rows.astype(np.float32),
        weights=weights.astype(np.float32),
        slope=recipe.slope,
        ridge=recipe.ridge,
        components=components.astype(np.float32),
        scale=scale.astype(np.float32),
        offset=offset.astype(np.float32),
    )


def solve(rows: Floats, targets: Floats, *, slope: float, ridge: float) -> Floats:
    """Return the weights of rows, (rows, k), with which the kernels give back ``targets``, (rows, r), nearly."""
    kernel = kernels(rows, slope)
    kernel[np.diag_indices_from(kernel)] += ridge
    weights: Floats = np.linalg.solve(kernel, targets)
    return weights


def kernels(rows: Floats, slope: float) -> Floats:
    """Return what each row has in common with each, (rows, rows)."""
    inner = rows @ rows.T
    squared = np.diagonal(inner)
    kernel: Floats = np.exp(-np.maximum(squared[:, None] + squared - 2 * inner, 0)) + slope * inner
    return kernel


def _coordinates(features: Floats, recipe: Recipe) -> tuple[Floats, Floats]:
    """Return what centres features and what projects them, weighted, on their principal components."""
    centre, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    weights = np.concatenate([np.full(size, recipe.blocks.get(name, 0.0) / size) for name, size in BLOCKS.items()])
    factor = np.sqrt(weights) / spread
    components = _principal((features - centre) * factor, recipe.coordinates)
    return centre, components.T * factor[:, None]


def _principal(centred: Floats, count: int) -> Floats:
    """Return the ``count`` principal directions of rows about zero, (count, columns), signs settled."""
    # Of the smaller of the two products: there are more columns than rows, or the other way round.
    if centred.shape[0] <= centred.shape[1]:
        values, left = np.linalg.eigh(centred @ centred.T)
        kept = np.argsort(values)[::-1][:count]
        directions = (left[:, kept].T @ centred) / np.sqrt(np.maximum(values[kept], 1e-12))[:, None]
    else:
        values, right = np.linalg.eigh(centred.T @ centred)
        directions = right[:, np.argsort(values)[::-1][:count]].T
    largest = np.abs(directions).argmax(axis=1)
    return directions * np.sign(directions[np.arange(len(directions)), largest])[:, None]
