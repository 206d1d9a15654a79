"""The activation between a normalisation and a convolution, in fewer passes over its values.

Snake is ``u + sin(a u)^2 / a``, with a factor ``a`` for each channel. As exported that is five passes, after the two of
the normalisation's scale and shift. Of ``v = a u`` it is ``(v + sin(v)^2) / a``: scale and shift are multiplied by
``a`` instead, which are two numbers a channel, and the convolution's weights are divided by it, once and for all.
"""

from dataclasses import dataclass

import numpy as np
from onnx import NodeProto, helper

from primavoce.kokoro.graph.editor import GraphEditor


@dataclass(frozen=True, slots=True)
class _Snake:
    """``normalised * scale + shift`` is u, of which the activation is read by a convolution alone."""

    scaled: NodeProto
    """Multiplies by the scale."""
    scale: str
    """(batch, channels, 1)."""
    shifted: NodeProto
    """Adds the shift, and makes u."""
    shift: str
    """(batch, channels, 1)."""
    factor: str
    """The constant ``a``, (1, channels, 1)."""
    sine: NodeProto
    square: NodeProto
    result: NodeProto
    """Makes the activation."""
    convolution: NodeProto


def shorten_snakes(editor: GraphEditor) -> int:
    """Rewrite every snake between a normalisation and a convolution, and return how many.

    Left alone where something else reads a value in between.
    """
    found = [snake for node in editor.nodes("Sin") if (snake := _snake(editor, node)) is not None]
    for snake in found:
        _shorten(editor, snake)
    return len(found)


def _snake(editor: GraphEditor, sine: NodeProto) -> _Snake | None:
    """Return the snake around ``sine``, or None when it is part of something else."""
    inner = editor.producer(sine.input[0])
    square = editor.only_consumer(sine.output[0])
    divided = editor.only_consumer(square.output[0]) if square is not None else None
    result = editor.only_consumer(divided.output[0]) if divided is not None else None
    convolution = editor.only_consumer(result.output[0]) if result is not None else None
    if inner is None or square is None or divided is None or result is None or convolution is None:
        return None
    if (inner.op_type, divided.op_type, result.op_type) != ("Mul", "Mul", "Add") or not _squares(editor, square):
        return None
    factor, u = _constant_first(editor, inner)
    reciprocal, _ = _constant_first(editor, divided)
    normalisation = _normalisation(editor, u)
    if (
        u not in result.input
        or len(editor.consumers(u)) != 2
        or normalisation is None
        or not _are_reciprocal(editor, factor, reciprocal)
        or not _has_plain_weights(editor, convolution)
    ):
        return None
    scaled, scale, shifted, shift = normalisation
    return _Snake(scaled, scale, shifted, shift, factor, sine, square, result, convolution)


def _normalisation(editor: GraphEditor, u: str) -> tuple[NodeProto, str, NodeProto, str] | None:
    """Return what multiplies by the scale, the scale, what adds the shift, the shift; ``u`` is its outcome."""
    shifted = editor.producer(u)
    if shifted is None or shifted.op_type != "Add":
        return None
    for product, shift in _both_ways(shifted):
        scaled = editor.producer(product)
        if scaled is None or scaled.op_type != "Mul" or editor.only_consumer(product) is None:
            continue
        for normalised, scale in _both_ways(scaled):
            division = editor.producer(normalised)
            if division is not None and division.op_type == "Div":
                return scaled, scale, shifted, shift
    return None


def _both_ways(node: NodeProto) -> tuple[tuple[str, str], tuple[str, str]]:
    first, second = node.input
    return (first, second), (second, first)


def _squares(editor: GraphEditor, node: NodeProto) -> bool:
    exponent = editor.constant(node.input[1]) if node.op_type == "Pow" else None
    return exponent is not None and exponent.size == 1 and float(exponent.reshape(-1)[0]) == 2.0


def _constant_first(editor: GraphEditor, node: NodeProto) -> tuple[str, str]:
    first, second = node.input
    return (first, second) if editor.constant(second) is None else (second, first)


def _are_reciprocal(editor: GraphEditor, factor: str, reciprocal: str) -> bool:
    one, other = editor.constant(factor), editor.constant(reciprocal)
    if one is None or other is None or one.shape != other.shape or one.ndim != 3:
        return False
    return bool(np.allclose(one.astype(np.float64) * other.astype(np.float64), 1.0, rtol=0, atol=1e-5))


def _has_plain_weights(editor: GraphEditor, node: NodeProto) -> bool:
    weights = editor.constant(node.input[1]) if node.op_type == "Conv" else None
    grouped = any(attribute.name == "group" and attribute.i != 1 for attribute in node.attribute)
    return weights is not None and weights.ndim == 3 and not grouped


def _shorten(editor: GraphEditor, snake: _Snake) -> None:
    factor, weights = editor.constant(snake.factor), editor.constant(snake.convolution.input[1])
    assert factor is not None
    assert weights is not None
    _multiply(editor, snake.scaled, snake.scale, snake.factor)
    _multiply(editor, snake.shifted, snake.shift, snake.factor)
    v, square = snake.shifted.output[0], snake.square.output[0]
    wave = snake.sine.output[0]
    editor.replace(snake.sine, [helper.make_node("Sin", [v], [wave], name=snake.sine.name)])
    editor.replace(snake.square, [helper.make_node("Mul", [wave, wave], [square], name=snake.square.name)])
    result = snake.result
    editor.replace(result, [helper.make_node("Add", [v, square], list(result.output), name=result.name)])
    divided = (weights.astype(np.float64) / factor.astype(np.float64)).astype(np.float32)
    name = editor.share_constant(f"{snake.convolution.input[1]}:{snake.factor}", divided)
    convolution = NodeProto()
    convolution.CopyFrom(snake.convolution)
    convolution.input[1] = name
    editor.replace(snake.convolution, [convolution])


def _multiply(editor: GraphEditor, node: NodeProto, operand: str, factor: str) -> None:
    """Have ``node`` read ``operand * factor``."""
    product = f"{node.output[0]}:by_factor"
    multiplied = helper.make_node("Mul", [operand, factor], [product], name=product)
    new = NodeProto()
    new.CopyFrom(node)
    for index, name in enumerate(node.input):
        if name == operand:
            new.input[index] = product
    editor.replace(node, [multiplied, new])
