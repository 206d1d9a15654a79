import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from primavoce.kokoro import prediction
from primavoce.kokoro.kernel import KernelMachine
from primavoce.kokoro.prediction import (
    CALIBRATED,
    StatisticsPredictor,
    feature_vector,
    find_predictor,
    packaged_predictor,
)

DIGEST = "4" * 64
OTHER_DIGEST = "9" * 64
FEATURES, TARGETS = 8, 5
CHANCE = np.random.default_rng(3)
AT = CHANCE.standard_normal(FEATURES).astype(np.float32)


def machine(seed: int) -> KernelMachine:
    chance = np.random.default_rng(seed)

    def floats(*shape: int) -> np.ndarray:
        return (0.5 * chance.standard_normal(shape)).astype(np.float32)

    return KernelMachine(
        used=np.arange(FEATURES, dtype=np.int16),
        centre=floats(FEATURES),
        projection=floats(FEATURES, 3),
        rows=floats(4, 3),
        weights=floats(4 + 3 + 1, 2),
        components=floats(2, TARGETS),
        scale=floats(TARGETS),
        offset=floats(TARGETS),
    )


PREDICTOR = StatisticsPredictor(
    DIGEST, frozenset({"af_sky", "af_heart", "af_bella:0.7+af_sky:0.3"}), 0.6, machine(1), machine(2)
)


@pytest.fixture(autouse=True)
def packaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether or not the package has an artefact, these tests see none."""
    monkeypatch.setattr(prediction, "packaged_predictor", lambda: None)


def with_packaged(monkeypatch: pytest.MonkeyPatch, predictor: StatisticsPredictor) -> None:
    monkeypatch.setattr(prediction, "packaged_predictor", lambda: predictor)


def calibrated(folder: Path, predictor: StatisticsPredictor, *, digest: str = DIGEST) -> Path:
    path = folder / CALIBRATED.format(digest=digest[:16])
    predictor.save(path)
    return path


def rewritten(path: Path, **changes: object) -> None:
    with np.load(path) as found:
        arrays = dict(found)
    np.savez_compressed(path, **{name: value for name, value in (arrays | changes).items() if value is not None})


def test_means_and_variances_have_a_machine_each_and_variances_are_positive() -> None:
    found = PREDICTOR.predict(AT)

    np.testing.assert_array_equal(found.statistics.means, PREDICTOR.means.evaluate(AT)[0])
    np.testing.assert_allclose(np.log(found.statistics.variances), PREDICTOR.variances.evaluate(AT)[0], rtol=1e-5)
    assert found.distance == PREDICTOR.variances.evaluate(AT)[1]
    assert found.statistics.variances.min() > 0


def test_what_is_saved_and_loaded_predicts_the_same_but_for_rounding(tmp_path: Path) -> None:
    path = tmp_path / "statistics.npz"
    PREDICTOR.save(path)

    again = StatisticsPredictor.load(path)

    assert again is not None
    assert (again.digest, again.voices, again.reach) == (PREDICTOR.digest, PREDICTOR.voices, PREDICTOR.reach)
    found, expected = again.predict(AT), PREDICTOR.predict(AT)
    assert found.distance == pytest.approx(expected.distance, rel=0.01)
    np.testing.assert_allclose(found.statistics.means, expected.statistics.means, atol=0.05)
    np.testing.assert_allclose(found.statistics.variances, expected.statistics.variances, rtol=0.05)


def test_what_was_loaded_is_saved_to_the_same_bytes(tmp_path: Path) -> None:
    files = [tmp_path / "one.npz", tmp_path / "other.npz"]
    PREDICTOR.save(files[0])

    again = StatisticsPredictor.load(files[0])
    assert again is not None
    again.save(files[1])

    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_file_for_each_machine_is_as_good_as_one_for_both(tmp_path: Path) -> None:
    files = {part: tmp_path / f"{part}.npz" for part in prediction.PARTS}
    for part, path in files.items():
        PREDICTOR.save(path, parts=[part])
    PREDICTOR.save(tmp_path / "both.npz")

    apart, together = (StatisticsPredictor.load(*paths) for paths in (files.values(), [tmp_path / "both.npz"]))

    assert apart is not None
    assert together is not None
    np.testing.assert_array_equal(apart.predict(AT).statistics.means, together.predict(AT).statistics.means)
    np.testing.assert_array_equal(apart.predict(AT).statistics.variances, together.predict(AT).statistics.variances)


def test_the_same_predictor_makes_the_same_bytes() -> None:
    files = []
    for voices in (sorted(PREDICTOR.voices), sorted(PREDICTOR.voices, reverse=True)):
        files.append(io.BytesIO())
        replace(PREDICTOR, voices=frozenset(voices)).save(files[-1])

    assert files[0].getvalue() == files[1].getvalue()


def test_an_artefact_of_another_format_is_not_read(tmp_path: Path) -> None:
    path = calibrated(tmp_path, PREDICTOR)
    rewritten(path, format=np.array(prediction.FORMAT + 1))

    assert StatisticsPredictor.load(path) is None
    assert find_predictor(DIGEST, tmp_path) is None


def test_what_was_calibrated_here_is_preferred_to_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_packaged(monkeypatch, PREDICTOR)
    before = find_predictor(DIGEST, tmp_path)
    calibrated(tmp_path, replace(PREDICTOR, voices=frozenset({"am_adam"})))

    after = find_predictor(DIGEST, tmp_path)

    assert before is PREDICTOR
    assert after is not None
    assert after.voices == {"am_adam"}


def test_a_predictor_of_other_weights_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_packaged(monkeypatch, PREDICTOR)
    calibrated(tmp_path, PREDICTOR)

    assert find_predictor(OTHER_DIGEST, tmp_path) is None


def test_a_file_that_was_calibrated_with_other_weights_does_not_hide_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_packaged(monkeypatch, PREDICTOR)
    calibrated(tmp_path, replace(PREDICTOR, digest=OTHER_DIGEST))

    assert find_predictor(DIGEST, tmp_path) is PREDICTOR


def test_of_another_format_it_does_not_hide_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_packaged(monkeypatch, PREDICTOR)
    rewritten(calibrated(tmp_path, PREDICTOR), format=np.array(prediction.FORMAT - 1))

    assert find_predictor(DIGEST, tmp_path) is PREDICTOR


@pytest.mark.parametrize("broken", ["cut off", "empty", "no artefact", "lacks an array"])
def test_a_file_that_cannot_be_read_is_told_and_left_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    path = calibrated(tmp_path, PREDICTOR)
    match broken:
        case "cut off":
            path.write_bytes(path.read_bytes()[:500])
        case "empty":
            path.write_bytes(b"")
        case "no artefact":
            path.write_bytes(b"no artefact")
        case _:
            rewritten(path, means_rows=None)

    assert find_predictor(DIGEST, tmp_path) is None
    assert path.name in caplog.text


def test_a_feature_vector_tells_the_segment_the_style_and_the_pace() -> None:
    told, style = np.arange(4, dtype=np.float32), np.full((1, 256), 0.5, np.float32)

    found = feature_vector(told, style, speed=2.0, phonemes=30, frames=120)

    assert found.dtype == np.float32
    np.testing.assert_array_equal(found[:4], told)
    np.testing.assert_array_equal(found[4:260], style[0])
    np.testing.assert_allclose(found[260:], [np.log(120), np.log(2), 0.25], rtol=1e-6)


def test_the_packages_own_artefact_can_be_read() -> None:
    """It is made by calibration; a checkout without one speaks whole."""
    found = packaged_predictor()

    assert found is None or (found.voices and found.reach > 0)
