"""Fewer multiplications, the same numbers."""

import math

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.fast_convolutions import FEWEST_CHANNELS, quicken_convolutions
from primavoce.kokoro.graph.toom_cook import Plan, plan, transforms

CHANCE = np.random.default_rng(4)
MANY = FEWEST_CHANNELS


def floats(*shape: int) -> np.ndarray:
    return CHANCE.standard_normal(shape).astype(np.float32)


def convolution(weights: np.ndarray, *, bias: np.ndarray | None = None, **attributes: object) -> onnx.ModelProto:
    constants = {"w": weights} | ({} if bias is None else {"b": bias})
    node = helper.make_node("Conv", ["x", *constants], ["y"], name="/part/conv", **attributes)
    graph = helper.make_graph(
        [node],
        "one",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", weights.shape[1], "t"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def run(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(["y"], {"x": x})[0]


def quickened(model: onnx.ModelProto, **options: object) -> int:
    editor = GraphEditor(model)
    count = quicken_convolutions(editor, **options)
    editor.finish()
    return count


def agreement_db(expected: np.ndarray, found: np.ndarray) -> float:
    assert found.shape == expected.shape
    error = np.sum(np.square(found - expected, dtype=np.float64))
    return float(10 * np.log10(np.sum(np.square(expected, dtype=np.float64)) / error))


@pytest.mark.parametrize("dilation", [1, 3, 5])
@pytest.mark.parametrize("kernel", [3, 5, 7, 11])
def test_a_convolution_with_fewer_multiplications_has_the_same_numbers(kernel: int, dilation: int) -> None:
    pad = dilation * (kernel - 1) // 2
    model = convolution(floats(80, MANY, kernel), bias=floats(80), dilations=[dilation], pads=[pad, pad])
    x = floats(2, MANY, 100)
    expected = run(model, x)

    count = quickened(model)

    assert count == 1
    assert agreement_db(expected, run(model, x)) > 100


@settings(max_examples=20)
@given(
    length=st.integers(1, 40),
    pads=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    kernel=st.sampled_from([3, 7, 11]),
    dilation=st.sampled_from([1, 3, 5]),
)
def test_any_length_and_padding_will_do(length: int, pads: tuple[int, int], kernel: int, dilation: int) -> None:
    length += max(0, dilation * (kernel - 1) - sum(pads))
    model = convolution(floats(MANY, MANY, kernel), dilations=[dilation], pads=list(pads))
    x = floats(1, MANY, length)
    expected = run(model, x)

    quickened(model)

    assert agreement_db(expected, run(model, x)) > 95


def test_the_convolution_that_is_left_has_a_tap_for_each_part_of_the_kernel() -> None:
    model = convolution(floats(MANY, MANY, 11), pads=[5, 5])

    quickened(model)

    (products,) = (node for node in model.graph.node if node.output[0] == "y:products")
    shapes = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    # Eleven points of two taps, for six outputs: 3.7 multiplications instead of 11.
    assert shapes[products.input[1]] == (11 * MANY, MANY, 1, 2)


@pytest.mark.parametrize(
    ("weights", "attributes"),
    [
        ((MANY, MANY, 1), {}),
        ((MANY, MANY, 7), {"strides": [2]}),
        ((2 * MANY, MANY // 2, 7), {"group": 2}),
        ((22, MANY, 7), {}),
        ((MANY, MANY, 1, 7), {}),
        # No tile is without a common factor.
        ((MANY, MANY, 7), {"dilations": [60]}),
    ],
)
def test_what_would_gain_nothing_is_left_alone(weights: tuple[int, ...], attributes: dict[str, object]) -> None:
    assert quickened(convolution(floats(*weights), **attributes)) == 0


@pytest.mark.parametrize(("spared", "count"), [("y", 0), ("other", 1)])
def test_values_that_are_spared_stay_as_they_are(spared: str, count: int) -> None:
    assert quickened(convolution(floats(MANY, MANY, 7)), spare={spared}) == count


@pytest.mark.parametrize(
    ("kernel", "dilation", "expected"),
    [
        (3, 1, Plan(6, 3, 1)),
        (3, 3, Plan(5, 3, 1)),
        (7, 5, Plan(6, 7, 1)),
        (7, 3, Plan(5, 7, 1)),
        (11, 1, Plan(6, 6, 2)),
        (11, 3, Plan(4, 4, 3)),
    ],
)
def test_the_plan_with_the_fewest_multiplications_is_taken(kernel: int, dilation: int, expected: Plan) -> None:
    assert plan(kernel, dilation) == expected


@given(outputs=st.integers(2, 6), taps=st.integers(2, 7))
def test_a_tile_is_the_convolution_it_stands_for(outputs: int, taps: int) -> None:
    made = transforms(outputs, taps)
    inputs, kernel = CHANCE.standard_normal(outputs + taps - 1), CHANCE.standard_normal(taps)

    found = made.below @ ((made.weights @ kernel) * (made.above @ inputs))

    np.testing.assert_allclose(found, np.correlate(inputs, kernel), atol=1e-8)


def test_evening_out_rounds_nothing() -> None:
    made = transforms(2, 3)

    # Of the points 0, 1, -1 and infinity all entries are sums of powers of two.
    assert all(math.frexp(abs(value))[0] in {0.0, 0.5} for value in np.concatenate([made.above, made.below]).flat)
