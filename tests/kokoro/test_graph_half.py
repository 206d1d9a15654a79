"""Half precision made single, on a tiny export whose generator is half."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from primavoce.kokoro.graph.half import widen_halves
from primavoce.kokoro.graph.renaming import rename_values
from primavoce.kokoro.model import KokoroModel
from primavoce.kokoro.prepare import prepare
from tests.kokoro import tiny

STYLE = np.linspace(-0.05, 0.05, 256, dtype=np.float32)[None]
IDS = (70, 31, 16, 105, 83)
HALF, SINGLE = TensorProto.FLOAT16, TensorProto.FLOAT
ENTERING = (tiny.FRAMES, tiny.SOURCE, tiny.STYLE)
"""What the part in half precision reads of the other."""


def half_export(path: Path) -> Path:
    """Write the tiny export with its generator and its inverse transform in half precision."""
    model = onnx.load(tiny.tiny_export(path, quantised=False))
    graph = model.graph
    first = next(index for index, node in enumerate(graph.node) if node.output[0] == "active")
    inner = onnx.GraphProto()
    inner.node.extend(graph.node[first:])
    read = {name for node in inner.node for name in node.input}
    for tensor in list(graph.initializer):
        if tensor.name in read and tensor.data_type == SINGLE:
            value = numpy_helper.to_array(tensor).astype(np.float16)
            graph.initializer.append(numpy_helper.from_array(value, f"{tensor.name}:half"))
    halves = {tensor.name.removesuffix(":half") for tensor in graph.initializer if tensor.name.endswith(":half")}
    rename_values(inner, {name: f"{name}:half" for name in (*ENTERING, *halves, graph.output[0].name)})
    del graph.node[first:]
    graph.node.extend(helper.make_node("Cast", [name], [f"{name}:half"], to=HALF) for name in ENTERING)
    graph.node.extend(inner.node)
    audio = graph.output[0].name
    graph.node.append(helper.make_node("Cast", [f"{audio}:half"], [audio], to=SINGLE))
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return half_export(tmp_path / "half.onnx")


def test_no_half_is_left_and_nothing_converts_between_the_two(source: Path) -> None:
    model = onnx.load(source)

    count = widen_halves(model)

    assert count > 10
    assert HALF not in {tensor.data_type for tensor in model.graph.initializer}
    casts = [node for node in model.graph.node if node.op_type == "Cast"]
    assert HALF not in {node.attribute[0].i for node in casts}
    # Left are those of integers and truth values, and the one that makes the output.
    assert {node.output[0] for node in casts} == {"ids", "ended:integers", model.graph.output[0].name}
    onnx.checker.check_model(model, full_check=True)


def test_every_constant_keeps_its_value(source: Path) -> None:
    model = onnx.load(source)
    before = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}

    widen_halves(model)

    for tensor in model.graph.initializer:
        np.testing.assert_array_equal(numpy_helper.to_array(tensor), before[tensor.name])


def test_what_is_single_is_left_as_it_is(tmp_path: Path) -> None:
    model = onnx.load(tiny.tiny_export(tmp_path / "export.onnx"))
    before = model.SerializeToString(deterministic=True)

    assert widen_halves(model) == 0
    assert model.SerializeToString(deterministic=True) == before


def test_a_half_export_is_prepared_and_speaks_alike(source: Path, tmp_path: Path) -> None:
    made = prepare(source, tmp_path / "cache", source_sha256="2" * 64, probe_style=lambda _: STYLE)

    for path in (made.prosody, made.generator):
        assert HALF not in {tensor.data_type for tensor in onnx.load(path).graph.initializer}
    theirs = KokoroModel.load(source, threads=1).synthesize(IDS, STYLE, speed=1.0)
    model = made.load(threads=1)
    ours, _ = model.whole(model.prosody(IDS, STYLE, speed=1.0))
    assert ours.size == theirs.size
    assert 20 * np.log10(np.linalg.norm(theirs) / np.linalg.norm(theirs - ours)) > 25


def test_halves_inside_of_branches_and_in_attributes_are_found(source: Path) -> None:
    inside = helper.make_node("Constant", [], ["inside"], value=numpy_helper.from_array(np.float16([2.5]), "value"))
    told = [helper.make_tensor_value_info("inside", HALF, [1])]
    branch = helper.make_graph([inside], "branch", [], told)
    model = onnx.load(source)
    model.graph.node.append(helper.make_node("If", ["condition"], ["chosen"], then_branch=branch, else_branch=branch))

    widen_halves(model)

    for attribute in model.graph.node[-1].attribute:
        assert attribute.g.node[0].attribute[0].t.data_type == SINGLE
        assert attribute.g.output[0].type.tensor_type.elem_type == SINGLE
