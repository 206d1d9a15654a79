"""An export small enough for a light test, with every place that preparing looks for.

As in the published ones, each phoneme lasts some steps, each step is two frames, and the generator makes of frames, a
harmonic source and the style a spectrum, which an inverse transform makes sound. Its numbers are chance, seeded.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from primavoce.kokoro.graph.landmarks import STYLE_CHANNELS
from primavoce.kokoro.model import EXPORTS

FRAMES, SOURCE, STYLE, SPECTRUM = "/decode/out", "/harmonic/out", "/style/half", "/post/out"
UPSAMPLED, SOURCE_SLOW, SOURCE_FAST = "/ups/out", "/noise_slow/out", "/noise_fast/out"
INVERSE_BASIS, WINDOW_SUM = "istft.basis", "istft.window_sum"

CHANNELS = 4
"""Of each of the generator's values; the frames and the source have as many as they always have."""
SITES, USES = 2, 3
"""The first normalisation is made use of twice."""
STYLE_WEIGHTS = np.random.default_rng(2).integers(0, 255, (STYLE_CHANNELS, 2 * CHANNELS), np.uint8)
"""What all uses make their scales and shifts with."""
ZERO_POINTS = np.full(2 * CHANNELS, 117, np.uint8)
STYLE_SCALES = np.random.default_rng(3).uniform(0.001, 0.002, 2 * CHANNELS).astype(np.float32)
EXPANDED = (STYLE_WEIGHTS.astype(np.float32) - ZERO_POINTS.astype(np.float32)) * STYLE_SCALES


def tiny_export(path: Path, *, quantised: bool = True, called: tuple[str, str, str, str] = EXPORTS[0]) -> Path:
    """Write an export in which each id lasts as many steps as its tenth, rounded, and one at least."""
    tokens, style, speed, audio = called
    inputs = [(tokens, TensorProto.INT64, [1, "n"]), (style, TensorProto.FLOAT, [1, 256])]
    inputs.append((speed, TensorProto.FLOAT, [1]))
    graph = helper.make_graph(
        [*_prosody(tokens, style, speed), *_generator(quantised=quantised), *_inverse(audio)],
        "tiny",
        [helper.make_tensor_value_info(*value) for value in inputs],
        [helper.make_tensor_value_info(audio, TensorProto.FLOAT, ["samples"])],
        [numpy_helper.from_array(value, name) for name, value in _constants().items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), path)
    return path


def _prosody(tokens: str, style: str, speed: str) -> list[NodeProto]:
    """Durations, what each frame says, and a harmonic source."""
    node = helper.make_node
    return [
        node("Cast", [tokens], ["ids"], to=TensorProto.FLOAT),
        node("Mul", ["ids", "tenth"], ["tenths"]),
        node("Div", ["tenths", speed], ["lasting"]),
        node("Round", ["lasting"], ["rounded"]),
        node("Clip", ["rounded", "one"], ["steps"]),
        node("Mul", ["steps", "two"], ["frames_each"]),
        node("CumSum", ["frames_each", "axis:1"], ["ends"]),
        node("ReduceSum", ["frames_each"], ["frames"], keepdims=0),
        # The phoneme of a frame: as many as have ended by then.
        node("Range", ["zero", "frames", "one"], ["moments"]),
        node("Unsqueeze", ["moments", "axes:1"], ["moments:column"]),
        node("GreaterOrEqual", ["moments:column", "ends"], ["ended"]),
        node("Cast", ["ended"], ["ended:integers"], to=TensorProto.INT64),
        node("ReduceSum", ["ended:integers", "axes:1"], ["phoneme"], keepdims=0),
        node("Gather", ["ids", "phoneme"], ["said"], axis=1),
        node("Unsqueeze", ["said", "axes:1"], ["said:row"]),
        node("Mul", ["said:row", "voices"], ["turns"]),
        node("Sin", ["turns"], [FRAMES]),
        node("Mul", ["frames", "sixty"], ["source_frames"]),
        node("Add", ["source_frames", "one"], ["source_end"]),
        node("Range", ["zero", "source_end", "one"], ["source_moments"]),
        node("Mul", ["source_moments", "tones"], ["phases"]),
        node("Sin", ["phases"], [SOURCE]),
        node("Slice", [style, "slice:0", "slice:half", "axes:1"], [STYLE]),
    ]


def _generator(*, quantised: bool) -> list[NodeProto]:
    """Ten values a frame, normalised and used twice; then sixty, normalised and used once."""
    node = helper.make_node
    return [
        node("LeakyRelu", [FRAMES], ["active"], alpha=0.1),
        node("ConvTranspose", ["active", "ups.0"], [UPSAMPLED], kernel_shape=[10], strides=[10]),
        node("Conv", [SOURCE, "noise.0"], [SOURCE_SLOW], kernel_shape=[6], strides=[6]),
        node("Add", [UPSAMPLED, SOURCE_SLOW], ["x:0"]),
        *normalisation("norm.0", "x:0"),
        *_use("first", "norm.0", quantised=quantised),
        *_use("second", "norm.0", quantised=quantised),
        node("Sin", ["first"], ["first:wave"]),
        node("Add", ["first:wave", "second"], ["blocks"]),
        node("ConvTranspose", ["blocks", "ups.1"], ["faster"], kernel_shape=[6], strides=[6]),
        node("Pad", ["faster", "pads"], ["padded"], mode="reflect"),
        node("Conv", [SOURCE, "noise.1"], [SOURCE_FAST], kernel_shape=[1]),
        node("Add", ["padded", SOURCE_FAST], ["x:1"]),
        *normalisation("norm.1", "x:1"),
        *_use("last", "norm.1", quantised=quantised),
        node("Conv", ["last", "post"], [SPECTRUM], kernel_shape=[3], pads=[1, 1]),
    ]


def normalisation(name: str, x: str) -> list[NodeProto]:
    """An instance normalisation over time, wired as the published exports' are."""
    node = helper.make_node
    return [
        node("ReduceMean", [x, "axes:2"], [f"{name}:mean"]),
        node("Sub", [x, f"{name}:mean"], [f"{name}:centred"]),
        node("Mul", [f"{name}:centred", f"{name}:centred"], [f"{name}:square"]),
        node("ReduceMean", [f"{name}:square", "axes:2"], [f"{name}:variance"]),
        node("Add", [f"{name}:variance", "epsilon"], [f"{name}:above_zero"]),
        node("Sqrt", [f"{name}:above_zero"], [f"{name}:deviation"]),
        node("Div", [f"{name}:centred", f"{name}:deviation"], [name]),
    ]


def _use(name: str, normalised: str, *, quantised: bool) -> list[NodeProto]:
    """What the style makes of a normalised value: a product of it gives scales and shifts."""
    node = helper.make_node
    product = quantised_product if quantised else float_product
    return [
        *product(f"{name}:styles", STYLE),
        node("Mul", [f"{name}:styles", f"{name}:own"], [f"{name}:chosen"]),
        node("Unsqueeze", [f"{name}:chosen", "axes:2"], [f"{name}:column"]),
        node("Split", [f"{name}:column"], [f"{name}:above_one", f"{name}:shift"], axis=1, num_outputs=2),
        node("Add", [f"{name}:above_one", "one"], [f"{name}:scale"]),
        node("Mul", [normalised, f"{name}:scale"], [f"{name}:scaled"]),
        node("Add", [f"{name}:scaled", f"{name}:shift"], [name]),
    ]


def float_product(name: str, x: str) -> list[NodeProto]:
    """A matrix product."""
    return [helper.make_node("MatMul", [x, "w"], [name], name=name)]


def quantised_product(name: str, x: str) -> list[NodeProto]:
    """The same, quantised and wired as the published export's are."""
    quantised = [f"{name}_quantized", f"{name}_scale", f"{name}_zero_point"]
    weights = [quantised[0], "w_quantized", quantised[2], "w_zero_point"]
    return [
        helper.make_node("DynamicQuantizeLinear", [x], quantised),
        helper.make_node("MatMulInteger", weights, [f"{name}_integers"], name=name),
        helper.make_node("Cast", [f"{name}_integers"], [f"{name}_cast"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [quantised[1], "w_scale"], [f"{name}_scales"]),
        helper.make_node("Mul", [f"{name}_cast", f"{name}_scales"], [name]),
    ]


def _inverse(audio: str) -> list[NodeProto]:
    """Spectrum to samples, as the published exports have it."""
    node = helper.make_node
    return [
        node("Split", [SPECTRUM], ["levels", "angles"], axis=1, num_outputs=2),
        node("Exp", ["levels"], ["magnitude"]),
        node("Sin", ["angles"], ["phase"]),
        node("Cos", ["phase"], ["cosine"]),
        node("Sin", ["phase"], ["sine"]),
        node("Mul", ["magnitude", "cosine"], ["real"]),
        node("Mul", ["magnitude", "sine"], ["imaginary"]),
        node("Concat", ["real", "imaginary"], ["waves"], axis=1),
        node("ConvTranspose", ["waves", INVERSE_BASIS], ["overlapped"], kernel_shape=[20], strides=[5]),
        node("Slice", ["overlapped", "slice:0", "slice:20", "axes:2"], ["beginning"]),
        node("Div", ["beginning", WINDOW_SUM], ["beginning:even"]),
        node("Slice", ["overlapped", "slice:20", "slice:end", "axes:2"], ["rest"]),
        node("Concat", ["beginning:even", "rest"], ["even"], axis=2),
        node("Mul", ["even", "four"], ["loud"]),
        node("Slice", ["loud", "slice:10", "slice:-10", "axes:2"], ["trimmed"]),
        node("Reshape", ["trimmed", "flat"], [audio]),
    ]


def _constants() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(4)

    def floats(*shape: int, spread: float) -> np.ndarray:
        return (spread * chance.standard_normal(shape)).astype(np.float32)

    return {
        **{name: np.array(value, np.float32) for name, value in _NUMBERS.items()},
        **{name: np.array(value, np.int64) for name, value in _INTEGERS.items()},
        "w": EXPANDED,
        "w_quantized": STYLE_WEIGHTS,
        "w_zero_point": ZERO_POINTS,
        "w_scale": STYLE_SCALES,
        "voices": floats(1, 512, 1, spread=0.1),
        "tones": np.geomspace(0.01, 3, 22, dtype=np.float32).reshape(1, 22, 1),
        "ups.0": floats(512, CHANNELS, 10, spread=0.05),
        "ups.1": floats(CHANNELS, CHANNELS, 6, spread=0.5),
        "noise.0": floats(CHANNELS, 22, 6, spread=0.1),
        "noise.1": floats(CHANNELS, 22, 1, spread=0.2),
        "post": floats(22, CHANNELS, 3, spread=0.2),
        "first:own": np.ones(1, np.float32),
        "second:own": np.full(1, -0.5, np.float32),
        "last:own": np.full(1, 0.7, np.float32),
        INVERSE_BASIS: floats(22, 1, 20, spread=0.003),
        WINDOW_SUM: np.linspace(0.5, 1.5, 20, dtype=np.float32),
    }


_NUMBERS = {"zero": 0, "one": 1, "two": 2, "four": 4, "sixty": 60, "tenth": 0.1, "epsilon": 1e-5}
_INTEGERS = {
    "axis:1": 1,
    "axes:1": [1],
    "axes:2": [2],
    "pads": [0, 0, 1, 0, 0, 0],
    "flat": [-1],
    "slice:0": [0],
    "slice:10": [10],
    "slice:-10": [-10],
    "slice:20": [20],
    "slice:half": [STYLE_CHANNELS],
    "slice:end": [2**40],
}
