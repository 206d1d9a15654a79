"""The generator, window by window: a segment's audio begins to exist before the whole of it is computed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.graph.stages import FRAMES, SOURCE, SPECTRUM
from primavoce.kokoro.graph.statistics import BIASES, GAINS
from primavoce.kokoro.inverse_stft import InverseStft
from primavoce.kokoro.windows import CONTEXT_FRAMES, FIRST_FRAMES, MOST_FRAMES, windows

if TYPE_CHECKING:
    import onnxruntime

SOURCE_FRAMES = 60
"""Frames of the harmonic source, and of the spectrum, for each of the generator's."""

type Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Normalisation:
    """What a segment's instance normalisations come to, with its voice's style worked in."""

    gains: Floats
    """(1, channels of all uses, 1): what values are multiplied by."""
    biases: Floats
    """(1, channels of all uses, 1): what is added."""


def normalisation(means: Floats, variances: Floats, scales: Floats, shifts: Floats, *, epsilon: float) -> Normalisation:
    """Return the one multiplication and the one addition that each use of a normalisation comes to.

    ``(x - mean) / sqrt(variance + epsilon) * scale + shift``, gathered by ``x``. All are (1, channels of all uses, 1).
    """
    gains = (scales / np.sqrt(variances + epsilon)).astype(np.float32)
    return Normalisation(gains, (shifts - means * gains).astype(np.float32))


class WindowedGenerator:
    """Runs the generator over windows; blocking, not thread-safe.

    Args:
        session: A graph of `primavoce.kokoro.graph.statistics.given`.
        basis: The export's inverse transform, (22, 1, 20).
        window_sum: What it divides the first 20 samples by, (20,).
    """

    def __init__(self, session: "onnxruntime.InferenceSession", basis: Floats, window_sum: Floats) -> None:
        self._session = session
        self._basis = basis
        self._window_sum = window_sum

    def parts(
        self,
        frames: Floats,
        source: Floats,
        normalised: Normalisation,
        *,
        first: int = FIRST_FRAMES,
        most: int = MOST_FRAMES,
        context: int = CONTEXT_FRAMES,
    ) -> Iterator[Floats]:
        """Yield a segment's samples, a window at a time; each step is one run of the graph.

        Args:
            frames: (1, 512, T).
            source: (1, 22, 60 T + 1).
            normalised: Of the whole segment; true or predicted.
            first: Frames of the first window.
            most: Frames of the largest.
            context: Frames that are read each side of a window.
        """
        count = frames.shape[2]
        inverse = InverseStft(self._basis, self._window_sum)
        for window in windows(count, first=first, most=most, context=context):
            read = {
                FRAMES: frames[:, :, window.read_from : window.read_to],
                SOURCE: source[:, :, SOURCE_FRAMES * window.read_from : SOURCE_FRAMES * window.read_to + 1],
                GAINS: normalised.gains,
                BIASES: normalised.biases,
            }
            spectrum: Floats = self._session.run([SPECTRUM], read)[0][0]
            start = SOURCE_FRAMES * (window.start - window.read_from)
            end = SOURCE_FRAMES * (window.end - window.read_from)
            if window.end < count:
                yield inverse.push(spectrum[:, start:end])
            else:
                # The spectrum has one frame more than the source's frames fill: the last window's.
                yield np.concatenate([inverse.push(spectrum[:, start : end + 1]), inverse.flush()])
