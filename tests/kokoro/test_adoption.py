"""A predictor for other weights than its own: tried once, kept or refused, and the outcome remembered."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from primavoce.kokoro.adoption import MOST_DISTANCE_DB, PROBES, adopt, find_or_adopt
from primavoce.kokoro.device import CPU
from primavoce.kokoro.kernel import KernelMachine
from primavoce.kokoro.prediction import StatisticsPredictor
from primavoce.kokoro.staged import Prosody, StagedModel, Statistics
from primavoce.kokoro.windows import Window

OTHER = "9" * 64
SITES, FEATURES = 6, 4
FRAMES = 200


def machine(offset: float, *, sites: int = SITES) -> KernelMachine:
    """Says ``offset`` of every site, whatever it is asked."""
    return KernelMachine(
        np.arange(2, dtype=np.int16), np.zeros(2), np.eye(2), np.zeros((1, 2)), np.zeros((4, 1)),
        np.zeros((1, sites)), np.ones(sites), np.full(sites, offset),
    )  # fmt: skip


def predictor(*, mean: float = 0.5, sites: int = SITES) -> StatisticsPredictor:
    told = machine(mean, sites=sites), machine(0.0, sites=sites)
    return StatisticsPredictor("7" * 64, frozenset({"af_heart"}), 0.2, *told)


@dataclass
class FakeStagedModel:
    """Its sound is as loud as the mean that its sites are told; their own is a half."""

    runs: list[int] = field(default_factory=list)

    device = CPU

    def prosody(self, ids: Sequence[int], style: np.ndarray, *, speed: float) -> Prosody:
        del style, speed
        nothing = np.zeros((1, 1, 1), np.float32)
        frames = np.zeros((1, 512, FRAMES), np.float32)
        return Prosody(frames, nothing, np.zeros(FEATURES), nothing, nothing, (0.1,) * (len(ids) + 2))

    def whole(self, prosody: Prosody) -> tuple[np.ndarray, Statistics]:
        self.runs.append(prosody.count)
        own = np.full(SITES, 0.5, np.float32)
        return self._sound(0.5), Statistics(own, own)

    def windows(self, prosody: Prosody, told: Statistics, planned: Iterator[Window]) -> Iterator[np.ndarray]:
        del prosody
        for window in planned:
            yield self._sound(float(told.means[0]))[300 * window.start : 300 * window.end]

    def _sound(self, level: float) -> np.ndarray:
        return level * np.random.default_rng(1).uniform(-1, 1, 300 * FRAMES).astype(np.float32)


def style(n_phonemes: int) -> np.ndarray:
    assert n_phonemes > 20
    return np.zeros((1, 256), np.float32)


def tried(model: FakeStagedModel, known: StatisticsPredictor, folder: Path) -> StatisticsPredictor | None:
    return adopt(model, known, digest=OTHER, style=style, folder=folder)  # type: ignore[arg-type]


def test_one_that_is_near_whole_runs_is_taken_for_theirs_and_not_tried_again(tmp_path: Path) -> None:
    model = FakeStagedModel()

    found = [tried(model, predictor(mean=0.51), tmp_path) for _ in range(2)]

    assert [each and (each.digest, each.voices) for each in found] == [(OTHER, {"af_heart"})] * 2
    assert len(model.runs) == len(PROBES)


def test_an_outcome_that_cannot_be_remembered_holds_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert tried(FakeStagedModel(), predictor(), tmp_path / "missing") is not None
    assert "will be tried again" in caplog.text


def test_one_that_is_not_is_refused_and_not_tried_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = FakeStagedModel()

    first = tried(model, predictor(mean=0.8), tmp_path)
    told = [each.message for each in caplog.records if each.levelno == logging.WARNING]
    runs = len(model.runs)
    second = tried(model, predictor(mean=0.8), tmp_path)

    assert (first, second) == (None, None)
    assert runs == len(model.runs) == len(PROBES)
    assert len(told) == len([each for each in caplog.records if each.levelno == logging.WARNING]) == 1
    assert "primavoce calibrate" in told[0]


def test_another_predictor_is_tried_after_one_was_refused(tmp_path: Path) -> None:
    tried(FakeStagedModel(), predictor(mean=0.8), tmp_path)
    better = replace(predictor(), means=replace(machine(0.5), weights=np.full((4, 1), 0.1)))

    assert tried(FakeStagedModel(), better, tmp_path) is not None


@pytest.mark.parametrize(
    "known",
    [predictor(sites=SITES + 1), replace(predictor(), means=replace(machine(0.5), used=np.array([900], np.int16)))],
)
def test_one_of_another_architecture_is_refused(tmp_path: Path, known: StatisticsPredictor) -> None:
    assert tried(FakeStagedModel(), known, tmp_path) is None


def test_with_nothing_packaged_there_is_nothing_to_adopt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.kokoro.prediction.packaged_predictor", lambda: None)

    model = FakeStagedModel()

    assert find_or_adopt(model, digest=OTHER, style=style, folder=tmp_path) is None  # type: ignore[arg-type]
    assert model.runs == []


@pytest.mark.model
def test_the_packages_predictor_is_adopted_for_another_export_of_the_same_model(
    asset_store, weights_path: Path, tmp_path: Path
) -> None:
    from primavoce.synthesis.kokoro_engine import prepared_weights
    from primavoce.synthesis.styles import PackStyles
    from primavoce.voices.blend import parse_voice

    styles = PackStyles(asset_store.voice)
    model: StagedModel = prepared_weights(asset_store, styles, weights_path.parent, None).load(threads=2)

    found = find_or_adopt(
        model, digest=OTHER, style=lambda n: styles.style(parse_voice("af_heart"), n), folder=tmp_path
    )

    assert found is not None, f"more than {MOST_DISTANCE_DB} dB away"
    assert found.digest == OTHER
