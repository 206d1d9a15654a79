"""What the first stage tells of a segment, so that its normalisations' statistics can be predicted.

Time means of the frames, of their positive part and of their square; and mean and log variance over time of the three
values that the generator makes first, by one convolution each: the frames upsampled, and the harmonic source at both of
its rates. These three cost a hundredth of the generator and are the beginning of what is to be predicted. Of the first,
also how much it is like itself a little later: convolutions over time see that.
"""

import onnx
from onnx import NodeProto, TensorProto, helper

from primavoce.kokoro.graph.names import FEATURES, FRAMES, SOURCE_FAST, SOURCE_SLOW, UPSAMPLED

FIRST_MADE = (UPSAMPLED, SOURCE_SLOW, SOURCE_FAST)
"""The generator's first values."""
LEAST_VARIANCE = 1e-8
"""Added to a variance before its logarithm is taken."""
LAGS = (1, 3, 8)
"""How much later, in the upsampled frames' steps of 1.25 ms."""
_TIME_AXIS = 2
_TO_THE_END = 2**62


def expose_features(model: onnx.ModelProto) -> None:
    """Have `FEATURES`, (batch, features, 1), computed in ``model``."""
    nodes = [
        helper.make_node("Constant", [], ["features:time"], value_ints=[_TIME_AXIS]),
        helper.make_node("Constant", [], ["features:least"], value_float=LEAST_VARIANCE),
        helper.make_node("Relu", [FRAMES], ["features:positive"]),
        helper.make_node("Mul", [FRAMES, FRAMES], ["features:square"]),
    ]
    parts: list[str] = []
    for value in (FRAMES, "features:positive", "features:square"):
        nodes.append(_mean(value, f"features:mean:{len(parts)}"))
        parts.append(f"features:mean:{len(parts)}")
    for value in FIRST_MADE:
        made = f"features:{value}"
        nodes += [
            _mean(value, f"{made}:mean"),
            helper.make_node("Sub", [value, f"{made}:mean"], [f"{made}:centred"]),
            helper.make_node("Mul", [f"{made}:centred", f"{made}:centred"], [f"{made}:square"]),
            _mean(f"{made}:square", f"{made}:variance"),
            helper.make_node("Add", [f"{made}:variance", "features:least"], [f"{made}:above_zero"]),
            helper.make_node("Log", [f"{made}:above_zero"], [f"{made}:log_variance"]),
        ]
        parts += [f"{made}:mean", f"{made}:log_variance"]
    for lag in LAGS:
        nodes += _correlation(f"features:{UPSAMPLED}", lag)
        parts.append(f"features:{UPSAMPLED}:lag:{lag}")
    nodes.append(helper.make_node("Concat", parts, [FEATURES], name=f"/{FEATURES}", axis=1))
    model.graph.node.extend(nodes)
    model.graph.value_info.append(helper.make_tensor_value_info(FEATURES, TensorProto.FLOAT, ["batch", "features", 1]))


def _correlation(made: str, lag: int) -> list[NodeProto]:
    """Return what makes a value's correlation with itself, ``lag`` steps later."""
    name = f"{made}:lag:{lag}"
    return [
        helper.make_node("Constant", [], [f"{name}:zero"], value_ints=[0]),
        helper.make_node("Constant", [], [f"{name}:later"], value_ints=[lag]),
        helper.make_node("Constant", [], [f"{name}:before"], value_ints=[-lag]),
        helper.make_node("Constant", [], [f"{name}:end"], value_ints=[_TO_THE_END]),
        helper.make_node(
            "Slice", [f"{made}:centred", f"{name}:later", f"{name}:end", "features:time"], [f"{name}:second"]
        ),
        helper.make_node(
            "Slice", [f"{made}:centred", f"{name}:zero", f"{name}:before", "features:time"], [f"{name}:first"]
        ),
        helper.make_node("Mul", [f"{name}:first", f"{name}:second"], [f"{name}:product"]),
        _mean(f"{name}:product", f"{name}:covariance"),
        helper.make_node("Div", [f"{name}:covariance", f"{made}:above_zero"], [name]),
    ]


def _mean(value: str, name: str) -> NodeProto:
    return helper.make_node("ReduceMean", [value, "features:time"], [name], keepdims=1)
