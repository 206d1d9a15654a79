"""The inverse of the short-time Fourier transform, a few frames at a time: exact to rounding.

The generator's spectrum has 22 channels at 4,800 frames a second: eleven log magnitudes, and eleven values whose sine
is the phase. Each frame makes 20 windowed samples, and begins 5 after the one before.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

SIZE, HOP = 20, 5
"""Samples of a frame, and between the beginnings of two."""
BINS = SIZE // 2 + 1
LEVEL = 4.0
"""What the published export multiplies by: size over hop."""
MOST_LOG_MAGNITUDE = 20.0
"""Log magnitudes beyond it are taken for it. Speech stays below 3, over several voices, so nothing that is speech is
changed; and what a generator makes that was told absurd statistics stays a number, which an overflow would not."""
EDGE = SIZE // 2
"""Samples that are dropped at both ends, where too few frames overlap."""

type Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class InverseBasis:
    """The export's own constants of the transform."""

    waves: Floats
    """The windowed waves of which frames are made, (22, 1, 20)."""
    window_sum: Floats
    """What the first 20 samples are divided by, and those alone, (20,); zeros divide nothing."""

    def as_text(self) -> dict[str, str]:
        """Return it as a graph carries it in its metadata."""
        return {field.name: _encode(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_text(cls, metadata: Mapping[str, str]) -> Self:
        """Return what a graph's metadata carries.

        Raises:
            KeyError: it carries none.
        """
        return cls(_decode(metadata["waves"]).reshape(2 * BINS, 1, SIZE), _decode(metadata["window_sum"]))


def _encode(values: Floats) -> str:
    return base64.b64encode(np.asarray(values, "<f4").tobytes()).decode()


def _decode(text: str) -> Floats:
    return np.frombuffer(base64.b64decode(text), "<f4").astype(np.float32)


class InverseStft:
    """Turns one segment's spectrum into samples: push frames as they come, flush once.

    Args:
        basis: The export's.
    """

    def __init__(self, basis: InverseBasis) -> None:
        self._basis = basis.waves.reshape(2 * BINS, SIZE)
        first = basis.window_sum
        self._first = np.where(first > np.finfo(np.float32).tiny, first, 1).astype(np.float32)
        self._carried = np.zeros(SIZE - HOP, np.float32)  # what later frames still add to
        self._made = 0

    def push(self, spectrum: Floats) -> Floats:
        """Take the next frames, (22, n), and return the samples that no later frame changes."""
        magnitude, phase = np.exp(np.minimum(spectrum[:BINS], MOST_LOG_MAGNITUDE)), np.sin(spectrum[BINS:])
        waves = np.concatenate([magnitude * np.cos(phase), magnitude * np.sin(phase)]).T @ self._basis  # (n, 20)
        count = waves.shape[0]
        summed = np.zeros(HOP * count + SIZE - HOP, np.float32)
        summed[: SIZE - HOP] = self._carried
        for part in range(SIZE // HOP):
            at = HOP * part
            summed[at : at + HOP * count] += waves[:, at : at + HOP].reshape(-1)
        self._carried = summed[HOP * count :]
        return self._finished(summed[: HOP * count])

    def flush(self) -> Floats:
        """End the segment, and return its last samples."""
        rest, self._carried = self._carried[: SIZE - HOP - EDGE], np.zeros(SIZE - HOP, np.float32)
        last = self._finished(rest)
        self._made = 0
        return last

    def _finished(self, samples: Floats) -> Floats:
        begin, self._made = self._made, self._made + samples.size
        if begin < SIZE:
            samples = samples.copy()
            edge = min(SIZE, self._made) - begin
            samples[:edge] /= self._first[begin : begin + edge]
        return LEVEL * samples[max(0, EDGE - begin) :]
