"""How loud PCM is, and where its sound begins; in plain Python, for clients that have no numpy."""

import math
from array import array

AUDIBLE_DBFS = -50.0
"""Level from which a stretch counts as sound. The model's own silence lies below −65 dBFS, its softest onsets (the
breath of an "h") above −48."""
WINDOW_S = 0.005
"""Seconds over which the level is taken: one loud sample of noise is no sound."""
FULL_SCALE = 32768.0


class SoundDetector:
    """Finds the first audible sample of a stream of 16-bit mono PCM.

    Args:
        sample_rate: Hertz.
    """

    def __init__(self, sample_rate: int) -> None:
        self._rate = sample_rate
        self._window = max(1, round(WINDOW_S * sample_rate))
        self._threshold = (10 ** (AUDIBLE_DBFS / 20) * FULL_SCALE) ** 2 * self._window
        self._held = b""
        self._passed = 0
        self.first_sound_s: float | None = None
        """Seconds into the stream of the first sound; `None` while there was none."""

    def push(self, pcm: bytes) -> float | None:
        """Take the next ``pcm``, cut anywhere, and return `first_sound_s`."""
        if self.first_sound_s is not None:
            return self.first_sound_s
        pcm = self._held + pcm
        size = self._window * 2
        for start in range(0, len(pcm) - size + 1, size):
            if sum(sample * sample for sample in samples_of(pcm[start : start + size])) >= self._threshold:
                self.first_sound_s = (self._passed + start // 2) / self._rate
                return self.first_sound_s
        used = len(pcm) // size * size
        self._passed += used // 2
        self._held = pcm[used:]
        return None


def first_sound_s(pcm: bytes, sample_rate: int) -> float | None:
    """Return the seconds before the first audible sample of 16-bit mono ``pcm``, or `None` if there is none."""
    return SoundDetector(sample_rate).push(pcm)


def rms_dbfs(pcm: bytes) -> float:
    """Return the level of 16-bit mono ``pcm`` in decibels below full scale; minus infinity for digital silence."""
    samples = samples_of(pcm)
    power = sum(sample * sample for sample in samples) / max(1, len(samples)) / FULL_SCALE**2
    return 10 * math.log10(power) if power else -math.inf


def samples_of(pcm: bytes) -> "array[int]":
    """Return the samples of 16-bit little-endian ``pcm``; half a sample at its end is left out."""
    samples = array("h")
    samples.frombytes(pcm[: len(pcm) // 2 * 2])
    if samples.itemsize != 2:  # pragma: no cover - no Python we run on
        raise NotImplementedError("array('h') isn't 16 bits wide here")
    if BIG_ENDIAN:
        samples.byteswap()
    return samples


BIG_ENDIAN = array("h", [1]).tobytes() == b"\x00\x01"
