"""The activation in fewer passes, with the same numbers."""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.snake import shorten_snakes

CHANNELS = 3
CHANCE = np.random.default_rng(2)
FACTOR = np.array([[[0.9], [-0.4], [0.02]]], np.float32)


def normalised_snake(**constants: np.ndarray) -> onnx.ModelProto:
    """``x / 2``, scaled and shifted by two values of the style, then a snake, then a convolution."""
    nodes = [
        helper.make_node("Div", ["x", "two"], ["normalised"]),
        helper.make_node("Add", ["style", "one"], ["scale"]),
        helper.make_node("Mul", ["style", "two"], ["shift"]),
        helper.make_node("Mul", ["scale", "normalised"], ["scaled"]),
        helper.make_node("Add", ["scaled", "shift"], ["u"]),
        helper.make_node("Mul", ["factor", "u"], ["angle"]),
        helper.make_node("Sin", ["angle"], ["sine"]),
        helper.make_node("Pow", ["sine", "exponent"], ["square"]),
        helper.make_node("Mul", ["reciprocal", "square"], ["wave"]),
        helper.make_node("Add", ["u", "wave"], ["activation"]),
        helper.make_node("Conv", ["activation", "w", "b"], ["y"], pads=[1, 1]),
    ]
    values = {
        "one": np.array(1, np.float32),
        "two": np.array(2, np.float32),
        "exponent": np.array(2, np.float32),
        "factor": FACTOR,
        "reciprocal": 1 / FACTOR,
        "w": CHANCE.standard_normal((4, CHANNELS, 3)).astype(np.float32),
        "b": np.ones(4, np.float32),
    } | constants
    graph = helper.make_graph(
        nodes,
        "snake",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, CHANNELS, "t"]),
            helper.make_tensor_value_info("style", TensorProto.FLOAT, [1, CHANNELS, 1]),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in values.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def run(model: onnx.ModelProto) -> np.ndarray:
    chance = np.random.default_rng(3)
    feed = {
        "x": chance.standard_normal((1, CHANNELS, 40)).astype(np.float32),
        "style": chance.standard_normal((1, CHANNELS, 1)).astype(np.float32),
    }
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(["y"], feed)[0]


def shortened(model: onnx.ModelProto) -> int:
    editor = GraphEditor(model)
    count = shorten_snakes(editor)
    editor.finish()
    return count


def test_a_shorter_snake_has_the_same_numbers() -> None:
    model = normalised_snake()
    expected = run(model)

    count = shortened(model)

    assert count == 1
    np.testing.assert_allclose(run(model), expected, rtol=1e-4, atol=1e-4)


def test_three_passes_are_left_of_five() -> None:
    model = normalised_snake()

    shortened(model)

    made = {output: node.op_type for node in model.graph.node for output in node.output}
    passes = [kind for output, kind in made.items() if output in {"angle", "sine", "square", "wave", "activation"}]
    assert passes == ["Sin", "Mul", "Add"]


def test_a_value_that_something_else_reads_is_left_as_it_is() -> None:
    model = normalised_snake()
    model.graph.node.append(helper.make_node("Relu", ["u"], ["z"]))
    model.graph.output.append(helper.make_tensor_value_info("z", TensorProto.FLOAT, None))

    assert shortened(model) == 0


@pytest.mark.parametrize(
    "constants",
    [{"exponent": np.array(3, np.float32)}, {"reciprocal": FACTOR}],
    ids=["a cube", "no reciprocal"],
)
def test_what_is_no_snake_is_left_as_it_is(constants: dict[str, np.ndarray]) -> None:
    assert shortened(normalised_snake(**constants)) == 0
