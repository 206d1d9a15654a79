"""Normalisations that are told their statistics, or tell their own, on a generator of two sites."""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.names import MEANS, OWN, SCALES, SHIFTS, USED_MEANS, USED_VARIANCES, VARIANCES
from primavoce.kokoro.graph.statistics import sites, tell_statistics

CHANNELS = 3
CHANCE = np.random.default_rng(1)
X = CHANCE.standard_normal((2, CHANNELS, 50)).astype(np.float32) * 3 + 1
STYLE = CHANCE.standard_normal((2, CHANNELS, 1)).astype(np.float32)

type Feed = dict[str, np.ndarray]


def normalisation(name: str, x: str) -> list[onnx.NodeProto]:
    return [
        helper.make_node("ReduceMean", [x, "time"], [f"{name}_mean"]),
        helper.make_node("Sub", [x, f"{name}_mean"], [f"{name}_centred"]),
        helper.make_node("Mul", [f"{name}_centred", f"{name}_centred"], [f"{name}_square"]),
        helper.make_node("ReduceMean", [f"{name}_square", "time"], [f"{name}_variance"]),
        helper.make_node("Add", [f"{name}_variance", "epsilon"], [f"{name}_above_zero"]),
        helper.make_node("Sqrt", [f"{name}_above_zero"], [f"{name}_deviation"]),
        helper.make_node("Div", [f"{name}_centred", f"{name}_deviation"], [f"{name}_normalised"]),
    ]


def use(block: str, normalised: str) -> list[onnx.NodeProto]:
    """Each block has a scale and a shift of its own out of the style."""
    return [
        helper.make_node("Mul", ["style", f"{block}_weights"], [f"{block}_scale"]),
        helper.make_node("Add", ["style", f"{block}_weights"], [f"{block}_shift"]),
        helper.make_node("Mul", [normalised, f"{block}_scale"], [f"{block}_scaled"]),
        helper.make_node("Add", [f"{block}_scaled", f"{block}_shift"], [f"{block}_result"]),
    ]


def tiny_generator() -> onnx.ModelProto:
    """One normalisation, of which two blocks make use, then another after a sine."""
    nodes = [
        *normalisation("first", "x"),
        *use("one", "first_normalised"),
        *use("other", "first_normalised"),
        helper.make_node("Sub", ["one_result", "other_result"], ["difference"]),
        helper.make_node("Sin", ["difference"], ["wave"]),
        *normalisation("second", "wave"),
        *use("last", "second_normalised"),
        helper.make_node("Identity", ["last_result"], ["y"]),
    ]
    constants = {
        "time": np.array([2], np.int64),
        "epsilon": np.array(1e-5, np.float32),
        "one_weights": np.array([[[1.0], [2.0], [3.0]]], np.float32),
        "other_weights": np.array([[[0.5], [-1.0], [0.1]]], np.float32),
        "last_weights": np.array([[[0.3], [0.7], [-2.0]]], np.float32),
    }
    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", CHANNELS, "t"]),
            helper.make_tensor_value_info("style", TensorProto.FLOAT, ["batch", CHANNELS, 1]),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def run(model: onnx.ModelProto, outputs: list[str], feed: Feed) -> list[np.ndarray]:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(outputs, feed)


def styled(style: np.ndarray) -> Feed:
    """Return what the style makes of the normalised values, as the first stage tells it."""
    model = tiny_generator()
    blocks = ("one", "other", "last")
    model.graph.output.extend(
        helper.make_tensor_value_info(f"{block}_{what}", TensorProto.FLOAT, None)
        for block in blocks
        for what in ("scale", "shift")
    )
    wanted = [f"{block}_{what}" for what in ("scale", "shift") for block in blocks]
    made = run(model, wanted, {"x": X[: len(style)], "style": style})
    return {SCALES: np.concatenate(made[:3], axis=1), SHIFTS: np.concatenate(made[3:], axis=1)}


def told_generator() -> onnx.ModelProto:
    model = tiny_generator()
    tell_statistics(model, [CHANNELS, CHANNELS])
    return model


def telling(x: np.ndarray, style: np.ndarray, *, means: np.ndarray, variances: np.ndarray, own: bool) -> Feed:
    return {"x": x, **styled(style), MEANS: means, VARIANCES: variances, OWN: np.array(own)}


UNTOLD = np.full((2, 2 * CHANNELS, 1), np.nan, np.float32)
"""What isn't used can be anything."""


def spoken_alone(x: np.ndarray, style: np.ndarray) -> list[np.ndarray]:
    feed = telling(x, style, means=UNTOLD[: len(x)], variances=UNTOLD[: len(x)], own=True)
    return run(told_generator(), ["y", USED_MEANS, USED_VARIANCES], feed)


def test_on_its_own_a_generator_makes_what_it_made_and_tells_what_it_found() -> None:
    model = tiny_generator()
    sources = ["first_mean", "second_mean", "first_variance", "second_variance"]
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in sources)
    expected, *found = run(model, ["y", *sources], {"x": X[:1], "style": STYLE[:1]})

    y, means, variances = spoken_alone(X[:1], STYLE[:1])

    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(means, np.concatenate(found[:2], axis=1), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(variances, np.concatenate(found[2:], axis=1), rtol=1e-4, atol=1e-5)


def test_told_its_own_statistics_a_generator_makes_what_it_made() -> None:
    y, means, variances = spoken_alone(X[:1], STYLE[:1])

    feed = telling(X[:1], STYLE[:1], means=means, variances=variances, own=False)
    again, used_means, used_variances = run(told_generator(), ["y", USED_MEANS, USED_VARIANCES], feed)

    np.testing.assert_allclose(again, y, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(used_means, means)
    np.testing.assert_array_equal(used_variances, variances)


def test_told_the_statistics_of_the_whole_a_part_is_that_part_of_the_whole() -> None:
    y, means, variances = spoken_alone(X[:1], STYLE[:1])

    feed = telling(X[:1, :, 10:25], STYLE[:1], means=means, variances=variances, own=False)
    (part,) = run(told_generator(), ["y"], feed)

    np.testing.assert_allclose(part, y[:, :, 10:25], rtol=1e-5, atol=1e-6)


def test_statistics_that_are_told_are_used() -> None:
    y, means, variances = spoken_alone(X[:1], STYLE[:1])

    for moved in (telling(X[:1], STYLE[:1], means=means + 1, variances=variances, own=False),
                  telling(X[:1], STYLE[:1], means=means, variances=variances * 4, own=False)):  # fmt: skip
        assert np.abs(run(told_generator(), ["y"], moved)[0] - y).max() > 0.1


@pytest.mark.parametrize("own", [True, False])
def test_a_batch_of_two_is_two_singles(own: bool) -> None:
    singles = [spoken_alone(X[each : each + 1], STYLE[each : each + 1]) for each in range(2)]
    expected, means, variances = (np.concatenate(parts) for parts in zip(*singles, strict=True))

    given = (UNTOLD, UNTOLD) if own else (means, variances)
    feed = telling(X, STYLE, means=given[0], variances=given[1], own=own)
    found = run(told_generator(), ["y", USED_MEANS, USED_VARIANCES], feed)

    for together, alone in zip(found, (expected, means, variances), strict=True):
        np.testing.assert_allclose(together, alone, rtol=1e-5, atol=1e-6)


def test_the_style_is_no_input_any_more() -> None:
    names = {each.name for each in told_generator().graph.input}

    assert names == {"x", SCALES, SHIFTS, MEANS, VARIANCES, OWN}


def test_what_is_told_costs_no_pass_over_the_values() -> None:
    """Means are taken in a branch that is left aside, and the style's part is one multiplication and one addition."""
    nodes = [node for node in told_generator().graph.node if node.op_type in {"ReduceMean", "Div", "Sub"}]

    assert "ReduceMean" not in {node.op_type for node in nodes}
    assert not [node for node in nodes if "x" in node.input or "wave" in node.input]


def test_a_site_is_found_with_all_its_uses() -> None:
    first, second = sites(GraphEditor(tiny_generator()))

    assert (first.x, first.mean, first.variance) == ("x", "first_mean", "first_variance")
    assert first.epsilon == pytest.approx(1e-5)
    assert [(each.scale, each.shift) for each in first.uses] == [
        ("one_scale", "one_shift"),
        ("other_scale", "other_shift"),
    ]
    assert (second.x, len(second.uses)) == ("wave", 1)


@pytest.mark.parametrize(("kind", "instead"), [("Mul", "Div"), ("Add", "Sub")])
def test_a_normalisation_that_something_else_follows_is_refused(kind: str, instead: str) -> None:
    model = tiny_generator()
    output = {"Mul": "other_scaled", "Add": "other_result"}[kind]
    next(node for node in model.graph.node if node.output[0] == output).op_type = instead

    with pytest.raises(PreparationFailed, match=f"unexpected {instead}"):
        sites(GraphEditor(model))


def test_a_normalisation_whose_epsilon_is_no_constant_is_refused() -> None:
    model = tiny_generator()
    next(node for node in model.graph.node if node.output[0] == "first_above_zero").input[1] = "style"

    with pytest.raises(PreparationFailed, match="unknown way"):
        sites(GraphEditor(model))
