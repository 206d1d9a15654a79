"""A graph that can be searched and rewritten node by node."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, numpy_helper

type Array = NDArray[np.generic]


class GraphEditor:
    """Finds the neighbours of a node, and replaces nodes by others.

    Nodes are known by the name of their first output, which is unique in a valid graph. Replacements are
    collected and take effect in `finish`; searches always see the graph as it came.
    """

    def __init__(self, model: onnx.ModelProto) -> None:
        self._model = model
        self._nodes = list(model.graph.node)
        self._producer = {output: node for node in self._nodes for output in node.output if output}
        self._consumers: dict[str, list[NodeProto]] = defaultdict(list)
        for node in self._nodes:
            for name in node.input:
                self._consumers[name].append(node)
        self._constants = {tensor.name: tensor for tensor in model.graph.initializer}
        self._replacements: dict[str, Sequence[NodeProto]] = {}

    def nodes(self, *kinds: str) -> list[NodeProto]:
        """Return the nodes of these operator types, in the graph's order."""
        return [node for node in self._nodes if node.op_type in kinds]

    def producer(self, name: str) -> NodeProto | None:
        """Return the node that makes ``name``, or None for a constant or an input of the graph."""
        return self._producer.get(name)

    def consumers(self, name: str) -> list[NodeProto]:
        """Return the nodes that read ``name``."""
        return list(self._consumers[name])

    def only_consumer(self, name: str) -> NodeProto | None:
        """Return the one node that reads ``name``, or None when there is none or more than one."""
        consumers = self._consumers[name]
        return consumers[0] if len(consumers) == 1 else None

    def upstream(self, names: Iterable[str]) -> set[str]:
        """Return all values that ``names`` are made of, themselves included."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                producer = self.producer(name)
                waiting += reads(producer) if producer is not None else []
        return found

    def constant(self, name: str) -> Array | None:
        """Return the value of ``name``, or None when it is not a constant."""
        if (tensor := self._constants.get(name)) is not None:
            return numpy_helper.to_array(tensor)
        node = self.producer(name)
        if node is not None and node.op_type == "Constant" and node.attribute[0].name == "value":
            return numpy_helper.to_array(node.attribute[0].t)
        if node is not None and node.op_type == "Identity":  # how exporters write that constants are alike
            return self.constant(node.input[0])
        return None

    def share_constant(self, name: str, value: Array) -> str:
        """Add a constant unless one of this name is there already, and return its name."""
        if name not in self._constants:
            # Filled where it belongs: appending would copy it, and both copies would live as long as the model.
            tensor = self._model.graph.initializer.add()
            tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(value), name))
            self._constants[name] = tensor
        return name

    def replace(self, node: NodeProto, by: Sequence[NodeProto]) -> None:
        """Put ``by`` in the place of ``node``; the last of them must make what ``node`` made."""
        self._replacements[node.output[0]] = by

    def finish(self) -> int:
        """Apply the replacements, and drop the nodes and constants that nothing needs any more.

        Returns:
            How many nodes were replaced.
        """
        graph = self._model.graph
        rewritten = [new for node in self._nodes for new in self._replacements.get(node.output[0], (node,))]
        needed = {output.name for output in graph.output}
        kept: list[NodeProto] = []
        for node in reversed(rewritten):
            if needed.intersection(node.output):
                kept.append(node)
                needed.update(reads(node))
        kept.reverse()
        _keep(graph, kept, needed)
        return len(self._replacements)


def reads(node: NodeProto) -> list[str]:
    """Return what a node reads; its branches read values of the graph around them."""
    inner = [each for attribute in node.attribute if attribute.HasField("g") for each in attribute.g.node]
    return [*node.input, *(name for each in inner for name in each.input)]


def _keep(graph: onnx.GraphProto, nodes: list[NodeProto], needed: set[str]) -> None:
    # The nodes are references into the field that is about to be emptied: copy first. The constants are not copied:
    # they are hundreds of megabytes, and what a model's fields once held is given back only with the model.
    fresh = onnx.GraphProto()
    fresh.node.extend(nodes)
    del graph.node[:]
    graph.node.extend(fresh.node)
    for index in reversed(range(len(graph.initializer))):
        if graph.initializer[index].name not in needed:
            del graph.initializer[index]
    # What onnx inferred about values that are gone would make the graph invalid.
    del graph.value_info[:]
