"""Context that is dropped between the generator's halves."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph import names
from primavoce.kokoro.graph.halfway import drop_context
from primavoce.kokoro.prepare import modern, prepare, rewrite
from tests.kokoro.tiny import CHANNELS, SITES, USES, tiny_export

READ = 20
"""Frames that the generator is given."""


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> onnxruntime.InferenceSession:
    folder = tmp_path_factory.mktemp("export")
    style = np.linspace(-0.05, 0.05, 256, dtype=np.float32)[None]
    source = tiny_export(folder / "export.onnx")
    made = prepare(source, folder / "cache", source_sha256="7" * 64, probe_style=lambda _: style)
    return onnxruntime.InferenceSession(str(made.generator), providers=["CPUExecutionProvider"])


def spectrum(generator: onnxruntime.InferenceSession, dropped: tuple[int, int]) -> np.ndarray:
    chance = np.random.default_rng(4)

    def some(*shape: int) -> np.ndarray:
        return chance.uniform(0.5, 1, shape).astype(np.float32)

    feed = {
        names.FRAMES: some(1, 512, READ),
        names.SOURCE: some(1, 22, 60 * READ + 1),
        names.SCALES: some(1, USES * CHANNELS, 1),
        names.SHIFTS: some(1, USES * CHANNELS, 1),
        names.MEANS: some(1, SITES * CHANNELS, 1),
        names.VARIANCES: some(1, SITES * CHANNELS, 1),
        names.OWN: np.array(False),
        names.DROPPED: np.array(dropped, np.int64),
    }
    return generator.run([names.SPECTRUM], feed)[0]


@pytest.mark.parametrize(("before", "after"), [(0, 0), (0, 3), (5, 0), (5, 3)])
def test_what_is_left_is_as_it_was(generator: onnxruntime.InferenceSession, before: int, after: int) -> None:
    whole, less = spectrum(generator, (0, 0)), spectrum(generator, (before, after))

    assert less.shape[2] == 60 * (READ - before - after) + 1
    kept = whole[:, :, 60 * before : whole.shape[2] - 60 * after]
    # But for the edges, where the last convolution looks beyond what is there, and a value is reflected.
    np.testing.assert_allclose(less[:, :, 3:-3], kept[:, :, 3:-3], atol=1e-5)


def test_a_generator_without_a_second_half_is_refused(tmp_path: Path) -> None:
    model = modern(onnx.load(tiny_export(tmp_path / "export.onnx")))
    rewrite(model)
    for node in model.graph.node:
        if node.op_type == "ConvTranspose":
            node.op_type = "Conv"

    with pytest.raises(PreparationFailed, match="halfway"):
        drop_context(model)
