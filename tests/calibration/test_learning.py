"""From spoken segments to a predictor, on a model that follows simple laws."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from primavoce.calibration.calibrator import Calibrator
from primavoce.calibration.collecting import Row, collect, read_rows
from primavoce.calibration.fitting import BLOCKS, fit
from primavoce.calibration.heldout import held_out
from primavoce.calibration.judging import by_length, by_speed, summaries
from primavoce.kokoro.prediction import StatisticsPredictor, find_predictor
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
        frames = np.zeros((1, 1, 30 + len(ids)), np.float32)
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


def test_what_was_spoken_before_is_not_spoken_again(tmp_path: Path) -> None:
    first, again = calibrator(tmp_path, "af_heart"), calibrator(tmp_path, "af_heart")
    rows = rows_of(first, tmp_path / "rows", rounds=3)
    cut_off = next((tmp_path / "rows").glob("*.npz"))
    cut_off.write_bytes(cut_off.read_bytes()[:100])

    repeated = rows_of(again, tmp_path / "rows", rounds=3)

    assert again.model.spoken == 1  # type: ignore[attr-defined]
    assert [row.name for row in repeated] == [row.name for row in rows]
    assert all(np.array_equal(a.means, b.means) for a, b in zip(rows, repeated, strict=True))
    assert sorted(row.name for row in read_rows(tmp_path / "rows")) == sorted(row.name for row in rows)


def test_a_sample_without_phonemes_is_passed_over(tmp_path: Path) -> None:
    class Silent(Letters):
        def phonemize(self, text: str, language: str) -> str:
            return " "

    of = calibrator(tmp_path, "af_heart")

    assert list(collect(of.planned(2), of.model, Silent(), style, tmp_path / "rows")) == []


def test_learnt_rows_predict_texts_that_were_not_learnt(tmp_path: Path) -> None:
    of = calibrator(tmp_path, "af_heart", "af_bella")
    rows = rows_of(of, tmp_path / "rows", rounds=60)

    predictor = of.learn(rows)

    kept = [row for row in rows if held_out(row.line)]
    errors = [np.abs(predictor.predict(row.features).statistics.means - row.means).mean() for row in kept]
    spread = np.abs(np.stack([row.means for row in kept]) - np.mean([row.means for row in rows], axis=0)).mean()
    assert predictor.voices == {"af_heart", "af_bella"}
    assert np.mean(errors) < 0.1 * spread


def test_held_out_texts_are_never_learnt(tmp_path: Path) -> None:
    of = calibrator(tmp_path, "af_heart")
    rows = rows_of(of, tmp_path / "rows", rounds=30)

    predictor = of.learn(rows)

    assert len(predictor.means.rows) == sum(not held_out(row.line) for row in rows) < len(rows)


def test_the_same_rows_make_the_same_artefact_byte_for_byte(tmp_path: Path) -> None:
    of = calibrator(tmp_path, "af_heart")
    rows = rows_of(of, tmp_path / "rows")

    first, second = (of.keep(of.learn(rows), tmp_path / name).read_bytes() for name in ("a.npz", "b.npz"))

    assert first == second


def test_a_voice_is_added_and_the_known_ones_stay(tmp_path: Path) -> None:
    known = calibrator(tmp_path, "af_heart")
    known_rows = rows_of(known, tmp_path / "rows", rounds=60)
    known.keep(known.learn(known_rows), None)
    of = calibrator(tmp_path, BLEND)
    rows = rows_of(of, tmp_path / "rows", rounds=60)

    extended = of.learn(rows, add_to=of.known())
    of.keep(extended, None)

    found = find_predictor(DIGEST, tmp_path)
    assert found is not None
    assert found.voices == {"af_heart", BLEND}
    for each in (known_rows, rows):
        kept = [row for row in each if held_out(row.line)]
        errors = [np.abs(found.predict(row.features).statistics.means - row.means).mean() for row in kept]
        spread = np.abs(np.stack([row.means for row in kept])).mean()
        assert np.mean(errors) < 0.15 * spread


def test_judging_speaks_held_out_texts_both_ways(tmp_path: Path) -> None:
    of = calibrator(tmp_path, "af_heart", "bf_emma")
    rows = rows_of(of, tmp_path / "rows", rounds=60)

    judged = list(of.judge(rows, of.learn(rows), most=5))

    assert [each.row.voice for each in judged] == ["af_heart"] * 5 + ["bf_emma"] * 5
    assert all(held_out(each.row.line) for each in judged)
    found = summaries(judged)
    assert found["all"]["all"].segments == 10
    assert set(found["language"]) == {"en-us", "en-gb"}
    assert sum(each.segments for each in found["length"].values()) == 10


@pytest.mark.parametrize(
    ("seconds", "name"), [(0.4, "0 to 1 s"), (1.0, "1 to 2 s"), (14.9, "8 to 15 s"), (15, "over 15 s")]
)
def test_lengths_are_told_apart(seconds: float, name: str) -> None:
    assert by_length(judged_of(frames=round(80 * seconds))) == name


@pytest.mark.parametrize(
    ("speed", "name"), [(1.0, "own speed"), (0.5, "0.5 to 0.75"), (1.1, "0.75 to 1.33"), (2.0, "1.33 to 2")]
)
def test_speeds_are_told_apart(speed: float, name: str) -> None:
    assert by_speed(judged_of(speed=speed)) == name


def judged_of(*, frames: int = 100, speed: float = 1.0) -> object:
    from types import SimpleNamespace

    return SimpleNamespace(row=SimpleNamespace(frames=frames, speed=speed))


def test_a_predictor_of_features_that_never_vary_still_predicts(tmp_path: Path) -> None:
    features = np.zeros((12, FEATURES))
    means = np.tile(np.arange(CHANNELS, dtype=np.float64), (12, 1))

    found: StatisticsPredictor = fit(features, means, np.ones_like(means), ["af_heart"], digest=DIGEST)

    predicted = found.predict(np.zeros(FEATURES, np.float32)).statistics
    np.testing.assert_allclose(predicted.means, means[0], rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(predicted.variances, 1, rtol=1e-3)
