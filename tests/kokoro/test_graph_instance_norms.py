import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.instance_norms import spell_out_norms
from primavoce.kokoro.graph.statistics import sites

CHANNELS = 5
X = np.random.default_rng(7).standard_normal((2, CHANNELS, 40)).astype(np.float32) * 3 + 1


def normalising(*, scale: float = 1.0, bias: float = 0.0, **attributes: float) -> onnx.ModelProto:
    """A normalisation in one node, whose outcome the style then scales and shifts."""
    constants = {"own scale": scale, "own bias": bias, "scale": 1.5, "shift": 0.5}
    shapes = {"own scale": (CHANNELS,), "own bias": (CHANNELS,), "scale": (1, CHANNELS, 1), "shift": (1, CHANNELS, 1)}
    graph = helper.make_graph(
        [
            helper.make_node("InstanceNormalization", ["x", "own scale", "own bias"], ["even"], "norm", **attributes),
            helper.make_node("Mul", ["even", "scale"], ["scaled"]),
            helper.make_node("Add", ["scaled", "shift"], ["y"]),
        ],
        "normalising",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", CHANNELS, "t"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.full(shapes[name], value, np.float32), name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def run(model: onnx.ModelProto) -> np.ndarray:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(["y"], {"x": X})[0]


@pytest.mark.parametrize("attributes", [{}, {"epsilon": 0.5}])
def test_a_normalisation_in_one_node_is_spelt_out_as_a_site_with_the_same_numbers(
    attributes: dict[str, float],
) -> None:
    model = normalising(**attributes)
    expected = run(model)

    editor = GraphEditor(model)
    count = spell_out_norms(editor)
    editor.finish()

    assert count == 1
    np.testing.assert_allclose(run(model), expected, atol=1e-5)
    (site,) = sites(GraphEditor(model))
    assert (site.x, site.epsilon) == ("x", pytest.approx(attributes.get("epsilon", 1e-5)))
    assert [(use.scale, use.shift) for use in site.uses] == [("scale", "shift")]


@pytest.mark.parametrize("own", [{"scale": 2.0}, {"bias": 0.1}])
def test_one_with_a_scale_or_a_bias_of_its_own_is_refused(own: dict[str, float]) -> None:
    with pytest.raises(PreparationFailed, match="norm: a normalisation with a scale of its own"):
        spell_out_norms(GraphEditor(normalising(**own)))
