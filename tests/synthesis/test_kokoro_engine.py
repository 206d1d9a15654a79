"""The engine's model, on a tiny export: fetched, prepared, loaded, and made to speak in windows or whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from primavoce.assets.locations import AssetLocations
from primavoce.assets.progress import Progress
from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.features import LAGS
from primavoce.kokoro.kernel import KernelMachine
from primavoce.kokoro.prediction import CALIBRATED, StatisticsPredictor
from primavoce.kokoro.prepare import prepare
from primavoce.kokoro.staged import StagedModel, Statistics
from primavoce.synthesis import kokoro_engine as module
from primavoce.synthesis.kokoro_engine import kokoro_engine, load_prepared, prepared_weights
from primavoce.synthesis.kokoro_segments import KokoroSegments
from primavoce.synthesis.segment import RenderRequest
from primavoce.synthesis.styles import PackStyles
from primavoce.voices.packs import PACK_BYTES
from primavoce.voices.vocoder import VocoderChoice
from tests.kokoro.tiny import CHANNELS, SITES, tiny_export

SHA256 = "8" * 64
IDS = (70, 31, 16, 105, 83) * 2
STYLE = np.full((1, 256), 0.01, np.float32)
FEATURES = 3 * 512 + (3 * 2 + len(LAGS)) * CHANNELS + 256 + 3


@dataclass
class TinyStore:
    """Stands in for the asset store: a tiny export, and the same even voice by every name."""

    folder: Path

    def weights_with_digest(self) -> tuple[Path, str]:
        return self.folder / "export.onnx", SHA256

    def voice(self, name: str) -> Path:
        return self.folder / "voice.bin"


@pytest.fixture
def store(tmp_path: Path) -> TinyStore:
    tiny_export(tmp_path / "export.onnx")
    (tmp_path / "voice.bin").write_bytes(np.full(PACK_BYTES // 4, 0.01, "<f4").tobytes())
    return TinyStore(tmp_path)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture(autouse=True)
def nothing_packaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.kokoro.prediction.packaged_predictor", lambda: None)


@pytest.mark.parametrize("name", ["prosody.onnx", "generator.onnx"])
@pytest.mark.parametrize("broken", ["cut off", "gone"])
def test_a_prepared_graph_that_cannot_be_loaded_is_made_anew(
    store: TinyStore, cache: Path, caplog: pytest.LogCaptureFixture, name: str, broken: str
) -> None:
    styles = PackStyles(store.voice)
    load_prepared(store, styles, cache, None, 1)  # type: ignore[arg-type]
    (folder,) = cache.iterdir()
    whole = (folder / name).read_bytes()
    if broken == "gone":
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(whole[: len(whole) // 2])

    load_prepared(store, styles, cache, None, 1)  # type: ignore[arg-type]

    assert (folder / name).read_bytes() == whole
    assert f"{folder.name} can't be loaded and is prepared again" in caplog.text


def test_an_export_that_cannot_be_prepared_is_said(store: TinyStore, cache: Path) -> None:
    (store.folder / "export.onnx").write_bytes(b"no graph")

    with pytest.raises(PreparationFailed, match="no ONNX file"):
        load_prepared(store, PackStyles(store.voice), cache, None, 1)  # type: ignore[arg-type]


def test_preparing_is_told_step_by_step(store: TinyStore, cache: Path) -> None:
    told: list[Progress] = []

    prepared_weights(store, PackStyles(store.voice), cache, told.append)  # type: ignore[arg-type]

    assert [each.note for each in told][0::2] == ["preparing the weights", "the weights are prepared"]


def true_statistics(store: TinyStore, cache: Path) -> Statistics:
    model = prepare(store.folder / "export.onnx", cache, source_sha256=SHA256, probe_style=lambda _: STYLE).load(
        threads=1
    )
    return model.whole(model.prosody(IDS, STYLE, speed=1.0))[1]


def predictor_of(statistics: Statistics, *, digest: str = SHA256) -> StatisticsPredictor:
    """Predict the same of every segment, at no distance."""

    def constant(targets: np.ndarray) -> KernelMachine:
        return KernelMachine(
            used=np.arange(FEATURES, dtype=np.int16),
            centre=np.zeros(FEATURES, np.float32),
            projection=np.zeros((FEATURES, 1), np.float32),
            rows=np.zeros((1, 1), np.float32),
            weights=np.zeros((3, 1), np.float32),
            components=np.ones((1, SITES * CHANNELS), np.float32),
            scale=np.ones(SITES * CHANNELS, np.float32),
            offset=targets,
        )

    means, variances = constant(statistics.means), constant(np.log(statistics.variances))
    return StatisticsPredictor(digest, frozenset({"af_heart"}), 0.5, means, variances)


def loaded(
    store: TinyStore, cache: Path, monkeypatch: pytest.MonkeyPatch, *, vocoder: VocoderChoice | None = None
) -> KokoroSegments:
    """Load the engine's model, and nothing else of it."""
    monkeypatch.setattr(module, "AssetStore", lambda *_, **__: store)
    model = kokoro_engine(AssetLocations(cache_dir=cache), threads=1, vocoder=vocoder)._load_model()
    assert isinstance(model, KokoroSegments)
    return model


def spoken(model: KokoroSegments, voice: str = "af_heart") -> list[np.ndarray]:
    return list(model.render(RenderRequest(IDS, STYLE, voice)).parts)


def test_with_a_calibration_in_the_cache_a_voice_is_spoken_in_windows(
    store: TinyStore, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    predictor_of(true_statistics(store, cache)).save(cache / CALIBRATED.format(digest=SHA256[:16]))
    asked = VocoderChoice(by_voice={"af_sky": "whole"})
    model = loaded(store, cache, monkeypatch, vocoder=asked)

    in_windows, whole = spoken(model), spoken(model, "af_sky")

    assert (len(in_windows) > 1, len(whole)) == (True, 1)
    np.testing.assert_allclose(np.concatenate(in_windows), whole[0], atol=1e-3)
    assert (model.tally.segments["asked"], model.tally.segments["voice"]) == (1, 0)


@pytest.mark.parametrize("calibrated", ["never", "with other weights"])
def test_without_one_it_is_spoken_whole(
    store: TinyStore, cache: Path, monkeypatch: pytest.MonkeyPatch, calibrated: str
) -> None:
    if calibrated != "never":
        other = predictor_of(true_statistics(store, cache), digest="0" * 64)
        other.save(cache / CALIBRATED.format(digest=SHA256[:16]))
    model = loaded(store, cache, monkeypatch)

    parts = spoken(model)

    assert len(parts) == 1
    assert set(model.tally.segments) == {"voice"}


@pytest.mark.parametrize("calibrated", [True, False])
def test_the_first_utterance_finds_the_run_time_warm_and_is_the_first_that_counts(
    store: TinyStore, cache: Path, monkeypatch: pytest.MonkeyPatch, calibrated: bool
) -> None:
    if calibrated:
        predictor_of(true_statistics(store, cache)).save(cache / CALIBRATED.format(digest=SHA256[:16]))
    prepared_weights(store, PackStyles(store.voice), cache, None)  # type: ignore[arg-type]
    runs: list[str] = []
    whole, in_windows = StagedModel.whole, StagedModel.windows

    def counted(model: StagedModel, *asked: Any) -> Iterator[np.ndarray]:
        for part in in_windows(model, *asked):
            runs.append("window")
            yield part

    monkeypatch.setattr(StagedModel, "whole", lambda *asked: runs.append("whole") or whole(*asked))
    monkeypatch.setattr(StagedModel, "windows", counted)

    model = loaded(store, cache, monkeypatch)

    assert (runs[0], set(runs[1:])) == ("whole", {"window"} if calibrated else {"whole"})
    assert model.tally.segments.total() == 0
