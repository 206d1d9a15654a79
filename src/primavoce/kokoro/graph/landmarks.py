"""Where an export is cut: found by what the nodes are, since every exporter calls their values otherwise."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import onnx
from onnx import NodeProto

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph import names
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.renaming import rename_values

FRAME_CHANNELS = 512
SPECTRUM_CHANNELS = 22
"""Eleven magnitudes and eleven phases, of the harmonic source and of the audio alike."""
STYLE_CHANNELS = 128
_SLOW_STRIDE, _UPSAMPLED_STRIDE = 6, 10


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Names of an export's values; `primavoce.kokoro.graph.names` says what each is."""

    frames: str
    style: str
    source: str
    upsampled: str
    source_slow: str
    source_fast: str
    spectrum: str


def find_landmarks(editor: GraphEditor) -> Landmarks:
    """Find where to cut a graph that isn't quantised any more.

    * The frames go through a leaky ReLU into the transposed convolution of 512 channels that makes ten of each.
    * Two convolutions read the 22 channels of the harmonic source: one takes every sixth frame, one has a single tap.
    * The only convolution of many channels to 22 makes the spectrum.
    * Between these three, the generator's projections, matrices of 128 rows, all read the same half of the style.

    Raises:
        PreparationFailed: one of them is missing, or there is more than one.
    """
    upsampled = _only(
        "the convolution that upsamples the frames",
        _convolutions(
            editor,
            "ConvTranspose",
            lambda node, shape: shape[0] == FRAME_CHANNELS and stride(node) == _UPSAMPLED_STRIDE,
        ),
    )
    activation = editor.producer(upsampled.input[0])
    if activation is None or activation.op_type != "LeakyRelu":
        raise _nowhere("the leaky ReLU after the frames", 0)
    slow = _only(
        "the convolution of every sixth source frame",
        _convolutions(
            editor, "Conv", lambda node, shape: shape[1] == SPECTRUM_CHANNELS and stride(node) == _SLOW_STRIDE
        ),
    )
    fast = _only(
        "the convolution of every source frame",
        _convolutions(editor, "Conv", lambda node, shape: shape[1:] == (SPECTRUM_CHANNELS, 1) and stride(node) == 1),
    )
    if slow.input[0] != fast.input[0]:
        raise _nowhere("the harmonic source", 2)
    spectrum = _only(
        "the convolution that makes the spectrum",
        _convolutions(
            editor,
            "Conv",
            lambda node, shape: shape[0] == SPECTRUM_CHANNELS and shape[1] > 1 and stride(node) == 1,
        ),
    )
    frames, source = activation.input[0], slow.input[0]
    return Landmarks(
        frames=frames,
        style=_style(editor, spectrum.output[0], {frames, source}),
        source=source,
        upsampled=upsampled.output[0],
        source_slow=slow.output[0],
        source_fast=fast.output[0],
        spectrum=spectrum.output[0],
    )


def name_landmarks(model: onnx.ModelProto, found: Landmarks) -> None:
    """Give the values of an export our own names, in place."""
    ours = {
        found.frames: names.FRAMES,
        found.style: names.STYLE,
        found.source: names.SOURCE,
        found.upsampled: names.UPSAMPLED,
        found.source_slow: names.SOURCE_SLOW,
        found.source_fast: names.SOURCE_FAST,
        found.spectrum: names.SPECTRUM,
    }
    rename_values(model.graph, ours)


def free_names(model: onnx.ModelProto) -> None:
    """Call an export's own values otherwise where they are called as ours are, and its nodes something, in place."""
    rename_values(model.graph, {name: f"published:{name}" for name in names.ALL})
    for node in model.graph.node:
        # What a rewrite makes of a node is called after it, and no two nodes may have the same name.
        node.name = node.name or f"making:{node.output[0]}"


def _convolutions(
    editor: GraphEditor, kind: str, wanted: Callable[[NodeProto, tuple[int, ...]], bool]
) -> Iterable[NodeProto]:
    for node in editor.nodes(kind):
        weights = editor.constant(node.input[1])
        if weights is not None and weights.ndim == 3 and wanted(node, weights.shape):
            yield node


def stride(node: NodeProto) -> int:
    """Return by how many values a one-dimensional convolution moves on, or how many a transposed one makes of each."""
    return next((int(attribute.ints[0]) for attribute in node.attribute if attribute.name == "strides"), 1)


def _only[T](what: str, found: Iterable[T]) -> T:
    all_of_them = list(found)
    if len(all_of_them) != 1:
        raise _nowhere(what, len(all_of_them))
    return all_of_them[0]


def _nowhere(what: str, count: int) -> PreparationFailed:
    return PreparationFailed(
        f"there is no place to cut it: {what} " + ("is missing" if count == 0 else f"is there {count} times")
    )


def _style(editor: GraphEditor, spectrum: str, ends: set[str]) -> str:
    """Return what the projections read that lie between ``ends`` and the spectrum."""
    read: dict[str, None] = {}
    seen, waiting = set(ends), [spectrum]
    while waiting:
        name = waiting.pop()
        node = editor.producer(name)
        if name in seen or node is None:
            continue
        seen.add(name)
        if _is_projection(editor, node):
            read[node.input[0]] = None
        else:
            waiting += node.input
    return _only("the style that the generator projects", read)


def _is_projection(editor: GraphEditor, node: NodeProto) -> bool:
    if node.op_type not in {"MatMul", "Gemm"}:
        return False
    weights = editor.constant(node.input[1])
    rows = 1 if any(attribute.name == "transB" and attribute.i for attribute in node.attribute) else 0
    return weights is not None and weights.ndim == 2 and weights.shape[rows] == STYLE_CHANNELS
