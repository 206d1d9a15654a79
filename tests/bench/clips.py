"""Clips that nobody has spoken: tones, in pieces."""

import numpy as np

from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.recording import Clip, Piece

PIECE_S = 0.3


def tone_clip(text: str, *, seconds: float = 1.0, hertz: float = 220.0, silence_s: float = 0.0) -> Clip:
    """Return a tone, and silence after it, in pieces of `PIECE_S`: the first after 0.4 s, one each 0.1 s."""
    time_s = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    pcm = (8000 * np.sin(2 * np.pi * hertz * time_s)).astype("<i2").tobytes()
    pcm += bytes(2 * round(silence_s * SAMPLE_RATE))
    size = 2 * round(PIECE_S * SAMPLE_RATE)
    pieces = [pcm[start : start + size] for start in range(0, len(pcm), size)]
    return Clip(text, tuple(Piece(0.4 + 0.1 * place, each) for place, each in enumerate(pieces)))
