"""What the engine is given, and what it gives back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from primavoce.voices.blend import Blend

Samples = NDArray[np.float32]
"""Mono samples in [-1, 1]."""


class AcousticModel(Protocol):
    """Turns phoneme ids and a style vector into samples, in parts; blocking, not thread-safe."""

    @property
    def sample_rate(self) -> int:
        """Hertz."""

    def parts(self, ids: Sequence[int], style: Samples, *, speed: float) -> Iterator[Samples]:
        """Yield the segment's audio in order; each step is one uninterruptible piece of work.

        Args:
            ids: At most 510 phoneme ids, without padding.
            style: The style vector, shape (1, 256).
            speed: From 0.5 to 2.
        """


class G2P(Protocol):
    """Turns text into phonemes of the model's alphabet; blocking, not thread-safe."""

    def phonemize(self, text: str, language: str) -> str:
        """Return the phonemes of ``text``; may be empty.

        Raises:
            PhonemesFailed: it can't be done.
            LanguageUnavailable: the language's extra is not installed.
        """


class StyleSource(Protocol):
    """Knows the voices' style vectors; blocking, not thread-safe."""

    def style(self, voice: Blend, n_phonemes: int) -> Samples:
        """Return the style vector, shape (1, 256), of a voice or blend for a segment of ``n_phonemes``."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What the model gets in one go."""

    text: str
    """As it was written."""
    start: int
    """Characters into the utterance's text."""
    end: int
    phonemes: str
    pause_before_s: float
    """Silence between the segment before and this one."""
    opens_sentence: bool
    """False for the later pieces of a sentence that was too long for the model."""


@dataclass(frozen=True, slots=True)
class SpeechPart:
    """A stretch of an utterance's audio, ready to send."""

    pcm: bytes
    """16-bit little-endian mono at the utterance's sample rate."""
    duration_s: float
    start_s: float
    """Seconds into the utterance."""
    work_s: float
    """Seconds that the model worked for it."""
    segment: Segment | None
    """The segment that begins with this part, if one does and it opens a sentence."""
