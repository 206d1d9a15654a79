"""What a listener hears of one run, and when.

Seconds count from the moment when the text was given. The listener plays audio as it comes, from its first byte on:
silence before the first audible sample counts as waiting.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from primavoce.audio.loudness import SoundDetector
from primavoce.bench.spread import Spread
from primavoce.errors import SynthesisFailed

SAMPLE_RATE = 24_000
"""Hertz of all audio that is heard here."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One run, heard to its end."""

    first_audio_s: float
    """Until the first byte."""
    first_sound_s: float
    """Until the first audible sample."""
    total_s: float
    """Until the end of all work."""
    audio_s: float
    """Seconds of audio."""

    @property
    def real_time_factor(self) -> float:
        """Work ÷ audio; the work is all the time that it took, whatever was done in it."""
        return self.total_s / self.audio_s


class Hearing:
    """Takes a run's PCM as it comes: 16-bit mono at `SAMPLE_RATE`."""

    def __init__(self) -> None:
        self._detector = SoundDetector(SAMPLE_RATE)
        self._first_audio_s: float | None = None
        self._bytes = 0
        self.first_sound_s: float | None = None
        """Until the first audible sample; `None` while there was none."""

    def take(self, pcm: bytes, at_s: float) -> None:
        """Take ``pcm``, which came at ``at_s``."""
        if self._first_audio_s is None and pcm:
            self._first_audio_s = at_s
        heard_s = self._detector.push(pcm)
        if self.first_sound_s is None and heard_s is not None and self._first_audio_s is not None:
            # Played from its first byte on, and without a gap.
            self.first_sound_s = max(at_s, self._first_audio_s + heard_s)
        self._bytes += len(pcm)

    def end(self, at_s: float) -> Heard:
        """Return what was heard, all work having ended at ``at_s``.

        Raises:
            SynthesisFailed: there was no sound in it.
        """
        if self._first_audio_s is None or self.first_sound_s is None:
            raise SynthesisFailed
        return Heard(self._first_audio_s, self.first_sound_s, at_s, self._bytes / 2 / SAMPLE_RATE)


@dataclass(frozen=True, slots=True)
class Figures:
    """The trials of one way of speaking."""

    first_audio_s: Spread
    first_sound_s: Spread
    total_s: Spread
    audio_s: Spread
    real_time_factor: Spread

    @classmethod
    def of(cls, trials: Sequence[Heard]) -> Self:
        """Return the figures of ``trials``, of which there is at least one."""
        names = ("first_audio_s", "first_sound_s", "total_s", "audio_s", "real_time_factor")
        return cls(*(Spread.of(getattr(heard, name) for heard in trials) for name in names))
