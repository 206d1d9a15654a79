"""The generator's instance normalisations: where they are, what they find, and what they are told instead.

An instance normalisation subtracts a channel's mean over time and divides by its deviation; the style then scales and
shifts it. Means and deviations are all that ties one moment of the generator's output to another that is far away.
Given them as inputs, each site is one multiplication and one addition a channel, and windows are exact. The same graph
takes them of what it is given to see when it is told so, and then says what they were: a segment that is spoken whole
needs no second copy of the weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.editor import GraphEditor, reads
from primavoce.kokoro.graph.names import MEANS, OWN, SCALES, SHIFTS, USED_MEANS, USED_VARIANCES, VARIANCES

_TIME_AXIS = 2


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


def tell_statistics(generator: onnx.ModelProto, channels: Sequence[int]) -> None:
    """Have the sites of a generator take `SCALES`, `SHIFTS`, `MEANS` and `VARIANCES` from outside, in place.

    With `OWN` set, they use means and variances of what they see; `USED_MEANS` and `USED_VARIANCES` tell them.

    Args:
        generator: As `primavoce.kokoro.graph.stages.cut` extracts it; needs no style any more.
        channels: How many each site has, in the order of `sites`.

    Raises:
        PreparationFailed: a normalisation is wired in a way that isn't known.
    """
    editor = GraphEditor(generator)
    found = sites(editor)
    told: dict[str, list[str]] = {MEANS: [], VARIANCES: [], SCALES: [], SHIFTS: []}
    used: dict[str, list[str]] = {USED_MEANS: [], USED_VARIANCES: []}
    for number, site in enumerate(found):
        name = f"site:{number}"
        mean, variance = f"{name}:mean", f"{name}:variance"
        told[MEANS].append(f"{mean}:told")
        told[VARIANCES].append(f"{variance}:told")
        used[USED_MEANS].append(mean)
        used[USED_VARIANCES].append(variance)
        # Where the mean was made: after the values, before whatever uses them.
        editor.replace(_known(editor.producer(site.mean)), [_choice(site, name), *_deviation(site, name)])
        for which, use in enumerate(site.uses):
            scale, shift = f"{name}:{which}:scale", f"{name}:{which}:shift"
            told[SCALES].append(scale)
            told[SHIFTS].append(shift)
            editor.replace(use.result, _affine(site, name, scale, shift, use.result))
    editor.finish()
    graph = generator.graph
    by_use = [count for count, site in zip(channels, found, strict=True) for _ in site.uses]
    for name, parts in told.items():
        sizes = by_use if name in (SCALES, SHIFTS) else list(channels)
        graph.initializer.append(numpy_helper.from_array(np.array(sizes, np.int64), f"{name}:channels"))
        split = helper.make_node("Split", [name, f"{name}:channels"], parts, name=f"/{name}", axis=1)
        graph.node.insert(0, split)
        graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", sum(sizes), 1]))
    for name, parts in used.items():
        graph.node.append(helper.make_node("Concat", parts, [name], name=f"/{name}", axis=1))
        graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", sum(channels), 1]))
    graph.input.append(helper.make_tensor_value_info(OWN, TensorProto.BOOL, []))
    _drop_unread_inputs(generator)


def _choice(site: Site, name: str) -> NodeProto:
    """Return the node that takes the site's mean and variance from where `OWN` says.

    Each branch is computed only when it is taken: what is told costs no pass over the values.
    """
    mean, variance, centred, axis = f"{name}:mean:own", f"{name}:variance:own", f"{name}:centred", f"{name}:axis"
    own = [
        helper.make_node("Constant", [], [axis], value_ints=[_TIME_AXIS]),
        helper.make_node("ReduceMean", [site.x, axis], [mean], keepdims=1),
        helper.make_node("Sub", [site.x, mean], [centred]),
        helper.make_node("Mul", [centred, centred], [f"{centred}:square"]),
        helper.make_node("ReduceMean", [f"{centred}:square", axis], [variance], keepdims=1),
    ]
    given = [
        helper.make_node("Identity", [f"{name}:{what}:told"], [f"{name}:{what}:given"]) for what in ("mean", "variance")
    ]
    return helper.make_node(
        "If",
        [OWN],
        [f"{name}:mean", f"{name}:variance"],
        name=f"/{name}",
        then_branch=_branch(own, [mean, variance]),
        else_branch=_branch(given, [f"{name}:mean:given", f"{name}:variance:given"]),
    )


def _branch(nodes: list[NodeProto], outputs: list[str]) -> onnx.GraphProto:
    told = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    return helper.make_graph(nodes, outputs[0], [], told)


def _deviation(site: Site, name: str) -> list[NodeProto]:
    epsilon = helper.make_node("Constant", [], [f"{name}:epsilon"], value_float=site.epsilon)
    above_zero = helper.make_node("Add", [f"{name}:variance", f"{name}:epsilon"], [f"{name}:above_zero"])
    root = helper.make_node("Sqrt", [f"{name}:above_zero"], [f"{name}:deviation"])
    return [epsilon, above_zero, root]


def _affine(site: Site, name: str, scale: str, shift: str, result: NodeProto) -> list[NodeProto]:
    """Return ``(x - mean) / deviation * scale + shift`` as one multiplication and one addition over time."""
    gain, moved, bias, scaled = f"{scale}:gain", f"{scale}:moved", f"{scale}:bias", f"{scale}:scaled"
    return [
        helper.make_node("Div", [scale, f"{name}:deviation"], [gain]),
        helper.make_node("Mul", [f"{name}:mean", gain], [moved]),
        helper.make_node("Sub", [shift, moved], [bias]),
        helper.make_node("Mul", [site.x, gain], [scaled]),
        helper.make_node("Add", [scaled, bias], [result.output[0]], name=result.name),
    ]


def _drop_unread_inputs(model: onnx.ModelProto) -> None:
    read = {name for node in model.graph.node for name in reads(node)}
    for index in reversed(range(len(model.graph.input))):
        if model.graph.input[index].name not in read:
            del model.graph.input[index]
