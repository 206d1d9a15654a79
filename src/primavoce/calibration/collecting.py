"""Segments spoken whole, and what their normalisations found: what a predictor is made of."""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from primavoce.calibration.plan import Sample
from primavoce.kokoro.prediction import feature_vector
from primavoce.kokoro.staged import StagedModel
from primavoce.phonemes.alphabet import encode

MOST_PHONEMES = 400
"""Of a sample; what is longer is cut."""

type Floats = NDArray[np.float32]


class Phonemes(Protocol):
    """Turns text into phonemes."""

    def phonemize(self, text: str, language: str) -> str:
        """Return the phonemes of ``text`` in a language's wire tag."""


@dataclass(frozen=True, slots=True)
class Row:
    """One segment, spoken."""

    name: str
    voice: str
    line: int
    """Line of the language's calibration texts that it comes from."""
    phonemes: str
    speed: float
    frames: int
    features: Floats
    """As `primavoce.kokoro.prediction.feature_vector` makes them."""
    means: Floats
    variances: Floats


def collect(
    planned: Iterable[Sample],
    model: StagedModel,
    phonemes: Phonemes,
    style: Callable[[str, int], Floats],
    folder: Path,
) -> Iterator[Row]:
    """Speak what is planned and yield each row; those that are in ``folder`` already are read.

    Samples without phonemes are passed over.

    Args:
        planned: What to speak.
        model: Speaks.
        phonemes: Reads.
        style: Gives a voice's style vector, (1, 256), for a number of phonemes.
        folder: Where rows are kept, a file each, so that a collection can be cut short and taken up again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for sample in planned:
        path = folder / f"{sample.name}.npz"
        row = _read(path)
        if row is None:
            spelled = phonemes.phonemize(sample.text, sample.language)[:MOST_PHONEMES]
            if not spelled.strip():
                continue
            row = speak(sample, spelled, model, style(sample.voice, len(spelled)))
            _write(path, row)
        yield row


def speak(sample: Sample, phonemes: str, model: StagedModel, style: Floats) -> Row:
    """Speak one sample whole, and return its row."""
    prosody = model.prosody(encode(phonemes), style, speed=sample.speed)
    _, statistics = model.whole(prosody)
    features = feature_vector(prosody.features, style, speed=sample.speed, phonemes=len(phonemes), frames=prosody.count)
    return Row(
        sample.name,
        sample.voice,
        sample.line,
        phonemes,
        sample.speed,
        prosody.count,
        features,
        statistics.means,
        statistics.variances,
    )


def _write(path: Path, row: Row) -> None:
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez(file, **{name: np.asarray(getattr(row, name)) for name in Row.__slots__})  # type: ignore[arg-type]
    unfinished.replace(path)


def _read(path: Path) -> Row | None:
    """Return the row of a file, or None where there is no whole one."""
    try:
        # Given the path, numpy would leave a broken file open.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            arrays = {name: found[name] for name in Row.__slots__}
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile):
        return None
    plain = {name: value.item() if value.ndim == 0 else value for name, value in arrays.items()}
    return Row(**plain)


def read_rows(folder: Path) -> list[Row]:
    """Return the rows of a folder, by name."""
    found = (_read(path) for path in sorted(folder.glob("*.npz")))
    return [row for row in found if row is not None]


def stacked(rows: Sequence[Row]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the rows' features, means and variances, a line each."""
    return (
        np.stack([row.features for row in rows]).astype(np.float64),
        np.stack([row.means for row in rows]).astype(np.float64),
        np.stack([row.variances for row in rows]).astype(np.float64),
    )
