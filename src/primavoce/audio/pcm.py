"""Between the model's floating-point samples and 16-bit PCM."""

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]
"""Mono samples in [-1, 1]."""

SCALE = 32767.0
"""Full scale is the largest positive 16-bit number, so that +1 and −1 are equally loud."""


def to_pcm(samples: Samples) -> bytes:
    """Return ``samples`` as 16-bit little-endian PCM.

    Samples beyond full scale are clipped: wrapped round, they would be clicks. What is no number becomes silence.
    """
    finite = np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)
    return np.rint(np.clip(finite, -1.0, 1.0) * SCALE).astype("<i2").tobytes()


def from_pcm(pcm: bytes) -> Samples:
    """Return 16-bit little-endian ``pcm`` as samples in [-1, 1].

    Raises:
        ValueError: ``pcm`` ends in half a sample.
    """
    return np.frombuffer(pcm, "<i2").astype(np.float32) / np.float32(SCALE)
