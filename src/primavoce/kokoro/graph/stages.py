"""The prepared graph, cut where a segment's whole is needed no more.

Everything up to the decoder's output must see the whole segment: durations, pitch and energy depend on all of its
phonemes. The generator after it doesn't: it turns frames into a spectrum, frame by frame, with ten frames of context
each side. Only its instance normalisations look at the whole; `statistics` takes that from them.
"""

from dataclasses import dataclass

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper
from onnx.utils import Extractor

from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.graph.features import expose_features
from primavoce.kokoro.graph.halfway import drop_context
from primavoce.kokoro.graph.landmarks import FRAME_CHANNELS, SPECTRUM_CHANNELS, STYLE_CHANNELS
from primavoce.kokoro.graph.names import DURATIONS, FEATURES, FRAMES, SCALES, SHIFTS, SOURCE, SPECTRUM, STYLE
from primavoce.kokoro.graph.statistics import Site, sites, tell_statistics
from primavoce.kokoro.inverse_stft import InverseBasis

_SHAPES: dict[str, list[int | str]] = {
    FRAMES: ["batch", FRAME_CHANNELS, "frames"],
    STYLE: ["batch", STYLE_CHANNELS],
    SOURCE: ["batch", SPECTRUM_CHANNELS, "source_frames"],
    SPECTRUM: ["batch", SPECTRUM_CHANNELS, "source_frames"],
}


@dataclass(frozen=True, slots=True)
class Stages:
    """The graph in two."""

    prosody: onnx.ModelProto
    """The published inputs → `FRAMES`, `SOURCE`, `FEATURES`, the style's `SCALES` and `SHIFTS`, and the durations."""
    generator: onnx.ModelProto
    """`FRAMES`, `SOURCE` and what the normalisations are told → `SPECTRUM`; carries the inverse transform."""


def cut(model: onnx.ModelProto, inverse: InverseBasis) -> Stages:
    """Return the two stages of ``model``, which is spent by it.

    Args:
        model: A graph with durations, whose values have our names.
        inverse: Its inverse transform.

    Raises:
        PreparationFailed: a normalisation is wired in a way that isn't known.
    """
    for name, shape in _SHAPES.items():
        model.graph.value_info.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    generator = Extractor(model).extract_model([FRAMES, STYLE, SOURCE], [SPECTRUM])
    found = sites(GraphEditor(generator))
    uses = [use for site in found for use in site.uses]
    for name, parts in ((SCALES, [use.scale for use in uses]), (SHIFTS, [use.shift for use in uses])):
        model.graph.node.append(helper.make_node("Concat", parts, [name], name=f"/{name}", axis=1))
        model.graph.value_info.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", "uses", 1]))
    expose_features(model)
    prosody = Extractor(model).extract_model(
        [value.name for value in model.graph.input], [FRAMES, SOURCE, FEATURES, SCALES, SHIFTS, DURATIONS]
    )
    tell_statistics(generator, _channels(generator, found))
    drop_context(generator)
    helper.set_model_props(generator, inverse.as_text())
    return Stages(prosody, generator)


def _channels(generator: onnx.ModelProto, found: list[Site]) -> list[int]:
    """Return how many channels each site has: as many as the style gives it scales."""
    scales = [site.uses[0].scale for site in found]
    generator.graph.value_info.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", "channels", 1]) for name in scales
    )
    style = Extractor(generator).extract_model([STYLE], scales)
    session = onnxruntime.InferenceSession(style.SerializeToString(), providers=["CPUExecutionProvider"])
    return [made.shape[1] for made in session.run(scales, {STYLE: np.zeros((1, STYLE_CHANNELS), np.float32)})]
