"""The inverse transform's constants, of exports that have it in one part or in two."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.inverse import find_inverse
from primavoce.kokoro.inverse_stft import LEVEL, InverseBasis, InverseStft
from primavoce.kokoro.model import KokoroModel
from primavoce.kokoro.prepare import prepare
from tests.kokoro import tiny

STYLE = np.full((1, 256), 0.01, np.float32)
IDS = (70, 31, 16, 105, 83)


@pytest.fixture
def model(tmp_path: Path) -> onnx.ModelProto:
    return onnx.load(tiny.tiny_export(tmp_path / "export.onnx", quantised=False))


def found_in(model: onnx.ModelProto) -> InverseBasis:
    return find_inverse(GraphEditor(model))


def maker(model: onnx.ModelProto, output: str) -> onnx.NodeProto:
    return next(node for node in model.graph.node if output in node.output)


def constant(model: onnx.ModelProto, name: str) -> np.ndarray:
    return numpy_helper.to_array(next(tensor for tensor in model.graph.initializer if tensor.name == name))


def in_two(model: onnx.ModelProto) -> onnx.ModelProto:
    """Write the inverse transform as the exporter does that avoids complex numbers: no window sum, and no level."""
    waves = constant(model, tiny.INVERSE_BASIS)
    parts = {"cosines": waves[:11], "sines": -waves[11:]}
    model.graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(part), name) for name, part in parts.items()
    )
    kept = [node for node in model.graph.node if node.output[0] not in {"overlapped", "waves"}]
    kept = [node for node in kept if node.output[0] not in {"beginning", "beginning:even", "rest", "even", "loud"}]
    at = next(index for index, node in enumerate(kept) if node.output[0] == "trimmed")
    kept[at:at] = [
        helper.make_node("ConvTranspose", ["real", "cosines"], ["of cosines"], kernel_shape=[20], strides=[5]),
        helper.make_node("ConvTranspose", ["imaginary", "sines"], ["of sines"], kernel_shape=[20], strides=[5]),
        helper.make_node("Sub", ["of cosines", "of sines"], ["loud"]),
    ]
    graph = onnx.GraphProto()
    graph.node.extend(kept)
    del model.graph.node[:]
    model.graph.node.extend(graph.node)
    return model


def test_in_one_part_it_is_found_with_what_divides_the_first_samples(model: onnx.ModelProto) -> None:
    found = found_in(model)

    np.testing.assert_array_equal(found.waves, constant(model, tiny.INVERSE_BASIS))
    np.testing.assert_array_equal(found.window_sum, constant(model, tiny.WINDOW_SUM))


def test_the_window_sum_is_found_behind_whatever_picks_of_it(model: onnx.ModelProto) -> None:
    """Exporters pick the samples that aren't divided by zero, from a sum that is cut to the audio's length."""
    maker(model, "beginning:even").input[1] = "picked"
    model.graph.node.extend(
        [
            helper.make_node("Slice", [tiny.WINDOW_SUM, "slice:0", "slice:20"], ["part"]),
            helper.make_node("Gather", ["part", "slice:0"], ["picked"]),
        ]
    )

    np.testing.assert_array_equal(found_in(model).window_sum, constant(model, tiny.WINDOW_SUM))


def test_another_level_goes_into_the_waves(model: onnx.ModelProto) -> None:
    maker(model, "loud").input[1] = "two"

    found = found_in(model)

    np.testing.assert_array_equal(found.waves, constant(model, tiny.INVERSE_BASIS) / 2)


def test_in_two_parts_it_is_put_together(model: onnx.ModelProto) -> None:
    found = found_in(in_two(model))

    np.testing.assert_array_equal(found.waves, constant(model, tiny.INVERSE_BASIS) / np.float32(LEVEL))
    assert not found.window_sum.any()
    assert np.isfinite(InverseStft(found).push(np.zeros((22, 30), np.float32))).all()


def test_an_export_with_it_in_two_parts_is_prepared_and_speaks_alike(model: onnx.ModelProto, tmp_path: Path) -> None:
    source = tmp_path / "in_two.onnx"
    onnx.save(in_two(model), source)

    ours = prepare(source, tmp_path / "cache", source_sha256="3" * 64, probe_style=lambda _: STYLE).load(threads=1)

    samples, _ = ours.whole(ours.prosody(IDS, STYLE, speed=1.0))
    np.testing.assert_allclose(
        samples, KokoroModel.load(source, threads=1).synthesize(IDS, STYLE, speed=1.0), atol=1e-4
    )


def test_two_parts_that_are_added_are_refused(model: onnx.ModelProto) -> None:
    maker(in_two(model), "loud").op_type = "Add"

    with pytest.raises(PreparationFailed, match="aren't subtracted"):
        found_in(model)


def test_an_export_without_one_is_refused(model: onnx.ModelProto) -> None:
    maker(model, "overlapped").attribute[1].ints[:] = [4]

    with pytest.raises(PreparationFailed, match="inverse transform can't be told: 0 places"):
        found_in(model)


@pytest.mark.parametrize("divisor", ["four", "real"])
def test_one_that_divides_by_something_else_is_refused(model: onnx.ModelProto, divisor: str) -> None:
    maker(model, "beginning:even").input[1] = divisor

    with pytest.raises(PreparationFailed, match="divides in an unknown way"):
        found_in(model)
