"""The short-time Fourier transform, as the strided convolution that it is.

onnxruntime's STFT operator takes a fifteenth of the time of a whole run for a transform of 20 points; a
convolution whose kernels are the windowed cosines and sines gives the same numbers for next to nothing.

One thing is put right on the way. The lowest and the highest bin of a real signal are real, so their phase is 0, or
π where they are negative: that is what PyTorch's transform gives and what the model was trained on. The operator's
rounding leaves a crumb of either sign in the imaginary part instead, and the export's formula makes +π or −π of it,
by chance. Here the crumb is positive: the phase is +π, as in training.
"""

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, helper

from primavoce.kokoro.graph.editor import GraphEditor

CRUMB = 1e-20
"""Far below any signal, and greater than zero."""


def convolve_stft(editor: GraphEditor) -> int:
    """Replace every one-sided STFT of a real signal whose window is a constant, and return how many."""
    replaced = 0
    for node in editor.nodes("STFT"):
        step, window = editor.constant(node.input[1]), editor.constant(node.input[2])
        if step is None or window is None or not _one_sided(node):
            continue
        kernels = editor.share_constant(f"{node.output[0]}:kernels", _kernels(window.astype(np.float64)))
        bias = editor.share_constant(f"{node.output[0]}:bias", _bias(window.size))
        weights = (kernels, bias)
        editor.replace(node, _convolution(editor, node, weights, step=int(step.reshape(-1)[0]), size=window.size))
        replaced += 1
    return replaced


def _one_sided(node: NodeProto) -> bool:
    return all(attribute.i == 1 for attribute in node.attribute if attribute.name == "onesided")


def _kernels(window: NDArray[np.float64]) -> NDArray[np.float32]:
    """(2 * bins, 1, size): windowed cosines, then windowed negative sines."""
    size = window.size
    # The angle's whole turns are dropped in integers, so that no bin loses precision.
    turns = np.outer(np.arange(size // 2 + 1), np.arange(size)) % size / size
    sines = -np.sin(2 * np.pi * turns)
    # Of a real signal these are zero; what rounding leaves of sin(π n) would be a crumb of a sign of its own.
    sines[0] = 0.0
    if size % 2 == 0:
        sines[-1] = 0.0
    waves = np.concatenate([np.cos(2 * np.pi * turns), sines])
    return (waves * window)[:, None, :].astype(np.float32)


def _bias(size: int) -> NDArray[np.float32]:
    """A positive crumb for the imaginary parts that are zero: of the first bin, and of the last for an even size."""
    bins = size // 2 + 1
    bias = np.zeros(2 * bins, np.float32)
    bias[bins] = CRUMB
    if size % 2 == 0:
        bias[-1] = CRUMB
    return bias


def _convolution(
    editor: GraphEditor, node: NodeProto, weights: tuple[str, str], *, step: int, size: int
) -> list[NodeProto]:
    """Signal (batch, length[, 1]) to (batch, frames, bins, 2), as STFT lays it out."""
    name = node.output[0]
    bins = size // 2 + 1
    flat = editor.share_constant("stft:one_channel", np.array([0, 1, -1], np.int64))
    parts = editor.share_constant(f"{name}:parts", np.array([0, 2, bins, -1], np.int64))
    return [
        helper.make_node("Reshape", [node.input[0], flat], [f"{name}:signal"]),
        helper.make_node(
            "Conv", [f"{name}:signal", *weights], [f"{name}:waves"], name=node.name, kernel_shape=[size], strides=[step]
        ),
        helper.make_node("Reshape", [f"{name}:waves", parts], [f"{name}:parts_first"]),
        helper.make_node("Transpose", [f"{name}:parts_first"], [name], perm=[0, 3, 2, 1]),
    ]
