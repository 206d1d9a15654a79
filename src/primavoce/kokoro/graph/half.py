"""Exports in half precision, made single: processors without half-precision arithmetic would convert at every node."""

from collections.abc import Iterator

import numpy as np
import onnx
from onnx import AttributeProto, NodeProto, TensorProto, numpy_helper

from primavoce.kokoro.graph.renaming import attributes, graphs, rename_values

_HALF, _SINGLE = TensorProto.FLOAT16, TensorProto.FLOAT
_TYPE_ATTRIBUTES = ("to", "dtype")
"""What operators call the type that they make."""


def widen_halves(model: onnx.ModelProto) -> int:
    """Make every half-precision value of a model single-precision, in place; return how many constants those were.

    Conversions between the two go: they would stand between nodes that belong together.
    """
    if not any(tensor.data_type == _HALF for tensor in _tensors(model)):
        return 0
    _bypass_casts(model)
    tensors = [tensor for tensor in _tensors(model) if tensor.data_type == _HALF]
    for tensor in tensors:
        value = numpy_helper.to_array(tensor).astype(np.float32)
        tensor.CopyFrom(numpy_helper.from_array(value, tensor.name))
    for graph in graphs(model.graph):
        for attribute in attributes(graph.node):
            if attribute.name in _TYPE_ATTRIBUTES and attribute.i == _HALF:
                attribute.i = _SINGLE
        for value in (*graph.input, *graph.output, *graph.value_info):
            if value.type.tensor_type.elem_type == _HALF:
                value.type.tensor_type.elem_type = _SINGLE
    return len(tensors)


def _tensors(model: onnx.ModelProto) -> Iterator[TensorProto]:
    for graph in graphs(model.graph):
        yield from graph.initializer
        for attribute in attributes(graph.node):
            if attribute.type == AttributeProto.TENSOR:
                yield attribute.t


def _bypass_casts(model: onnx.ModelProto) -> None:
    """Remove what converts between half and single precision, but for what makes an output."""
    graph = model.graph
    inferred = onnx.shape_inference.infer_shapes(model).graph
    types = {
        value.name: value.type.tensor_type.elem_type
        for value in (*inferred.input, *inferred.output, *inferred.value_info)
    }
    types |= {tensor.name: tensor.data_type for tensor in graph.initializer}
    outputs = {output.name for output in graph.output}
    instead: dict[str, str] = {}
    kept: list[NodeProto] = []
    for node in graph.node:
        if (
            node.op_type == "Cast"
            and node.output[0] not in outputs
            and {types.get(node.input[0]), _made_type(node)} <= {_HALF, _SINGLE}
        ):
            instead[node.output[0]] = instead.get(node.input[0], node.input[0])
        else:
            kept.append(node)
    fresh = onnx.GraphProto()
    fresh.node.extend(kept)
    del graph.node[:]
    graph.node.extend(fresh.node)
    _forget(graph, set(instead))
    rename_values(graph, instead)


def _made_type(cast: NodeProto) -> int:
    return next(int(attribute.i) for attribute in cast.attribute if attribute.name == "to")


def _forget(graph: onnx.GraphProto, names: set[str]) -> None:
    for index in reversed(range(len(graph.value_info))):
        if graph.value_info[index].name in names:
            del graph.value_info[index]
