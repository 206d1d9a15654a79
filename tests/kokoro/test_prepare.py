"""The preparation as a whole, on a tiny quantised export."""

import errno
import threading
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from primavoce.errors import NoSpace, PreparationFailed
from primavoce.kokoro.graph.dequantize import QUANTIZED, dequantize
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.model import KokoroModel
from primavoce.kokoro.prepare import PROBE_IDS, prepare

SHA256 = "5" * 64
SAMPLES_A_PHONEME = 400
CHANCE = np.random.default_rng(2)
WEIGHTS = CHANCE.integers(0, 255, (1, SAMPLES_A_PHONEME), np.uint8)
ZERO_POINTS = np.full(SAMPLES_A_PHONEME, 117, np.uint8)
SCALES = CHANCE.uniform(0.001, 0.002, SAMPLES_A_PHONEME).astype(np.float32)
STYLE = np.full((1, 256), 0.01, np.float32)


def tiny_export(path: Path, *, quantised: bool = True) -> Path:
    """An export whose sound is each id times a waveform, plus the same again: two products that share their weights.

    Each id lasts as many steps as its tenth, rounded, and one at least.
    """
    product = quantised_product if quantised else float_product
    nodes = [
        helper.make_node("Cast", ["tokens"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["floats", "axis"], ["x"]),
        *product("first", "x"),
        *product("second", "x"),
        helper.make_node("Add", ["first", "second"], ["both"]),
        helper.make_node("ReduceMean", ["style"], ["level"], keepdims=0),
        helper.make_node("Mul", ["both", "level"], ["loud"]),
        helper.make_node("Mul", ["loud", "speed"], ["scaled"]),
        helper.make_node("Reshape", ["scaled", "flat"], ["audio"]),
        helper.make_node("Mul", ["floats", "tenth"], ["lasting"]),
        helper.make_node("Round", ["lasting"], ["rounded"]),
        helper.make_node("Clip", ["rounded", "one"], ["steps"]),
    ]
    constants = {
        "axis": np.array([-1], np.int64),
        "flat": np.array([-1], np.int64),
        "w_quantized": WEIGHTS,
        "w_zero_point": ZERO_POINTS,
        "w_scale": SCALES,
        "w": (WEIGHTS.astype(np.float32) - ZERO_POINTS.astype(np.float32)) * SCALES,
        "tenth": np.array(0.1, np.float32),
        "one": np.array(1, np.float32),
    }
    inputs = [("tokens", TensorProto.INT64, [1, "n"]), ("style", TensorProto.FLOAT, [1, 256])]
    inputs.append(("speed", TensorProto.FLOAT, [1]))
    made = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(*value) for value in inputs],
        [helper.make_tensor_value_info("audio", TensorProto.FLOAT, ["samples"])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    onnx.save(helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), path)
    return path


def float_product(name: str, x: str) -> list[onnx.NodeProto]:
    """The same product, not quantised."""
    return [helper.make_node("MatMul", [x, "w"], [name], name=name)]


def quantised_product(name: str, x: str) -> list[onnx.NodeProto]:
    """A quantised matrix product, wired as the published export's are."""
    quantised = [f"{name}_quantized", f"{name}_scale", f"{name}_zero_point"]
    weights = [quantised[0], "w_quantized", quantised[2], "w_zero_point"]
    return [
        helper.make_node("DynamicQuantizeLinear", [x], quantised),
        helper.make_node("MatMulInteger", weights, [f"{name}_integers"], name=name),
        helper.make_node("Cast", [f"{name}_integers"], [f"{name}_cast"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [quantised[1], "w_scale"], [f"{name}_scales"]),
        helper.make_node("Mul", [f"{name}_cast", f"{name}_scales"], [name]),
    ]


def prepared(source: Path, cache: Path, *, style: np.ndarray = STYLE) -> Path:
    return prepare(source, cache, source_sha256=SHA256, probe_style=lambda _: style)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tiny_export(tmp_path / "export.onnx")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "new"


def test_weights_are_expanded_to_the_last_bit_and_shared_as_they_were(source: Path) -> None:
    model = onnx.load(source)

    editor = GraphEditor(model)
    dequantize(editor)
    editor.finish()

    large = [tensor for tensor in model.graph.initializer if len(tensor.dims) == 2 and tensor.name != "w"]
    expected = (WEIGHTS.astype(np.float32) - ZERO_POINTS.astype(np.float32)) * SCALES
    assert len(large) == 1
    assert numpy_helper.to_array(large[0]).tobytes() == expected.tobytes()
    assert [node.input[1] for node in model.graph.node if node.op_type == "MatMul"] == [large[0].name] * 2


def test_a_quantised_export_is_prepared_once_and_speaks_alike(source: Path, cache: Path) -> None:
    made = prepared(source, cache)
    written = made.stat().st_mtime_ns
    again = prepared(source, cache)

    spoken = [KokoroModel.load(path, threads=1).synthesize(PROBE_IDS, STYLE, speed=1.0) for path in (source, made)]
    np.testing.assert_allclose(spoken[1].samples, spoken[0].samples, atol=0.01)
    assert not {node.op_type for node in onnx.load(made).graph.node} & {*QUANTIZED, "DynamicQuantizeLinear"}
    assert (again, again.stat().st_mtime_ns) == (made, written)
    assert list(cache.iterdir()) == [made]


@pytest.mark.parametrize("quantised", [True, False])
def test_what_is_prepared_tells_how_long_each_position_lasts(tmp_path: Path, cache: Path, quantised: bool) -> None:
    made = prepared(tiny_export(tmp_path / "other.onnx", quantised=quantised), cache)

    spoken = KokoroModel.load(made, threads=1).synthesize([7, 26, 80], STYLE, speed=1.0)

    steps = [duration / (600 / 24_000) for duration in spoken.durations_s]
    assert steps == pytest.approx([1, 1, 3, 8, 1])


def test_two_at_once_both_get_the_whole_file(source: Path, cache: Path) -> None:
    start = threading.Barrier(2)
    made: list[Path] = []

    def work() -> None:
        start.wait()
        made.append(prepared(source, cache))

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert made == [made[0]] * 2
    assert list(cache.iterdir()) == [made[0]]
    KokoroModel.load(made[0], threads=1)


def test_a_full_disk_is_said_and_nothing_half_written_is_left(
    source: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(model: onnx.ModelProto, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(onnx, "save", fill)

    with pytest.raises(NoSpace, match="new"):
        prepared(source, cache)

    assert list(cache.iterdir()) == []


def test_a_result_that_speaks_otherwise_is_not_kept(source: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.kokoro.graph.dequantize._spread", lambda value, **_: np.float32(20))

    with pytest.raises(PreparationFailed, match="dB away"):
        prepared(source, cache, style=STYLE * 100)

    assert list(cache.iterdir()) == []


def test_a_quantised_node_wired_in_an_unknown_way_is_refused(source: Path, cache: Path) -> None:
    model = onnx.load(source)
    cast = next(node for node in model.graph.node if node.output[0] == "first_cast")
    cast.op_type = "Identity"
    del cast.attribute[:]
    onnx.save(model, source)

    with pytest.raises(PreparationFailed, match="unexpected Identity"):
        prepared(source, cache)
