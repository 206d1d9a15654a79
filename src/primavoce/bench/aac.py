"""AAC by FFmpeg, for a comparison: the server doesn't offer it. Needs PyAV, which the recogniser brings along."""

import io

import numpy as np

from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.quality_group import load

AAC_BIT_S = 32_000
"""Bits a second, as in the figures that are published for such clips; their container, fMP4, is larger than ADTS."""


class Aac:
    """An encoder as those of `primavoce.audio.encoders`, of AAC-LC in ADTS frames of 1024 samples.

    Raises:
        InvalidSetting: PyAV isn't installed.
    """

    def __init__(self) -> None:
        av = load("av", wanted_for="AAC")
        self._written = io.BytesIO()
        self._container = av.open(self._written, "w", format="adts")
        self._stream = self._container.add_stream("aac", rate=SAMPLE_RATE, layout="mono")
        self._stream.bit_rate = AAC_BIT_S
        self._frame = av.AudioFrame.from_ndarray
        self._taken = 0

    def push(self, pcm: bytes) -> bytes:
        """Take 16-bit PCM of whole samples, and return the frames that are complete."""
        frame = self._frame(np.frombuffer(pcm, "<i2").reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = SAMPLE_RATE
        self._container.mux(self._stream.encode(frame))
        return self._take()

    def flush(self) -> bytes:
        """Return the frames that were held back."""
        self._container.mux(self._stream.encode(None))
        self._container.close()
        return self._take()

    def _take(self) -> bytes:
        taken: bytes = self._written.getvalue()[self._taken :]
        self._taken += len(taken)
        return taken
