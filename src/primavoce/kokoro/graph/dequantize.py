"""The int8 export's products, back in fp32.

The published export was made by onnxruntime's dynamic quantisation: weights are integers with a scale, and every
activation is rounded to 8 bits just before each product. The weights' values are kept here to the last bit
(``(integer - zero point) * scale``, in fp32); only the rounding of the activations goes, which is noise.

Three shapes of node are undone::

    ConvInteger  [-> Add(bias in units of the scale)] -> Cast -> Mul(scales)    =>  Conv
    MatMulInteger                                     -> Cast -> Mul(scales)    =>  MatMul
    DynamicQuantizeLSTM                                                         =>  LSTM

Weights that several nodes share (the twelve layers of the text encoder are one layer) stay shared.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import Array, GraphEditor

QUANTIZED = ("ConvInteger", "MatMulInteger", "DynamicQuantizeLSTM")
"""The operators that are undone."""

_LSTM_ATTRIBUTES = ("direction", "hidden_size")
_BIAS_DETOUR = ("Reshape", "Cast", "Floor")


def dequantize(editor: GraphEditor) -> int:
    """Replace every quantised product, and return how many there were.

    Raises:
        PreparationFailed: A quantised node is not wired as the published export's are.
    """
    nodes = editor.nodes(*QUANTIZED)
    for node in nodes:
        if node.op_type == "DynamicQuantizeLSTM":
            editor.replace(node, [_lstm(editor, node)])
        else:
            tail = _tail_of(editor, node)
            new = _convolution(editor, node, tail) if node.op_type == "ConvInteger" else _matmul(editor, node, tail)
            editor.replace(tail.rescale, [new])
    return len(nodes)


@dataclass(frozen=True, slots=True)
class _Tail:
    """What follows an integer product until it is a real number again."""

    rescale: NodeProto
    """The multiplication by both scales; its output is the product's real value."""
    weight_scale: str
    """Name of the weights' scale."""
    bias: str | None
    """Name of the bias, in fp32."""


def _tail_of(editor: GraphEditor, product: NodeProto) -> _Tail:
    following = _following(editor, product)
    bias = None
    if following.op_type == "Add":
        bias = _bias_of(editor, following, product)
        following = _following(editor, following)
    if following.op_type != "Cast":
        raise _unexpected(product, following)
    rescale = _following(editor, following)
    if rescale.op_type != "Mul":
        raise _unexpected(product, rescale)
    scales = editor.producer(_other(rescale, following.output[0]))
    weight_scale = _first_constant(editor, scales) if scales is not None and scales.op_type == "Mul" else None
    if weight_scale is None:
        raise _unexpected(product, rescale)
    return _Tail(rescale, weight_scale, bias)


def _following(editor: GraphEditor, node: NodeProto) -> NodeProto:
    following = editor.only_consumer(node.output[0])
    if following is None:
        raise PreparationFailed(f"{node.name or node.op_type}: its integer result is used in more than one place")
    return following


def _bias_of(editor: GraphEditor, add: NodeProto, product: NodeProto) -> str:
    """Follow ``Reshape(Cast(Floor(bias / scale)))`` back to the bias itself."""
    source = editor.producer(_other(add, product.output[0]))
    while source is not None and source.op_type in _BIAS_DETOUR:
        source = editor.producer(source.input[0])
    if source is None or source.op_type != "Div" or editor.constant(source.input[0]) is None:
        raise _unexpected(product, add)
    return str(source.input[0])


def _other(node: NodeProto, name: str) -> str:
    first, second = node.input
    return str(second if first == name else first)


def _first_constant(editor: GraphEditor, node: NodeProto) -> str | None:
    return next((name for name in node.input if editor.constant(name) is not None), None)


def _convolution(editor: GraphEditor, node: NodeProto, tail: _Tail) -> NodeProto:
    weights = _weights(editor, node, tail.weight_scale, channel_axis=0)
    inputs = [_real_input(editor, node), weights, *([tail.bias] if tail.bias else [])]
    new = helper.make_node("Conv", inputs, list(tail.rescale.output), name=node.name)
    new.attribute.extend(node.attribute)
    return new


def _matmul(editor: GraphEditor, node: NodeProto, tail: _Tail) -> NodeProto:
    if tail.bias is not None:
        raise PreparationFailed(f"{node.name}: a matrix product with a bias of its own")
    weights = _weights(editor, node, tail.weight_scale, channel_axis=-1)
    return helper.make_node("MatMul", [_real_input(editor, node), weights], list(tail.rescale.output), name=node.name)


def _real_input(editor: GraphEditor, product: NodeProto) -> str:
    quantizer = editor.producer(product.input[0])
    if quantizer is None or quantizer.op_type != "DynamicQuantizeLinear":
        raise PreparationFailed(f"{product.name}: its input is not quantised on the way")
    return str(quantizer.input[0])


def _weights(editor: GraphEditor, node: NodeProto, scale: str, *, channel_axis: int) -> str:
    integers = node.input[1]
    zero_point = node.input[3] if len(node.input) > 3 else ""
    value = _dequantized(editor, integers, scale, zero_point, channel_axis=channel_axis)
    return editor.share_constant(f"{integers}:{scale}", value)


def _lstm(editor: GraphEditor, node: NodeProto) -> NodeProto:
    x, w, r, bias, lengths, h, c, peepholes, w_scale, w_zero, r_scale, r_zero = node.input
    names = []
    for integers, scale, zero_point in ((w, w_scale, w_zero), (r, r_scale, r_zero)):
        # Here alone the weights are stored transposed: (directions, inputs, 4 * hidden).
        stored = _dequantized(editor, integers, scale, zero_point, channel_axis=-1, directions=True)
        names.append(editor.share_constant(f"{integers}:{scale}", stored.transpose(0, 2, 1)))
    inputs = [x, *names, bias, lengths, h, c, peepholes]
    new = helper.make_node("LSTM", inputs, list(node.output), name=node.name)
    new.attribute.extend(attribute for attribute in node.attribute if attribute.name in _LSTM_ATTRIBUTES)
    return new


def _dequantized(
    editor: GraphEditor, integers: str, scale: str, zero_point: str, *, channel_axis: int, directions: bool = False
) -> NDArray[np.float32]:
    weights = _constant(editor, integers)
    offset = _constant(editor, zero_point) if zero_point else np.zeros((), weights.dtype)
    rank = weights.ndim
    zero = _spread(offset.astype(np.float32), rank=rank, channel_axis=channel_axis, directions=directions)
    factor = _constant(editor, scale).astype(np.float32)
    spread = _spread(factor, rank=rank, channel_axis=channel_axis, directions=directions)
    real: NDArray[np.float32] = np.multiply(np.subtract(weights.astype(np.float32), zero), spread)
    return real


def _spread(value: NDArray[np.float32], *, rank: int, channel_axis: int, directions: bool) -> NDArray[np.float32]:
    """Give a scale or zero point (one, one a direction, one a channel) the weights' rank."""
    if value.size == 1:
        return value.reshape(())
    shape = [1] * rank
    if directions:
        shape[0] = value.shape[0]
        shape[channel_axis] = value.size // value.shape[0]
    else:
        shape[channel_axis] = value.size
    return value.reshape(shape)


def _constant(editor: GraphEditor, name: str) -> Array:
    value = editor.constant(name)
    if value is None:
        raise PreparationFailed(f"{name}: not a constant, as quantised weights must be")
    return value


def _unexpected(product: NodeProto, found: NodeProto) -> PreparationFailed:
    return PreparationFailed(f"{product.name or product.op_type}: unexpected {found.op_type} after it")
