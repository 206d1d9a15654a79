"""Context that the generator's second half doesn't need is left behind halfway.

The generator makes of each frame ten values, then sixty. Its residual blocks look 60 values to each side at both rates:
six frames in the first half, one in the second, which is where most of the work is. A window that is read with eight
frames of context therefore drops most of it between the halves.
"""

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.landmarks import stride
from primavoce.kokoro.graph.names import DROPPED, SOURCE, SOURCE_FAST

FRAME_VALUES = 10
"""Values of a frame halfway."""
SOURCE_VALUES = 60
"""Values of a frame in the harmonic source."""
_SECOND_STRIDE = 6
_TIME_AXIS = 2


def drop_context(generator: ModelProto) -> None:
    """Have the second half of a generator begin and end as many frames later and earlier as `DROPPED` says, in place.

    Raises:
        PreparationFailed: there is no place halfway.
    """
    editor = GraphEditor(generator)
    second = [node for node in editor.nodes("ConvTranspose") if stride(node) == _SECOND_STRIDE]
    fast = editor.producer(SOURCE_FAST)
    if len(second) != 1 or fast is None or fast.input[0] != SOURCE:
        raise PreparationFailed("there is no place halfway through the generator")
    for node, values in ((second[0], FRAME_VALUES), (fast, SOURCE_VALUES)):
        _read_less(editor, node, values)
    editor.finish()
    generator.graph.input.append(helper.make_tensor_value_info(DROPPED, TensorProto.INT64, [2]))


def _read_less(editor: GraphEditor, node: NodeProto, values: int) -> None:
    """Have a convolution read its input without the context that is dropped, ``values`` of a frame."""
    name = f"{node.name}:halfway"

    def constant(value: int) -> str:
        return editor.share_constant(f"ints:{value}", np.array([value], np.int64))

    def made(kind: str, inputs: list[str], *outputs: str, **attributes: int) -> NodeProto:
        node = helper.make_node(kind, inputs, outputs, name=outputs[0])
        node.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())
        return node

    read = node.input[0]
    copied = NodeProto()
    copied.CopyFrom(node)
    copied.input[0] = f"{name}:kept"
    editor.replace(
        node,
        [
            made("Mul", [DROPPED, constant(values)], f"{name}:dropped"),
            made("Split", [f"{name}:dropped"], f"{name}:before", f"{name}:after", axis=0, num_outputs=2),
            made("Shape", [read], f"{name}:length", start=_TIME_AXIS, end=_TIME_AXIS + 1),
            made("Sub", [f"{name}:length", f"{name}:after"], f"{name}:end"),
            made("Slice", [read, f"{name}:before", f"{name}:end", constant(_TIME_AXIS)], f"{name}:kept"),
            copied,
        ],
    )
