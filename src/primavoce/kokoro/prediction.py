"""The statistics of a segment's normalisations, predicted before the segment is spoken.

A kernel machine: what a new segment has in common with those that were spoken whole for calibration decides what their
statistics say of its own. Means and variances have a machine each; `primavoce.calibration` makes them.
"""

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.kernel import KernelMachine
from primavoce.kokoro.staged import Statistics

PARTS = ("means", "variances")
"""The machines of a predictor."""
PACKAGED = "statistics-{part}.npz"
"""The artefact in the package: a file for each machine, neither too large to review as a change."""
CALIBRATED = "statistics-{digest}.npz"
"""What `primavoce calibrate` leaves in the cache, by the first 16 digits of the weights' digest."""
FORMAT = 2
"""Raised whenever an artefact means something else; others aren't read."""

type Floats = NDArray[np.float32]

log = logging.getLogger("primavoce.kokoro")


def feature_vector(told: Floats, style: Floats, *, speed: float, phonemes: int, frames: int) -> Floats:
    """Return what a prediction is made of, as one vector.

    Args:
        told: What the first stage tells of the segment, as `primavoce.kokoro.staged.Prosody.features`.
        style: The style vector, (1, 256).
        speed: As it was asked for.
        phonemes: How many, without padding.
        frames: How many the generator is to speak.
    """
    pace = [np.log(frames), np.log(speed), phonemes / frames]
    return np.concatenate([told.reshape(-1), style.reshape(-1), np.asarray(pace, np.float32)]).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is expected of a segment."""

    statistics: Statistics
    distance: float
    """From the nearest segment of the calibration, in the kernel's measure: 0 is the same, and beyond
    `StatisticsPredictor.reach` it is a guess."""


@dataclass(frozen=True, slots=True)
class StatisticsPredictor:
    """Predicts statistics; safe to share."""

    digest: str
    """SHA-256 of the published weights that it was made with."""
    voices: frozenset[str]
    """Canonical names of the voices and blends that it knows."""
    reach: float
    """Distance up to which it was found good."""
    means: KernelMachine
    """Predicts means."""
    variances: KernelMachine
    """Predicts the logarithms of variances."""

    def predict(self, features: Floats) -> Prediction:
        """Predict the statistics of a segment of a voice that it knows, by its `feature_vector`."""
        means, _ = self.means.evaluate(features)
        log_variances, distance = self.variances.evaluate(features)
        return Prediction(Statistics(means, np.exp(log_variances)), distance)

    def save(self, file: Path | IO[bytes], *, parts: Sequence[str] = PARTS) -> None:
        """Write it as an artefact; the same predictor makes the same bytes.

        Args:
            file: Where to.
            parts: Which of the two machines; the other then needs a file of its own.
        """
        arrays: dict[str, Any] = {
            "format": np.array(FORMAT),
            "digest": np.array(self.digest),
            "voices": np.array(sorted(self.voices)),
            "reach": np.array(self.reach),
        }
        for part in parts:
            machine: KernelMachine = getattr(self, part)
            arrays |= {f"{part}_{name}": value for name, value in machine.packed().items()}
        np.savez_compressed(file, **arrays)

    @classmethod
    def load(cls, *files: Path | IO[bytes]) -> Self | None:
        """Read an artefact, in one file or several; None if it is of another format."""
        found: dict[str, Any] = {}
        for file in files:
            with np.load(file, allow_pickle=False) as some:
                found |= {name: some[name] for name in some.files}
        if int(found["format"]) != FORMAT:
            return None
        machines = [
            KernelMachine.unpacked(
                {name.removeprefix(f"{part}_"): value for name, value in found.items() if name.startswith(f"{part}_")}
            )
            for part in PARTS
        ]
        return cls(str(found["digest"]), frozenset(found["voices"].tolist()), float(found["reach"]), *machines)


def find_predictor(digest: str, folder: Path) -> StatisticsPredictor | None:
    """Return the predictor for weights of this SHA-256 ``digest``: what was calibrated here, or the package's own.

    Args:
        digest: Of the published export.
        folder: Where calibration leaves its outcome.
    """
    for found in (_calibrated(calibrated_path(digest, folder)), packaged_predictor()):
        if found is not None and found.digest == digest:
            return found
    return None


def calibrated_voices(folder: Path) -> frozenset[str]:
    """Return the canonical names of all voices and blends that the package or a calibration in ``folder`` knows."""
    own = (_calibrated(path) for path in sorted(folder.glob(CALIBRATED.format(digest="*"))))
    found = [each.voices for each in (packaged_predictor(), *own) if each is not None]
    return frozenset[str]().union(*found)


def calibrated_path(digest: str, folder: Path) -> Path:
    """Return where in ``folder`` a calibration for weights of this SHA-256 ``digest`` is kept."""
    return folder / CALIBRATED.format(digest=digest[:16])


def _calibrated(path: Path) -> StatisticsPredictor | None:
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:  # given the path, numpy would leave a broken file open
            return StatisticsPredictor.load(file)
    except (OSError, EOFError, KeyError, TypeError, ValueError, BadZipFile) as error:
        log.warning("%s can't be read (%s); calibrate again", path.name, type(error).__name__)
        return None


@cache
def packaged_predictor() -> StatisticsPredictor | None:
    """Return the predictor that comes with the package."""
    found = [files("primavoce.kokoro") / PACKAGED.format(part=part) for part in PARTS]
    if not all(resource.is_file() for resource in found):
        return None
    with ExitStack() as opened:
        return StatisticsPredictor.load(*(opened.enter_context(resource.open("rb")) for resource in found))
