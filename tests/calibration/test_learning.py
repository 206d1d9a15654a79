"""From spoken segments to a predictor, on a model that follows simple laws."""

from pathlib import Path

import numpy as np
import pytest

from primavoce.calibration.collecting import collect, read_rows
from primavoce.calibration.fitting import fit
from primavoce.calibration.heldout import held_out
from primavoce.calibration.judging import by_length, by_speed, summaries
from primavoce.kokoro.prediction import StatisticsPredictor, find_predictor
from primavoce.kokoro.windows import ALONE_FRAMES
from tests.calibration.law import BLEND, CHANNELS, DIGEST, FEATURES, Letters, calibrator, rows_of, style


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

    judged = list(of.judge(rows, of.learn(rows), most=3))

    assert [each.row.voice for each in judged] == ["af_heart"] * 3 + ["bf_emma"] * 3
    assert all(held_out(each.row.line) for each in judged)
    assert min(row.frames for row in rows) < ALONE_FRAMES < min(each.row.frames for each in judged)
    found = summaries(judged)
    assert found["all"]["all"].segments == 6
    assert set(found["language"]) == {"en-us", "en-gb"}
    assert sum(each.segments for each in found["length"].values()) == 6


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
