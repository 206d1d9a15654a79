"""Instance normalisations as exporters may write them, in one node, spelt out as `statistics` knows them."""

import numpy as np
from onnx import NodeProto, helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import GraphEditor

_TIME_AXIS = 2
_EPSILON = 1e-5
"""The operator's own, where a node says none."""


def spell_out_norms(editor: GraphEditor) -> int:
    """Replace every normalisation over time that is one node, and return how many.

    The operator has a scale and a bias of its own. The model's normalisations have none, which exporters write as ones
    and zeros.

    Raises:
        PreparationFailed: one has others.
    """
    found = editor.nodes("InstanceNormalization")
    for node in found:
        scale, bias = (editor.constant(name) for name in node.input[1:])
        if scale is None or bias is None or not (np.all(scale == 1) and np.all(bias == 0)):
            raise PreparationFailed(f"{node.name}: a normalisation with a scale of its own")
        editor.replace(node, _spelt_out(editor, node))
    return len(found)


def _spelt_out(editor: GraphEditor, node: NodeProto) -> list[NodeProto]:
    x, name = node.input[0], node.output[0]
    axis = editor.share_constant("norm:time_axis", np.array([_TIME_AXIS], np.int64))
    chosen = next((attribute.f for attribute in node.attribute if attribute.name == "epsilon"), _EPSILON)
    epsilon = editor.share_constant(f"norm:epsilon:{chosen}", np.array(chosen, np.float32))
    return [
        helper.make_node("ReduceMean", [x, axis], [f"{name}:mean"], keepdims=1),
        helper.make_node("Sub", [x, f"{name}:mean"], [f"{name}:centred"]),
        helper.make_node("Mul", [f"{name}:centred", f"{name}:centred"], [f"{name}:square"]),
        helper.make_node("ReduceMean", [f"{name}:square", axis], [f"{name}:variance"], keepdims=1),
        helper.make_node("Add", [f"{name}:variance", epsilon], [f"{name}:above_zero"]),
        helper.make_node("Sqrt", [f"{name}:above_zero"], [f"{name}:deviation"]),
        helper.make_node("Div", [f"{name}:centred", f"{name}:deviation"], [name], name=node.name),
    ]
