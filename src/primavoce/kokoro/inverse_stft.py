"""The inverse of the short-time Fourier transform, a few frames at a time: exact to rounding.

The generator's spectrum has 22 channels at 4,800 frames a second: eleven log magnitudes, and eleven values whose sine
is the phase. Each frame makes 20 windowed samples, and begins 5 after the one before.
"""

import numpy as np
from numpy.typing import NDArray

SIZE, HOP = 20, 5
"""Samples of a frame, and between the beginnings of two."""
BINS = SIZE // 2 + 1
LEVEL = 4.0
"""What the published export multiplies by: size over hop."""
EDGE = SIZE // 2
"""Samples that are dropped at both ends, where too few frames overlap."""

type Floats = NDArray[np.float32]


class InverseStft:
    """Turns one segment's spectrum into samples: push frames as they come, flush once.

    Args:
        basis: The export's own windowed waves, (22, 1, 20).
        window_sum: What it divides the first 20 samples by, (20,); zeros divide nothing.
    """

    def __init__(self, basis: Floats, window_sum: Floats) -> None:
        self._basis = basis.reshape(2 * BINS, SIZE)
        self._first = np.where(window_sum > np.finfo(np.float32).tiny, window_sum, 1).astype(np.float32)
        self._carried = np.zeros(SIZE - HOP, np.float32)  # what later frames still add to
        self._made = 0

    def push(self, spectrum: Floats) -> Floats:
        """Take the next frames, (22, n), and return the samples that no later frame changes."""
        magnitude, phase = np.exp(spectrum[:BINS]), np.sin(spectrum[BINS:])
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
