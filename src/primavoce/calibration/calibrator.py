"""A calibration from end to end: speak, learn, judge by what wasn't learnt, keep."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from primavoce.calibration.collecting import Floats, Phonemes, Row, collect, stacked
from primavoce.calibration.extending import extend
from primavoce.calibration.fitting import fit
from primavoce.calibration.heldout import held_out
from primavoce.calibration.judging import Judged, judge
from primavoce.calibration.plan import Sample, samples
from primavoce.kokoro.prediction import PACKAGED, PARTS, StatisticsPredictor, calibrated_path, find_predictor
from primavoce.kokoro.staged import StagedModel
from primavoce.kokoro.windows import ALONE_FRAMES
from primavoce.voices.blend import Blend


@dataclass(frozen=True, slots=True)
class Calibrator:
    """Makes predictors; blocking."""

    model: StagedModel
    phonemes: Phonemes
    style: Callable[[str, int], Floats]
    """Gives a voice's style vector, (1, 256), by its canonical name, for a number of phonemes."""
    voices: Sequence[Blend]
    """Whom to learn."""
    digest: str
    """SHA-256 of the published weights."""
    cache: Path
    """Where the engine looks for calibrated predictors."""

    def planned(self, rounds: int) -> list[Sample]:
        """Return what is to be spoken."""
        return list(samples([(voice.name, voice.language) for voice in self.voices], rounds))

    def collect(self, planned: Sequence[Sample], folder: Path) -> Iterator[Row]:
        """Speak what is planned and yield each row; what is in ``folder`` is taken from there."""
        return collect(planned, self.model, self.phonemes, self.style, folder)

    def known(self) -> StatisticsPredictor | None:
        """Return the predictor that further voices can be added to."""
        return find_predictor(self.digest, self.cache)

    def learn(self, rows: Sequence[Row], *, add_to: StatisticsPredictor | None = None) -> StatisticsPredictor:
        """Return a predictor that knows the ``rows`` whose texts aren't held out, alone or beside what it knew."""
        features, means, variances = stacked([row for row in rows if not held_out(row.line)])
        names = frozenset(voice.name for voice in self.voices)
        if add_to is not None:
            return extend(add_to, features, means, variances, names)
        return fit(features, means, variances, sorted(names), digest=self.digest)

    def judge(self, rows: Sequence[Row], predictor: StatisticsPredictor, *, most: int) -> Iterator[Judged]:
        """Speak rows with held-out texts both ways, up to ``most`` of each voice, and yield what differs.

        Segments so short that they are always spoken whole aren't judged.
        """
        languages = {voice.name: voice.language for voice in self.voices}
        for voice in self.voices:
            kept = [row for row in rows if row.voice == voice.name and held_out(row.line) and row.frames > ALONE_FRAMES]
            chosen = random.Random(voice.name).sample(kept, min(most, len(kept)))  # noqa: S311 - not a secret
            yield from judge(chosen, predictor, self.model, self.style, languages)

    def keep(self, predictor: StatisticsPredictor, out: Path | None) -> Path:
        """Write ``predictor`` where the engine looks for it, or to ``out``, and return where.

        A folder gets a file for each of its machines, named as the package's are.
        """
        path = out or calibrated_path(self.digest, self.cache)
        if path.is_dir():
            for part in PARTS:
                predictor.save(path / PACKAGED.format(part=part), parts=[part])
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        with unfinished.open("wb") as file:
            predictor.save(file)
        return unfinished.replace(path)
