"""A model that follows simple laws, and a calibration of it."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from primavoce.calibration.calibrator import Calibrator
from primavoce.calibration.collecting import Row
from primavoce.calibration.fitting import BLOCKS
from primavoce.kokoro.staged import FRAME_SAMPLES, Prosody, Statistics
from primavoce.voices.blend import parse_voice

FEATURES = sum(BLOCKS.values())
TOLD = FEATURES - 256 - 3
CHANNELS = 40
CHANCE = np.random.default_rng(3)
LAW = CHANCE.standard_normal((8, TOLD)) / 8
MEANS, VARIANCES = (CHANCE.standard_normal((CHANNELS, 8)) for _ in range(2))
DIGEST = "7" * 64
BLEND = "af_bella:0.5+af_heart:0.5"


class Law:
    """A model whose statistics follow from eight hidden numbers, and whose sound is only right by the right ones."""

    def __init__(self) -> None:
        self.spoken = 0

    def prosody(self, ids: list[int], style: np.ndarray, *, speed: float) -> Prosody:
        chance = np.random.default_rng(abs(hash((tuple(ids), round(speed, 6), float(style.sum())))) % 2**32)
        hidden = chance.standard_normal(8)
        told = (hidden @ LAW).astype(np.float32)
        frames = np.zeros((1, 1, 60 + len(ids)), np.float32)
        frames[0, 0, :8] = hidden
        empty = np.zeros((1, 1, 1), np.float32)
        return Prosody(frames, empty, told, empty, empty, (0.1,) * (len(ids) + 2))

    def whole(self, prosody: Prosody) -> tuple[np.ndarray, Statistics]:
        self.spoken += 1
        statistics = self._statistics(prosody)
        return self._sound(prosody, statistics), statistics

    def windows(self, prosody: Prosody, statistics: Statistics, windows: Iterator[object]) -> Iterator[np.ndarray]:
        yield from np.array_split(self._sound(prosody, statistics), len(list(windows)))

    def _statistics(self, prosody: Prosody) -> Statistics:
        hidden = prosody.frames[0, 0, :8]
        return Statistics((MEANS @ hidden).astype(np.float32), np.exp(0.1 * VARIANCES @ hidden).astype(np.float32))

    def _sound(self, prosody: Prosody, statistics: Statistics) -> np.ndarray:
        """A tone, as loud as the error of the statistics makes it."""
        true = self._statistics(prosody)
        error = float(np.abs(statistics.means - true.means).mean())
        time = np.arange(prosody.count * FRAME_SAMPLES) / 24_000
        return ((0.1 + error) * np.sin(2 * np.pi * 440 * time)).astype(np.float32)


class Letters:
    def phonemize(self, text: str, language: str) -> str:
        return "".join(letter for letter in text.lower() if letter in "abdefhijklmnoprstuvwz")[:40]


def style(voice: str, n_phonemes: int) -> np.ndarray:
    chance = np.random.default_rng(sum(voice.encode()) + n_phonemes)
    return chance.standard_normal((1, 256)).astype(np.float32)


def calibrator(tmp_path: Path, *voices: str) -> Calibrator:
    blends = [parse_voice(voice) for voice in voices]
    return Calibrator(Law(), Letters(), style, blends, digest=DIGEST, cache=tmp_path)  # type: ignore[arg-type]


def rows_of(calibrator: Calibrator, folder: Path, rounds: int = 20) -> list[Row]:
    return list(calibrator.collect(calibrator.planned(rounds), folder))
