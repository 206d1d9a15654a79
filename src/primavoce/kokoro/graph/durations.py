"""The duration predictor's output, made an output of the graph: word times follow from it."""

import onnx
from onnx import TensorProto, helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.names import DURATIONS


def expose_durations(editor: GraphEditor, model: onnx.ModelProto) -> None:
    """Add the output `DURATIONS`: what the predictor rounded, and kept at one step or more.

    In the model's source that is ``torch.round(duration).clamp(min=1)``, the only rounding in the graph.

    Raises:
        PreparationFailed: there is no such place, or more than one.
    """
    found = [
        clip.output[0]
        for rounding in editor.nodes("Round")
        if (clip := editor.only_consumer(rounding.output[0])) is not None and clip.op_type in {"Clip", "Max"}
    ]
    if len(found) != 1:
        raise PreparationFailed(f"its durations can't be told: {len(found)} places look like them")
    model.graph.node.append(helper.make_node("Cast", found, [DURATIONS], name="/durations", to=TensorProto.FLOAT))
    model.graph.output.append(helper.make_tensor_value_info(DURATIONS, TensorProto.FLOAT, None))
