"""Silence: trimmed where the model puts it, and made where a listener expects it."""

import numpy as np

from primavoce.audio.loudness import AUDIBLE_DBFS, WINDOW_S
from primavoce.audio.pcm import Samples

KEEP_LEADING_S = 0.04
"""Seconds kept before the first sound: a soft onset rises through the threshold only after a while."""
KEEP_TRAILING_S = 0.06
"""Seconds kept after the last sound: the last consonant dies away below the threshold."""


class SilenceTrimmer:
    """Trims the silence at both ends of a segment, whose samples may come in parts.

    What comes out is the same however the samples were cut. Silence is held back for as long as it may be the last:
    all of it comes out as soon as a sound follows.

    Args:
        sample_rate: Hertz.
        keep_leading_s: Seconds kept before the first sound.
        keep_trailing_s: Seconds kept after the last.
    """

    def __init__(
        self, sample_rate: int, *, keep_leading_s: float = KEEP_LEADING_S, keep_trailing_s: float = KEEP_TRAILING_S
    ) -> None:
        self._window = max(1, round(WINDOW_S * sample_rate))
        # In whole windows: what is silent is told a window at a time.
        self._lead = round(keep_leading_s * sample_rate / self._window) * self._window
        self._tail = round(keep_trailing_s * sample_rate / self._window) * self._window
        self._heard = False
        self._held = np.zeros(0, np.float32)
        self._silent = 0
        self.trimmed = 0
        """Samples dropped before the first sound."""

    @property
    def kept(self) -> int:
        """Samples that `flush` would return."""
        return min(self._held.size, self._tail) if self._heard else 0

    def push(self, samples: Samples) -> Samples:
        """Take the segment's next samples and return those that are certain to stay."""
        held = np.concatenate([self._held, samples])
        # `_silent` samples at the start are known to be silence; only whole windows after them are looked at.
        audible = audible_windows(held[self._silent :], self._window)
        if not audible.any():
            self._silent += audible.size * self._window
            if not self._heard and self._silent > self._lead:
                self.trimmed += self._silent - self._lead
                held, self._silent = held[self._silent - self._lead :], self._lead
            self._held = held
            return held[:0]
        first, last = int(audible.argmax()), audible.size - int(audible[::-1].argmax())
        begin = 0 if self._heard else max(0, self._silent + first * self._window - self._lead)
        self.trimmed += begin
        end = self._silent + last * self._window
        self._heard = True
        self._silent = (audible.size - last) * self._window
        self._held = held[end:]
        return held[begin:end]

    def flush(self, *, at_least: int = 0) -> Samples:
        """End the segment and return the short silence that is kept of its end; nothing if it had no sound.

        Args:
            at_least: Samples of what is held back that are to stay, if there are so many.
        """
        rest = self._held[: max(self._tail, at_least)] if self._heard else self._held[:0]
        if self._heard and self._held.size - self._silent:
            # A last stretch shorter than a window was never looked at: it stays if it is audible.
            stretch = self._held[self._silent :]
            if np.sqrt(np.mean(np.square(stretch, dtype=np.float64))) >= 10 ** (AUDIBLE_DBFS / 20):
                rest = self._held
        self._held, self._silent, self._heard = self._held[:0], 0, False
        return rest


def is_silent(samples: Samples, sample_rate: int) -> bool:
    """Say whether nothing of ``samples`` is audible; what is shorter than a window is."""
    return not audible_windows(samples, max(1, round(WINDOW_S * sample_rate))).any()


def audible_windows(samples: Samples, size: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Say of each whole window of ``size`` samples whether it is audible."""
    count = samples.size // size
    windows = samples[: count * size].reshape(count, size)
    level = np.sqrt(np.mean(np.square(windows, dtype=np.float64), axis=1))
    return level >= 10 ** (AUDIBLE_DBFS / 20)


def silence(seconds: float, sample_rate: int) -> Samples:
    """Return ``seconds`` of silence, rounded to whole samples."""
    return np.zeros(round(seconds * sample_rate), np.float32)
