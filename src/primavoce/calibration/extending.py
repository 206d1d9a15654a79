"""A predictor that learns further voices.

What the segments that it knows were found to have is in it still: its weights, times what they have in common, are
their targets. New segments are put beside them, and all weights are found anew.
"""

import numpy as np

from primavoce.calibration.fitting import Floats, kernels, solve
from primavoce.kokoro.kernel import KernelMachine
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
        _extended(predictor.means, features, means),
        _extended(predictor.variances, features, np.log(variances)),
    )


def _extended(known: KernelMachine, features: Floats, targets: Floats) -> KernelMachine:
    old_rows, old_weights, components = (
        np.asarray(each, np.float64) for each in (known.rows, known.weights, known.components)
    )
    new_rows = known.coordinates(features.astype(np.float32)).astype(np.float16).astype(np.float64)
    wanted = (targets - known.offset) / known.scale
    # The known components are as good as orthonormal: rounding to eight bits turns them by a hundredth.
    in_known = wanted @ np.linalg.pinv(components)
    rest = wanted - in_known @ components
    _, _, directions = np.linalg.svd(rest, full_matrices=False)
    added = directions[: min(MORE_COMPONENTS, len(directions))]
    old_targets = kernels(old_rows, known.slope) @ old_weights + known.ridge * old_weights
    found = np.block(
        [
            [old_targets, np.zeros((len(old_targets), len(added)))],
            [in_known, rest @ added.T],
        ]
    )
    rows = np.concatenate([old_rows, new_rows])
    return KernelMachine(
        centre=known.centre,
        projection=known.projection,
        rows=rows.astype(np.float32),
        weights=solve(rows, found, slope=known.slope, ridge=known.ridge).astype(np.float32),
        slope=known.slope,
        ridge=known.ridge,
        components=np.concatenate([components, added]).astype(np.float32),
        scale=known.scale,
        offset=known.offset,
    )
