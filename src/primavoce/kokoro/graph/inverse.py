"""The inverse transform at the end of an export, whose constants the prepared generator carries along.

Exports have it in one of two forms, both with transposed convolutions of 20 taps that move on by five::

    22 channels                                 -> what divides the first 20 samples -> times 4
    11 channels of cosines, 11 of sines, subtracted
"""

from collections.abc import Iterator

import numpy as np
from onnx import NodeProto

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import Array, GraphEditor
from primavoce.kokoro.graph.landmarks import stride
from primavoce.kokoro.inverse_stft import BINS, HOP, LEVEL, SIZE, Floats, InverseBasis

_PICKING = ("Gather", "Slice", "Reshape", "Unsqueeze", "Squeeze", "Identity", "Cast")
"""Operators that hand on a part of what they read."""


def find_inverse(editor: GraphEditor) -> InverseBasis:
    """Return the constants of a graph's inverse transform.

    Raises:
        PreparationFailed: it has none, or one of another form.
    """
    nodes = [node for node in editor.nodes("ConvTranspose") if stride(node) == HOP]
    shapes = {node.output[0]: weights for node in nodes if (weights := editor.constant(node.input[1])) is not None}
    one = [name for name, weights in shapes.items() if weights.shape == (2 * BINS, 1, SIZE)]
    two = [name for name, weights in shapes.items() if weights.shape == (BINS, 1, SIZE)]
    if len(one) == 1 and not two:
        waves, end = np.asarray(shapes[one[0]], np.float32), one[0]
    elif len(two) == 2 and not one:
        difference = editor.only_consumer(two[0])
        if difference is None or difference.op_type != "Sub" or set(difference.input) != set(two):
            raise PreparationFailed("the two halves of its inverse transform aren't subtracted")
        cosines, sines = (np.asarray(shapes[name], np.float32) for name in difference.input)
        waves, end = np.concatenate([cosines, -sines]), difference.output[0]
    else:
        raise PreparationFailed(f"its inverse transform can't be told: {len(shapes)} places look like it")
    level, window_sum = _levels(editor, end)
    return InverseBasis(waves * np.float32(level / LEVEL), window_sum)


def _levels(editor: GraphEditor, overlapped: str) -> tuple[float, Floats]:
    """Return what all samples are multiplied by on their way out, and what the first are divided by."""
    level, window_sum = 1.0, np.zeros(SIZE, np.float32)
    for node in _following(editor, overlapped):
        if node.op_type == "Mul":
            factors = [value for name in node.input if (value := editor.constant(name)) is not None]
            if len(factors) == 1 and factors[0].size == 1:
                level *= float(np.asarray(factors[0], np.float64).reshape(-1)[0])
        elif node.op_type == "Div":
            divisor = _picked_from(editor, node.input[1])
            if divisor is None or divisor.size != SIZE or window_sum.any():
                raise PreparationFailed("its inverse transform divides in an unknown way")
            window_sum = np.asarray(divisor, np.float32).reshape(-1)
    return level, window_sum


def _following(editor: GraphEditor, name: str) -> Iterator[NodeProto]:
    """Yield every node that the samples of ``name`` go through."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        for node in editor.consumers(waiting.pop()):
            if node.op_type != "Shape" and node.output[0] not in seen:
                seen.add(node.output[0])
                waiting += node.output
                yield node


def _picked_from(editor: GraphEditor, name: str) -> Array | None:
    """Return the constant of which ``name`` is a part."""
    while (value := editor.constant(name)) is None:
        node = editor.producer(name)
        if node is None or node.op_type not in _PICKING:
            return None
        name = node.input[0]
    return value
