"""One-dimensional convolutions, rewritten with fewer multiplications (see `toom_cook`).

.. code-block:: text

    x -> phases -> values at the points -> one convolution for each point, in groups -> phases -> y

The convolution in the middle has a half to a third of the multiplications. What is around it costs a few passes over
the values, which is little where there are many channels.
"""

from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, helper

from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.toom_cook import POINTS, TILES, Matrix, Plan, plan, transforms

FEWEST_CHANNELS = 64
"""Below this the passes cost more than the multiplications."""

_TO_THE_END = 2**62


def quicken_convolutions(editor: GraphEditor, *, spare: Container[str] = (), tiles: Sequence[int] = TILES) -> int:
    """Rewrite the 1-D convolutions of three taps and more between many channels, and return how many.

    Left alone are those with a stride or in groups.

    Args:
        editor: Of the graph.
        spare: Values that aren't to change, not even in how they round.
        tiles: How many outputs may be computed together. The weights grow: from k taps to as many as there are
            points, which is ``(tile + k - 1) / k`` for short kernels.
    """
    replaced = 0
    for node in editor.nodes("Conv"):
        weights = editor.constant(node.input[1])
        if weights is None or node.output[0] in spare or not _is_eligible(node, weights.shape):
            continue
        planned = plan(weights.shape[2], _first(node, "dilations", 1), tiles=tiles)
        if planned is not None:
            editor.replace(node, _Rewriting(editor, node, planned).nodes())
            replaced += 1
    return replaced


def _is_eligible(node: NodeProto, shape: tuple[int, ...]) -> bool:
    found = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    return (
        len(shape) == 3
        and min(shape[:2]) >= FEWEST_CHANNELS
        and shape[2] >= 3
        and found.get("group", 1) == 1
        and set(found.get("strides", ())) <= {1}
        and found.get("auto_pad", b"NOTSET") == b"NOTSET"
    )


def _first(node: NodeProto, name: str, default: int) -> int:
    return next((int(attribute.ints[0]) for attribute in node.attribute if attribute.name == name), default)


class _Rewriting:
    """Makes the nodes of one convolution."""

    def __init__(self, editor: GraphEditor, node: NodeProto, planned: Plan) -> None:
        weights = editor.constant(node.input[1])
        assert weights is not None
        self._editor = editor
        self._node = node
        self._plan = planned
        self._weights = weights.astype(np.float64)
        self._transforms = transforms(planned.tile, planned.part)
        self._dilation = _first(node, "dilations", 1)
        # Outputs a dilation apart are made together. The first tiles reach back before the first output, since every
        # phase of it must be there.
        self._early = self._dilation * (planned.tile - 1) // planned.tile
        self._made: list[NodeProto] = []

    def nodes(self) -> list[NodeProto]:
        """Return them in order; the last makes what the convolution made."""
        tile, points, dilation, early = self._plan.tile, self._plan.points, self._dilation, self._early
        filters, channels, _ = self._weights.shape
        padded, length = self._pad()
        shifts = [divmod(dilation * index, tile) for index in range(tile)]
        inputs = self._shifted(self._split(padded, channels), [(phase, shift) for shift, phase in shifts], 2, "inputs")
        products = self._products(self._evaluate(inputs, channels))
        together = self._reshape(products, "together", 0, points, -1)
        outputs = self._reshape(self._interpolate(together), "outputs", 0, tile, filters, -1)
        by_phase = sorted((phase, index, early - shift) for index, (shift, phase) in enumerate(shifts))
        ordered = self._shifted(outputs, [(index, shift) for _, index, shift in by_phase], 3, "ordered")
        self._join(ordered, filters, length)
        return self._made

    def _pad(self) -> tuple[str, str]:
        """Make the input so long that it falls into tiles; return it, and the length of the output."""
        tile, dilation, node = self._plan.tile, self._dilation, self._node
        before, after = next((each.ints for each in node.attribute if each.name == "pads"), (0, 0))
        growth = before + after - dilation * (self._weights.shape[2] - 1)
        late = self._early + dilation * (self._plan.parts - 1 + self._plan.tiles_read - 1)
        length_in = self._add("Shape", [node.input[0]], "length_in", start=2, end=3)
        length = self._add("Add", [length_in, self._constant(growth)], "length")
        missing = self._add("Mod", [self._add("Neg", [length], "negative"), self._constant(tile)], "missing")
        behind = self._add("Add", [missing, self._constant(growth - before + tile * late)], "behind")
        ahead = self._constant(0, 0, before + tile * self._early, 0, 0)
        pads = self._add("Concat", [ahead, behind], "pads", axis=0)
        return self._add("Pad", [node.input[0], pads], "padded"), length

    def _split(self, padded: str, channels: int) -> str:
        """(batch, channels, tile * n) to (batch, tile, channels * n)."""
        tile = self._plan.tile
        apart = self._reshape(padded, "apart", 0, channels, -1, tile)
        transposed = self._add("Transpose", [apart], "transposed", perm=[0, 3, 1, 2])
        # Channels end to end, also because onnxruntime would else move the transposition behind the slices to come:
        # there it would be done for each of them, and each slice would pick single numbers.
        return self._reshape(transposed, "phases", 0, tile, -1)

    def _join(self, phases: str, filters: int, length: str) -> None:
        """(batch, tile, filters, n) to (batch, filters, length), under the name of what the node made."""
        transposed = self._add("Transpose", [phases], "interleaved", perm=[0, 2, 3, 1])
        joined = self._reshape(transposed, "joined", 0, filters, -1)
        inputs = [joined, self._constant(0), length, self._constant(2)]
        self._made.append(helper.make_node("Slice", inputs, [self._node.output[0]], name=self._node.name))

    def _shifted(self, rows: str, wanted: Sequence[tuple[int, int]], axis: int, name: str) -> str:
        """Put rows in the order of ``wanted``: (row, columns that it begins later).

        All come out as many columns shorter as the largest shift.
        """
        if self._early == 0:
            return rows
        slices = [
            self._add(
                "Slice",
                [
                    rows,
                    self._constant(row, shift),
                    self._constant(row + 1, shift - self._early or _TO_THE_END),
                    self._constant(1, axis),
                ],
                f"{name}:{row}",
            )
            for row, shift in wanted
        ]
        return self._add("Concat", slices, name, axis=1)

    def _evaluate(self, inputs: str, channels: int) -> str:
        """(batch, tile, channels * n) to (batch, points * channels, n).

        A matrix product over tiles that overlap is a convolution over all channels end to end. The last columns of a
        channel, where that mixes it with the next, are computed in vain.
        """
        tile, points, reads = self._plan.tile, self._plan.points, self._plan.tiles_read
        above = np.zeros((points, reads * tile))
        above[:, :points] = self._transforms.above
        kernels = above.reshape(points, reads, tile).transpose(0, 2, 1)
        values = self._add(
            "Conv",
            [inputs, self._matrix("above", kernels)],
            "evaluated",
            kernel_shape=[reads],
            dilations=[self._dilation],
            pads=[0, self._dilation * (reads - 1) + self._early],
        )
        return self._reshape(values, "values", 0, points * channels, -1)

    def _interpolate(self, products: str) -> str:
        return self._add("MatMul", [self._matrix("below", self._transforms.below), products], "interpolated")

    def _products(self, values: str) -> str:
        """Convolve each point's values with a kernel of its own."""
        points, parts = self._plan.points, self._plan.parts
        name = f"{self._node.input[1]}:tile{self._plan.tile}"
        if parts == 1:
            weights = self._editor.share_constant(name, self._evaluated_weights())
            return self._add("Conv", [values, weights, *self._bias()], "products", group=points, kernel_shape=[1])
        # Of several taps in two dimensions, as in `convolutions`.
        weights = self._editor.share_constant(name, self._evaluated_weights()[:, :, None, :])
        high = self._add("Unsqueeze", [values, self._constant(2)], "high")
        inputs = [high, weights, *self._bias()]
        shape, dilations = [1, parts], [1, self._dilation]
        return self._add("Conv", inputs, "products", group=points, kernel_shape=shape, dilations=dilations)

    def _evaluated_weights(self) -> NDArray[np.float32]:
        filters, channels, kernel = self._weights.shape
        part, parts = self._plan.part, self._plan.parts
        whole = np.zeros((filters, channels, parts * part))
        whole[:, :, :kernel] = self._weights
        apart = whole.reshape(filters, channels, parts, part)
        at_points: Matrix = np.einsum("pk,fcnk->pfcn", self._transforms.weights, apart)
        return at_points.reshape(self._plan.points * filters, channels, parts).astype(np.float32)

    def _bias(self) -> list[str]:
        """The convolution's bias, at the point 1 alone: all powers of 1 are 1, so that every output gets it."""
        bias = self._editor.constant(self._node.input[2]) if len(self._node.input) > 2 else None
        if bias is None:
            return []
        one = POINTS.index(1.0)
        at_points = np.zeros((self._plan.points, bias.size), np.float32)
        at_points[one] = bias.astype(np.float64) / self._transforms.below[0, one]
        name = f"{self._node.input[2]}:{self._plan.tile}:{self._plan.points}"
        return [self._editor.share_constant(name, at_points.reshape(-1))]

    def _matrix(self, name: str, value: Matrix) -> str:
        name = f"toom_cook:{name}:{self._plan.tile}:{self._plan.part}"
        return self._editor.share_constant(name, value.astype(np.float32))

    def _reshape(self, value: str, name: str, *shape: int) -> str:
        return self._add("Reshape", [value, self._constant(*shape)], name)

    def _constant(self, *values: int) -> str:
        return self._editor.share_constant(f"ints:{','.join(map(str, values))}", np.array(values, np.int64))

    def _add(self, kind: str, inputs: list[str], name: str, **attributes: int | list[int]) -> str:
        output = f"{self._node.output[0]}:{name}"
        made = helper.make_node(kind, inputs, [output], name=f"{self._node.name}:{name}")
        made.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())
        self._made.append(made)
        return output
