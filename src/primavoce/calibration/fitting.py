"""From segments that were spoken whole to a predictor of their statistics.

Which features count how much was found by searching: five-fold, split by text, over 54 voices, for the normalisations
that are heard (decision 0003).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.kernel import KernelMachine, expand, in_steps, squared_distances, whitening
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
    "upsampled_lag_1": 256,
    "upsampled_lag_3": 256,
    "upsampled_lag_8": 256,
    "decoder_style": 128,
    "prosody_style": 128,
    "pace": 3,
}
"""The parts of a feature vector in order, and how many numbers each has."""


NOISE_CHANNELS = 2304
"""The first of all sites' channels: those of the noise branches, hardly heard however wrong (decision 0003)."""
NOISE_WEIGHT = 0.1
"""What an error there counts, beside one anywhere else."""

REACH = 0.2
"""Distance, in the coordinates of the variances' machine, up to which predictions are trusted: held-out segments near
it are 1.0 to 1.7 dB from their whole runs, the nearest 0.5 (decision 0003)."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a machine is made."""

    blocks: Mapping[str, float]
    """What a block's mean squared distance weighs; absent blocks aren't used."""
    slope: float
    """What the linear kernel weighs beside the Gaussian."""
    ridge: float
    rows: int
    """Segments that are kept to compare with, of all."""
    coordinates: int
    """Principal components of the features that are kept."""
    components: int
    """Principal components of the targets that are kept."""


MEANS = Recipe(
    {
        "frames": 0.001,
        "positive": 0.0005,
        "square": 0.0003,
        "upsampled_mean": 0.0015,
        "upsampled_variance": 0.005,
        "source_slow_mean": 0.001,
        "source_fast_mean": 0.0005,
        "source_fast_variance": 0.0003,
        "decoder_style": 0.16,
    },
    slope=0.7,
    ridge=0.0003,
    rows=1500,
    coordinates=320,
    components=448,
)
VARIANCES = Recipe(
    {
        "frames": 0.0032,
        "positive": 0.002,
        "square": 0.0016,
        "upsampled_mean": 0.003,
        "upsampled_variance": 0.01,
        "upsampled_lag_1": 0.01,
        "upsampled_lag_3": 0.01,
        "upsampled_lag_8": 0.01,
        "source_slow_mean": 0.0005,
        "source_fast_variance": 0.0009,
        "decoder_style": 0.15,
        "prosody_style": 0.0016,
    },
    slope=0.07,
    ridge=0.001,
    rows=1500,
    coordinates=320,
    components=448,
)

type Floats = NDArray[np.floating]


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
    weight = np.ones_like(deviations)
    weight[:NOISE_CHANNELS] = NOISE_WEIGHT
    return StatisticsPredictor(
        digest,
        frozenset(voices),
        REACH,
        machine(features, means, deviations / weight, MEANS),
        machine(features, np.log(variances), 2.0 / weight, VARIANCES),
    )


def machine(features: Floats, targets: Floats, scale: Floats, recipe: Recipe) -> KernelMachine:
    """Return a machine that maps ``features`` to ``targets``.

    Args:
        features: (segments, features).
        targets: (segments, targets).
        scale: What an error of each target is measured by, (targets,).
        recipe: How.
    """
    used, centre, projection = _coordinates(features, recipe)
    # Rounded before they are made use of, as they will be.
    steps, step = in_steps(projection, axis=0)
    projection = (steps * step).astype(np.float64)
    coordinates = (features[:, used] - centre) @ projection
    rows = coordinates[spread_out(coordinates, recipe.rows)].astype(np.float16).astype(np.float64)
    offset = targets.mean(axis=0)
    wanted = (targets - offset) / scale
    components = _principal(wanted, recipe.components)
    expansion = expand(coordinates, rows, whitening(rows))
    weights = ridge_regression(expansion, wanted @ components.T, slope=recipe.slope, ridge=recipe.ridge, rows=len(rows))
    return KernelMachine(used.astype(np.int16), centre, projection, rows, weights, components, scale, offset)


def ridge_regression(expansion: Floats, targets: Floats, *, slope: float, ridge: float, rows: int) -> Floats:
    """Return the weights with which an expansion, (segments, m + k + 1), gives back ``targets``, nearly.

    Args:
        expansion: As `primavoce.kokoro.kernel.expand` makes it.
        targets: (segments, r).
        slope: What the coordinates weigh beside the kernels.
        ridge: What keeps weights small.
        rows: How many of the expansion's numbers are kernels.
    """
    factor = np.ones(expansion.shape[1])
    factor[rows:-1] = np.sqrt(slope)
    scaled = expansion * factor
    square = scaled.T @ scaled
    square[np.diag_indices_from(square)] += ridge
    weights: Floats = np.linalg.solve(square, scaled.T @ targets) * factor[:, None]
    return weights


def spread_out(coordinates: Floats, count: int) -> NDArray[np.intp]:
    """Return which segments to keep as rows: each the farthest from those chosen before it."""
    chosen = [0]
    apart = squared_distances(coordinates, coordinates[:1])[:, 0]
    while len(chosen) < min(count, len(coordinates)):
        chosen.append(int(apart.argmax()))
        apart = np.minimum(apart, squared_distances(coordinates, coordinates[chosen[-1:]])[:, 0])
    return np.array(chosen)


def _coordinates(features: Floats, recipe: Recipe) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Return which features count, what centres them, and what projects them, weighted, on principal components."""
    weights = np.concatenate([np.full(size, recipe.blocks.get(name, 0.0) / size) for name, size in BLOCKS.items()])
    used = np.flatnonzero(weights)
    centre, spread = features[:, used].mean(axis=0), features[:, used].std(axis=0) + 1e-6
    factor = np.sqrt(weights[used]) / spread
    components = _principal((features[:, used] - centre) * factor, recipe.coordinates)
    return used, centre, components.T * factor[:, None]


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
