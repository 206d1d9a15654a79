"""The prepared graph, cut where a segment's whole is needed no more.

Everything up to the decoder's output must see the whole segment: durations, pitch and energy depend on all of its
phonemes. The generator after it doesn't: it turns frames into a spectrum, frame by frame, with ten frames of context
each side. Only its instance normalisations look at the whole; `statistics` takes that from them.
"""

from dataclasses import dataclass

import onnx
from onnx import TensorProto, helper
from onnx.utils import Extractor

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph import DURATIONS

_GENERATOR = "/decoder/decoder/generator"
FRAMES = "/decoder/decoder/decode.3/Div_4_output_0"
"""What the decoder hands to the generator: (1, 512, T), 80 frames a second."""
STYLE = "/decoder/Slice_output_0"
"""The decoder's half of the style vector: (1, 128)."""
SOURCE = f"{_GENERATOR}/Concat_3_output_0"
"""The harmonic source's spectrum, magnitudes before phases: (1, 22, 60 T + 1), 4,800 frames a second."""
SPECTRUM = f"{_GENERATOR}/conv_post/Conv_output_0"
"""What the generator makes: (1, 22, 60 T + 1), log magnitudes before the sines of which the phases are made."""
INVERSE_BASIS = "decoder.decoder.generator.stft.istft.stft.inverse_basis"
"""The inverse transform's windowed waves: (22, 1, 20)."""
WINDOW_SUM = "decoder.decoder.generator.stft.istft.stft.window_sum"
"""What the published export divides the first 20 samples by, and those alone: (20,)."""

_SHAPES: dict[str, list[int | str]] = {
    FRAMES: [1, 512, "frames"],
    STYLE: [1, 128],
    SOURCE: [1, 22, "source_frames"],
    SPECTRUM: [1, 22, "source_frames"],
}


@dataclass(frozen=True, slots=True)
class Stages:
    """The graph in two."""

    prosody: onnx.ModelProto
    """The published inputs → `FRAMES`, `STYLE`, `SOURCE` and the durations."""
    generator: onnx.ModelProto
    """`FRAMES`, `STYLE`, `SOURCE` → `SPECTRUM`."""


def cut(model: onnx.ModelProto) -> Stages:
    """Return the two stages of ``model``, a prepared graph, which gets the shapes of the cut's values and no more.

    Raises:
        PreparationFailed: it doesn't have the places to cut at.
    """
    made = {output for node in model.graph.node for output in node.output}
    missing = _SHAPES.keys() - made
    if missing:
        raise PreparationFailed(f"there is no place to cut it: {sorted(missing)[0]} is missing")
    for name, shape in _SHAPES.items():
        model.graph.value_info.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    extractor = Extractor(model)
    inputs = [value.name for value in model.graph.input]
    return Stages(
        prosody=extractor.extract_model(inputs, [FRAMES, STYLE, SOURCE, DURATIONS]),
        generator=extractor.extract_model([FRAMES, STYLE, SOURCE], [SPECTRUM]),
    )
