"""A predictor that learns further voices.

New segments become rows beside the known ones, whose part of the expansion stays as it is. What is learnt is the
difference from what was predicted already: all of it at the new segments, none of it at the known rows.
"""

import numpy as np

from primavoce.calibration.fitting import MEANS, VARIANCES, Floats, Recipe, ridge_regression
from primavoce.kokoro.kernel import KernelMachine, expand, whitening
from primavoce.kokoro.prediction import StatisticsPredictor

MORE_COMPONENTS = 32
"""Principal components that new segments may add to the targets': a new voice isn't made of the known ones alone."""


def extend(
    predictor: StatisticsPredictor, features: Floats, means: Floats, variances: Floats, voices: frozenset[str]
) -> StatisticsPredictor:
    """Return a predictor that knows further segments.

    Args:
        predictor: What is known so far.
        features: (segments, features) of the new ones.
        means: (segments, channels of all sites).
        variances: (segments, channels of all sites).
        voices: Canonical names of the voices or blends whose segments they are.
    """
    return StatisticsPredictor(
        predictor.digest,
        predictor.voices | voices,
        predictor.reach,
        _extended(predictor.means, features, means, MEANS),
        _extended(predictor.variances, features, np.log(variances), VARIANCES),
    )


def _extended(known: KernelMachine, features: Floats, targets: Floats, recipe: Recipe) -> KernelMachine:
    components, weights = np.asarray(known.components, np.float64), np.asarray(known.weights, np.float64)
    old, new = np.asarray(known.rows, np.float64), np.asarray(known.coordinates(features), np.float64)
    predicted = known.expansion(new) @ weights @ components
    missed = (targets - known.offset) / known.scale - predicted
    # The known components are as good as orthonormal: rounding to eight bits turns them by a hundredth.
    in_known = missed @ np.linalg.pinv(components)
    _, _, directions = np.linalg.svd(missed - in_known @ components, full_matrices=False)
    added = directions[: min(MORE_COMPONENTS, len(directions))]
    rows = np.concatenate([old, new]).astype(np.float16).astype(np.float64)
    expansion = expand(np.concatenate([old, new]), rows, whitening(rows))
    wanted = np.concatenate([in_known, missed @ added.T], axis=1)
    wanted = np.concatenate([np.zeros((len(old), wanted.shape[1])), wanted])
    learnt = ridge_regression(expansion, wanted, slope=recipe.slope, ridge=recipe.ridge, rows=len(rows))
    before = np.zeros_like(learnt)
    before[: len(old), : weights.shape[1]] = weights[: len(old)]
    before[len(rows) :, : weights.shape[1]] = weights[len(old) :]
    return KernelMachine(
        known.used,
        known.centre,
        known.projection,
        rows,
        before + learnt,
        np.concatenate([components, added]),
        known.scale,
        known.offset,
    )
