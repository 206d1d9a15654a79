"""Where an export is cut, found in graphs whose values are called anything."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph import names
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.landmarks import Landmarks, find_landmarks, free_names, name_landmarks
from primavoce.kokoro.graph.renaming import rename_values
from tests.kokoro import tiny

IN_TINY = Landmarks(
    frames=tiny.FRAMES,
    style=tiny.STYLE,
    source=tiny.SOURCE,
    upsampled=tiny.UPSAMPLED,
    source_slow=tiny.SOURCE_SLOW,
    source_fast=tiny.SOURCE_FAST,
    spectrum=tiny.SPECTRUM,
)
UPSAMPLES, SLOW, FAST, SPECTRUM = (
    "the convolution that upsamples the frames",
    "the convolution of every sixth source frame",
    "the convolution of every source frame",
    "the convolution that makes the spectrum",
)


@pytest.fixture
def model(tmp_path: Path) -> onnx.ModelProto:
    return onnx.load(tiny.tiny_export(tmp_path / "export.onnx", quantised=False))


def found_in(model: onnx.ModelProto) -> Landmarks:
    return find_landmarks(GraphEditor(model))


def maker(model: onnx.ModelProto, output: str) -> onnx.NodeProto:
    return next(node for node in model.graph.node if output in node.output)


def constant(model: onnx.ModelProto, name: str) -> onnx.TensorProto:
    return next(tensor for tensor in model.graph.initializer if tensor.name == name)


def test_they_are_found(model: onnx.ModelProto) -> None:
    assert found_in(model) == IN_TINY


def test_they_are_found_whatever_they_are_called(model: onnx.ModelProto) -> None:
    others = {tiny.FRAMES: "a", tiny.STYLE: "b", tiny.SOURCE: "c", tiny.UPSAMPLED: "d", tiny.SOURCE_SLOW: "e"}
    rename_values(model.graph, {**others, tiny.SOURCE_FAST: "f", tiny.SPECTRUM: "g", "w": "h", "ups.0": "i"})

    assert found_in(model) == Landmarks("a", "b", "c", "d", "e", "f", "g")


def test_a_style_that_goes_through_a_general_product_is_found(model: onnx.ModelProto) -> None:
    for node in model.graph.node:
        if node.op_type == "MatMul":
            node.op_type = "Gemm"
            node.attribute.append(helper.make_attribute("transB", 1))
    weights = constant(model, "w")
    weights.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(numpy_helper.to_array(weights).T), "w"))

    assert found_in(model).style == tiny.STYLE


@pytest.mark.parametrize(
    ("output", "attribute", "what"),
    [
        (tiny.UPSAMPLED, "strides", UPSAMPLES),
        (tiny.SOURCE_SLOW, "strides", SLOW),
    ],
)
def test_a_convolution_of_another_stride_is_another(
    model: onnx.ModelProto, output: str, attribute: str, what: str
) -> None:
    node = maker(model, output)
    next(each for each in node.attribute if each.name == attribute).ints[:] = [3]

    with pytest.raises(PreparationFailed, match=f"no place to cut it: {what} is missing"):
        found_in(model)


@pytest.mark.parametrize(
    ("weights", "shape", "what"),
    [
        ("ups.0", (256, 4, 10), UPSAMPLES),
        ("noise.0", (4, 20, 6), SLOW),
        ("noise.1", (4, 20, 1), FAST),
        ("noise.1", (4, 22, 3), FAST),
        ("post", (20, 4, 3), SPECTRUM),
        ("w", (256, 8), "the style that the generator projects"),
    ],
)
def test_one_of_other_channels_is_another(
    model: onnx.ModelProto, weights: str, shape: tuple[int, ...], what: str
) -> None:
    constant(model, weights).CopyFrom(numpy_helper.from_array(np.zeros(shape, np.float32), weights))

    with pytest.raises(PreparationFailed, match=f"no place to cut it: {what} is missing"):
        found_in(model)


def test_frames_that_go_through_another_activation_are_others(model: onnx.ModelProto) -> None:
    activation = maker(model, "active")
    activation.op_type = "Relu"
    del activation.attribute[:]

    with pytest.raises(PreparationFailed, match="the leaky ReLU after the frames is missing"):
        found_in(model)


@pytest.mark.parametrize(
    ("output", "what"),
    [(tiny.UPSAMPLED, UPSAMPLES), (tiny.SOURCE_SLOW, SLOW), (tiny.SOURCE_FAST, FAST), (tiny.SPECTRUM, SPECTRUM)],
)
def test_what_is_there_twice_is_no_landmark(model: onnx.ModelProto, output: str, what: str) -> None:
    second = onnx.NodeProto()
    second.CopyFrom(maker(model, output))
    second.output[0] = "once more"
    model.graph.node.append(second)

    with pytest.raises(PreparationFailed, match=f"{what} is there 2 times"):
        found_in(model)


def test_two_sources_are_none(model: onnx.ModelProto) -> None:
    maker(model, tiny.SOURCE_FAST).input[0] = "phases"

    with pytest.raises(PreparationFailed, match="the harmonic source is there 2 times"):
        found_in(model)


def test_two_styles_are_none(model: onnx.ModelProto) -> None:
    maker(model, "last:styles").input[0] = "another style"

    with pytest.raises(PreparationFailed, match="the style that the generator projects is there 2 times"):
        found_in(model)


def test_the_values_get_our_own_names_and_what_was_called_so_gets_another(model: onnx.ModelProto) -> None:
    before = {output for node in model.graph.node for output in node.output}
    assert names.FRAMES in before  # how many there are, in the tiny export

    free_names(model)
    name_landmarks(model, found_in(model))

    assert found_in(model) == Landmarks(
        names.FRAMES,
        names.STYLE,
        names.SOURCE,
        names.UPSAMPLED,
        names.SOURCE_SLOW,
        names.SOURCE_FAST,
        names.SPECTRUM,
    )
    after = {output for node in model.graph.node for output in node.output}
    assert len(after) == len(before)
    assert not after & {tiny.FRAMES, tiny.SPECTRUM}
    onnx.checker.check_model(model)


def test_nodes_without_a_name_get_one_each(model: onnx.ModelProto) -> None:
    """What a rewrite makes of a node is called after it, and the run time refuses two of one name."""
    for node in model.graph.node:
        node.name = ""

    free_names(model)

    called = {node.name for node in model.graph.node}
    assert "" not in called
    assert len(called) == len(model.graph.node)
