"""The package's predictor for weights that it wasn't made with: tried once, and kept if it is near enough.

The published exports are one model in several precisions. What was learnt of one is most likely true of the others, but
that is measured before it is relied on.
"""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from primavoce.kokoro import prediction
from primavoce.kokoro.log_mel import log_mel_distance
from primavoce.kokoro.model import Samples
from primavoce.kokoro.prediction import StatisticsPredictor, calibrated_path, feature_vector
from primavoce.kokoro.staged import StagedModel
from primavoce.kokoro.windows import windows
from primavoce.phonemes.alphabet import encode

PROBES = (
    "ðə tɹˈAn lˈivz æt sˈɛvən, ænd plˈiz bɹˈɪŋ jʊɹ tˈɪkɪt.",
    "ˈI wˌʊd lˈIk ɐ kˈʌp ʌv tˈi, bˌʌt wˌɪðˈWt mˈɪlk.",
    "hˌW mˈɛni pˈipəl ɑɹ kˈʌmɪŋ tə dˈɪnəɹ?",
)
"""Sentences of two to four seconds."""
MOST_DISTANCE_DB = 1.0
"""Mean log-mel distance of their windows from their whole runs up to which a predictor is near enough."""
FIT, UNFIT = ".fit", ".unfit"
"""End the names of the files that say which predictor was tried, and what came of it."""

log = logging.getLogger("primavoce.kokoro")


def find_or_adopt(
    model: StagedModel, *, digest: str, style: Callable[[int], Samples], folder: Path
) -> StatisticsPredictor | None:
    """Return the predictor for ``model``: one that was made with its weights, or the package's own if it does as well.

    Args:
        model: The weights.
        digest: SHA-256 of the published export that they come from.
        style: Gives the style vector, shape (1, 256), of a voice that the package's predictor knows, for a number of
            phonemes.
        folder: Where calibration leaves its outcome.
    """
    found = prediction.find_predictor(digest, folder)
    packaged = prediction.packaged_predictor()
    if found is not None or packaged is None:
        return found
    return adopt(model, packaged, digest=digest, style=style, folder=folder)


def adopt(
    model: StagedModel, predictor: StatisticsPredictor, *, digest: str, style: Callable[[int], Samples], folder: Path
) -> StatisticsPredictor | None:
    """Return ``predictor`` as one for other weights, if it does well with them, and remember the outcome.

    Args:
        model: The other weights.
        predictor: Made with some.
        digest: SHA-256 of the other weights.
        style: Gives the style vector, shape (1, 256), of a voice that it knows, for a number of phonemes.
        folder: Where the outcome is remembered, for this predictor alone.
    """
    fit, unfit = (calibrated_path(digest, folder).with_suffix(suffix) for suffix in (FIT, UNFIT))
    name = _identity(predictor)
    adopted = replace(predictor, digest=digest)
    if _reads(fit) == name:
        return adopted
    if _reads(unfit) == name:
        return None
    distance_db = float(np.mean([_distance_db(model, predictor, probe, style) for probe in PROBES]))
    is_fit = distance_db <= MOST_DISTANCE_DB
    if is_fit:
        log.info("the package's predictor is good for these weights: %.2f dB from whole runs", distance_db)
    else:
        told = (
            "segments of these weights are spoken whole: the package's predictor is %.2f dB off (primavoce calibrate)"
        )
        log.warning(told, distance_db)
    try:
        (fit if is_fit else unfit).write_text(name, encoding="ascii")
    except OSError as error:
        log.warning("it will be tried again at the next start: %s can't be written (%s)", folder, error.strerror)
    return adopted if is_fit else None


def _reads(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return None


def _distance_db(
    model: StagedModel, predictor: StatisticsPredictor, probe: str, style: Callable[[int], Samples]
) -> float:
    ids = encode(probe)
    voice = style(len(ids))
    prosody = model.prosody(ids, voice, speed=1.0)
    whole, own = model.whole(prosody)
    features = feature_vector(prosody.features, voice, speed=1.0, phonemes=len(ids), frames=prosody.count)
    if features.size <= predictor.means.used.max() or own.means.size != predictor.means.offset.size:
        return float("inf")  # another architecture
    predicted = predictor.predict(features).statistics
    made = np.concatenate(
        list(model.windows(prosody, predicted, windows(prosody.count, lead=prosody.lead, sizes=model.device.sizes)))
    )
    return log_mel_distance(whole, made)


def _identity(predictor: StatisticsPredictor) -> str:
    """Return a name that no other predictor has."""
    return hashlib.sha256(np.ascontiguousarray(predictor.means.weights).tobytes()).hexdigest()
