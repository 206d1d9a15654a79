"""How far apart two recordings sound."""

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.model import SAMPLE_RATE, Samples

BANDS = 80
FRAME = 1024
"""Samples in a Hann window."""
HOP = 256
FLOOR = 1e-5
"""Power below which two silences are equal."""


def log_mel_distance(first: Samples, second: Samples) -> float:
    """Return the distance of two recordings at 24 kHz in decibels: `frame_distances`, averaged.

    The longer recording is cut to the shorter. Two runs that differ by rounding alone are some 0.0001 dB apart, the
    int8 export and its fp32 expansion 1–4 dB.
    """
    if min(first.size, second.size) < FRAME:
        return 0.0 if first.size == second.size else float("inf")
    return float(frame_distances(first, second).mean())


def frame_distances(first: Samples, second: Samples) -> NDArray[np.float64]:
    """Return the distance of two recordings at 24 kHz in decibels, a frame of `FRAME` samples every `HOP`.

    The root mean square over 80 mel bands of the difference in level. The longer recording is cut to the shorter, and
    what doesn't fill a frame has none.
    """
    size = min(first.size, second.size)
    if size < FRAME:
        return np.zeros(0)
    difference = _levels(first[:size]) - _levels(second[:size])
    distances: NDArray[np.float64] = np.sqrt(np.square(difference).mean(axis=1))
    return distances


def _levels(samples: Samples) -> NDArray[np.float64]:
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[::HOP] * np.hanning(FRAME)
    power = np.square(np.abs(np.fft.rfft(frames, axis=1)))
    levels: NDArray[np.float64] = 10 * np.log10(power @ _mel_bank().T + FLOOR)
    return levels


def _mel_bank() -> NDArray[np.float64]:
    """Triangles, equally wide in mel (O'Shaughnessy's formula), shape (bands, bins)."""
    bins = np.linspace(0, SAMPLE_RATE / 2, FRAME // 2 + 1)
    edges_mel = np.linspace(0, 2595 * np.log10(1 + SAMPLE_RATE / 2 / 700), BANDS + 2)
    edges = 700 * (10 ** (edges_mel / 2595) - 1)
    rising = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0.0, np.minimum(rising, falling))
