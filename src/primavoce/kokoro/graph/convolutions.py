"""Long one-dimensional convolutions, written as two-dimensional ones of height one.

onnxruntime runs a 1-D convolution as one big matrix product over an unrolled copy of its input; for a 2-D one it
has direct kernels in a blocked layout. The sums are the same but for their order.
"""

import numpy as np
from onnx import AttributeProto, NodeProto, helper

from primavoce.kokoro.graph.editor import GraphEditor

_HEIGHT_AXIS = 2


def widen_convolutions(editor: GraphEditor, *, shortest_kernel: int) -> int:
    """Rewrite every 1-D convolution of at least ``shortest_kernel`` taps, and return how many."""
    replaced = 0
    for node in editor.nodes("Conv"):
        weights = editor.constant(node.input[1])
        if weights is None or weights.ndim != 3 or weights.shape[2] < shortest_kernel:
            continue
        name = node.output[0]
        axis = editor.share_constant("conv:height_axis", np.array([_HEIGHT_AXIS], np.int64))
        wide = editor.share_constant(f"{node.input[1]}:wide", weights[:, :, None, :])
        editor.replace(
            node,
            [
                helper.make_node("Unsqueeze", [node.input[0], axis], [f"{name}:wide_input"]),
                _two_dimensional(node, [f"{name}:wide_input", wide, *node.input[2:]], f"{name}:wide"),
                helper.make_node("Squeeze", [f"{name}:wide", axis], [name]),
            ],
        )
        replaced += 1
    return replaced


def _two_dimensional(node: NodeProto, inputs: list[str], output: str) -> NodeProto:
    new = helper.make_node("Conv", inputs, [output], name=node.name)
    new.attribute.extend(_with_height(attribute) for attribute in node.attribute)
    return new


def _with_height(attribute: AttributeProto) -> AttributeProto:
    match attribute.name:
        case "kernel_shape" | "dilations" | "strides":
            return helper.make_attribute(attribute.name, [1, *attribute.ints])
        case "pads":
            before, after = attribute.ints
            return helper.make_attribute("pads", [0, before, 0, after])
        case _:
            return attribute
