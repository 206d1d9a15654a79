"""Other names for a graph's values."""

from collections.abc import Iterable, Iterator, Mapping

import onnx
from onnx import AttributeProto, NodeProto


def rename_values(graph: onnx.GraphProto, names: Mapping[str, str]) -> None:
    """Call values otherwise wherever they are made, read or described, in the graphs inside of nodes too."""
    for part in graphs(graph):
        for node in part.node:
            for called in (node.input, node.output):
                for index, name in enumerate(called):
                    if name in names:
                        called[index] = names[name]
        for value in (*part.input, *part.output, *part.value_info, *part.initializer):
            value.name = names.get(value.name, value.name)


def graphs(graph: onnx.GraphProto) -> Iterator[onnx.GraphProto]:
    """Yield a graph, and those inside of its nodes."""
    yield graph
    for attribute in attributes(graph.node):
        for inner in (attribute.g, *attribute.graphs) if attribute.type == AttributeProto.GRAPH else attribute.graphs:
            yield from graphs(inner)


def attributes(nodes: Iterable[NodeProto]) -> Iterator[AttributeProto]:
    """Yield what is said of nodes besides what they read and make."""
    for node in nodes:
        yield from node.attribute
