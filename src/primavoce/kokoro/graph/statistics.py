"""The generator's instance normalisations: where they are, what they find, and what they are told instead.

An instance normalisation subtracts a channel's mean over time and divides by its deviation; the style then scales and
shifts it. Means and deviations are all that ties one moment of the generator's output to another that is far away.
Given them as inputs, each site is one multiplication and one addition a channel, and windows are exact.
"""

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import GraphEditor

GAINS, BIASES = "gains", "biases"
"""The inputs of the given form: (1, channels of all uses, 1)."""
MEANS, VARIANCES = "means", "variances"
"""The outputs of the collecting form: (1, channels of all sites, 1)."""
SCALES, SHIFTS = "scales", "shifts"
"""The outputs of the style form: (1, channels of all uses, 1)."""


@dataclass(frozen=True, slots=True)
class Use:
    """What a style makes of a normalised value, ``normalised * scale + shift``."""

    scale: str
    """(1, channels, 1)."""
    shift: str
    """(1, channels, 1)."""
    result: NodeProto
    """The node that makes the outcome."""


@dataclass(frozen=True, slots=True)
class Site:
    """One instance normalisation, ``(x - mean) / sqrt(variance + epsilon)``, of which several blocks may make use."""

    x: str
    mean: str
    variance: str
    epsilon: float
    uses: tuple[Use, ...]


def sites(editor: GraphEditor) -> list[Site]:
    """Return every site of a graph, in the graph's order.

    Raises:
        PreparationFailed: a normalisation is wired in a way that isn't known.
    """
    return [_site(editor, node) for node in editor.nodes("Div") if _is_normalisation(editor, node)]


def _is_normalisation(editor: GraphEditor, node: NodeProto) -> bool:
    above, below = (editor.producer(name) for name in node.input)
    return above is not None and above.op_type == "Sub" and below is not None and below.op_type == "Sqrt"


def _site(editor: GraphEditor, node: NodeProto) -> Site:
    centred, deviation = (_known(editor.producer(name)) for name in node.input)
    under_root = _known(editor.producer(deviation.input[0]), "Add")
    epsilons = [value for name in under_root.input if (value := editor.constant(name)) is not None]
    variances = [name for name in under_root.input if editor.constant(name) is None]
    if len(epsilons) != 1 or len(variances) != 1:
        raise PreparationFailed(f"a normalisation is wired in an unknown way at {node.name}")
    return Site(
        x=centred.input[0],
        mean=centred.input[1],
        variance=variances[0],
        epsilon=float(np.asarray(epsilons[0]).reshape(-1)[0]),
        uses=tuple(_use(editor, node.output[0], scaled) for scaled in editor.consumers(node.output[0])),
    )


def _use(editor: GraphEditor, normalised: str, scaled: NodeProto) -> Use:
    _known(scaled, "Mul")
    shifted = _known(editor.only_consumer(scaled.output[0]), "Add")
    return Use(_other(scaled, normalised), _other(shifted, scaled.output[0]), shifted)


def _known(node: NodeProto | None, kind: str | None = None) -> NodeProto:
    if node is None or (kind is not None and node.op_type != kind):
        found = "nothing, or more than one" if node is None else f"an unexpected {node.op_type}"
        raise PreparationFailed(f"a normalisation is followed by {found}")
    return node


def _other(node: NodeProto, name: str) -> str:
    return str(next(each for each in node.input if each != name))


def collecting(generator: onnx.ModelProto) -> onnx.ModelProto:
    """Return a generator that also tells `MEANS` and `VARIANCES` of all its sites."""
    found = sites(GraphEditor(generator))
    packed = {MEANS: [site.mean for site in found], VARIANCES: [site.variance for site in found]}
    return _with_outputs(generator, packed, keep=True)


def styling(generator: onnx.ModelProto) -> onnx.ModelProto:
    """Return the part of a generator that makes `SCALES` and `SHIFTS` of the style alone."""
    uses = [use for site in sites(GraphEditor(generator)) for use in site.uses]
    packed = {SCALES: [use.scale for use in uses], SHIFTS: [use.shift for use in uses]}
    return _with_outputs(generator, packed, keep=False)


def _with_outputs(generator: onnx.ModelProto, packed: dict[str, list[str]], *, keep: bool) -> onnx.ModelProto:
    model = onnx.ModelProto()
    model.CopyFrom(generator)
    if not keep:
        del model.graph.output[:]
    for name, parts in packed.items():
        model.graph.node.append(helper.make_node("Concat", parts, [name], name=f"/{name}", axis=1))
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    _prune(model)
    return model


def given(generator: onnx.ModelProto, channels: list[int]) -> onnx.ModelProto:
    """Return a generator whose sites take `GAINS` and `BIASES` from outside, and which needs no style.

    Args:
        generator: As `primavoce.kokoro.graph.stages.cut` made it.
        channels: How many each use of a site has.
    """
    model = onnx.ModelProto()
    model.CopyFrom(generator)
    editor = GraphEditor(model)
    gains = [f"use:{number}:gain" for number in range(len(channels))]
    biases = [f"use:{number}:bias" for number in range(len(channels))]
    uses = [(site.x, use.result) for site in sites(editor) for use in site.uses]
    for (x, result), gain, bias in zip(uses, gains, biases, strict=True):
        scaled = f"{gain}:scaled"
        multiply = helper.make_node("Mul", [x, gain], [scaled], name=f"/{scaled}")
        add = helper.make_node("Add", [scaled, bias], [result.output[0]], name=result.name)
        editor.replace(result, [multiply, add])
    editor.finish()
    model.graph.initializer.append(numpy_helper.from_array(np.array(channels, np.int64), "use:channels"))
    for name, parts in ((GAINS, gains), (BIASES, biases)):
        model.graph.node.insert(0, helper.make_node("Split", [name, "use:channels"], parts, name=f"/{name}", axis=1))
        model.graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, sum(channels), 1]))
    _prune(model)
    return model


def _prune(model: onnx.ModelProto) -> None:
    """Drop nodes, constants and inputs that no output needs."""
    GraphEditor(model).finish()
    read = {name for node in model.graph.node for name in node.input}
    for index in reversed(range(len(model.graph.input))):
        if model.graph.input[index].name not in read:
            del model.graph.input[index]
