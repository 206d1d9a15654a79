"""Each rewrite on a small graph, against the run time's own answer."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from primavoce.kokoro.graph.convolutions import widen_convolutions
from primavoce.kokoro.graph.dequantize import QUANTIZED, dequantize
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.stft import convolve_stft

CHANCE = np.random.default_rng(1)


def graph(nodes: list[onnx.NodeProto], shape: list, constants: dict[str, np.ndarray]) -> onnx.ModelProto:
    made = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def run(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(["y"], {"x": x})[0]


def kinds(model: onnx.ModelProto) -> set[str]:
    return {node.op_type for node in model.graph.node}


def floats(*shape: int) -> np.ndarray:
    return CHANCE.standard_normal(shape).astype(np.float32)


def stft(signal: list) -> onnx.ModelProto:
    window = np.hanning(21)[:20].astype(np.float32)
    constants = {"step": np.array(5, np.int64), "window": window, "size": np.array(20, np.int64)}
    return graph([helper.make_node("STFT", ["x", "step", "window", "size"], ["y"], onesided=1)], signal, constants)


def test_an_stft_becomes_a_convolution_with_the_same_numbers() -> None:
    x = floats(1, 400, 1)
    model = stft([1, "T", 1])
    expected = run(model, x)

    editor = GraphEditor(model)
    count = convolve_stft(editor)
    editor.finish()

    assert count == 1
    assert "STFT" not in kinds(model)
    np.testing.assert_allclose(run(model, x), expected, atol=1e-4)


def test_the_phase_of_a_real_bin_is_that_of_training() -> None:
    model = stft([1, "T", 1])
    editor = GraphEditor(model)
    convolve_stft(editor)
    editor.finish()

    imaginary = run(model, -np.abs(floats(1, 400, 1)))[..., 1]

    assert (imaginary[..., [0, -1]] > 0).all()
    assert np.abs(imaginary[..., [0, -1]]).max() < 1e-15


@pytest.mark.parametrize("kernel", [7, 11])
def test_a_long_convolution_becomes_two_dimensional_with_the_same_numbers(kernel: int) -> None:
    x = floats(1, 4, 50)
    pads = [kernel - 1, kernel - 1]
    node = helper.make_node("Conv", ["x", "w", "b"], ["y"], kernel_shape=[kernel], dilations=[2], pads=pads)
    model = graph([node], [1, 4, "T"], {"w": floats(3, 4, kernel), "b": floats(3)})
    expected = run(model, x)

    editor = GraphEditor(model)
    count = widen_convolutions(editor, shortest_kernel=7)
    editor.finish()

    assert (count, len(model.graph.node)) == (1, 3)
    np.testing.assert_allclose(run(model, x), expected, atol=1e-4)


def test_a_short_convolution_is_left_alone() -> None:
    model = graph([helper.make_node("Conv", ["x", "w"], ["y"])], [1, 4, "T"], {"w": floats(3, 4, 3)})

    assert widen_convolutions(GraphEditor(model), shortest_kernel=7) == 0


@pytest.mark.parametrize("product", ["matmul", "conv", "lstm"])
def test_quantised_products_come_back_with_their_weights_to_the_last_bit(tmp_path: Path, product: str) -> None:
    """Of a quantised weight the value is exact; a second expansion of what we made must change nothing."""
    weights = floats(8, 6)
    if product == "matmul":
        nodes, shape, constants = [helper.make_node("MatMul", ["x", "w"], ["y"])], [1, "T", 8], {"w": weights}
    elif product == "conv":
        constants = {"w": floats(6, 8, 3), "b": floats(6)}
        nodes, shape = [helper.make_node("Conv", ["x", "w", "b"], ["y"], kernel_shape=[3])], [1, 8, "T"]
    else:
        constants = {"w": floats(1, 16, 8), "r": floats(1, 16, 4), "b": floats(1, 32)}
        nodes = [helper.make_node("LSTM", ["x", "w", "r", "b"], ["y"], hidden_size=4)]
        shape = ["T", 1, 8]
    onnx.save(graph(nodes, shape, constants), tmp_path / "f.onnx")
    quantize_dynamic(tmp_path / "f.onnx", tmp_path / "q.onnx", weight_type=QuantType.QUInt8)
    model = onnx.load(tmp_path / "q.onnx")
    assert kinds(model) & set(QUANTIZED)
    x = floats(1, 12, 8) if product == "matmul" else floats(1, 8, 12) if product == "conv" else floats(12, 1, 8)
    rounded, unrounded = run(model, x), run(onnx.load(tmp_path / "f.onnx"), x)

    editor = GraphEditor(model)
    count = dequantize(editor)
    editor.finish()

    assert count == 1
    assert not kinds(model) & {*QUANTIZED, "DynamicQuantizeLinear"}
    expanded = run(model, x)
    # Between what rounding gave and what the floating-point weights give: only the weights' rounding is left.
    assert np.abs(expanded - unrounded).max() < 0.2
    assert np.abs(expanded - unrounded).mean() <= np.abs(rounded - unrounded).mean() * 1.2 + 1e-3
