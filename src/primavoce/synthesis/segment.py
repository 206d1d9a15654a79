"""What the engine is given, and what it gives back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.runs import Run
from primavoce.phonemes.words import Pronunciation
from primavoce.synthesis.report import ModelReport
from primavoce.text.timing import SegmentTime
from primavoce.voices.blend import Blend

Samples = NDArray[np.float32]
"""Mono samples in [-1, 1]."""


def _nothing_ahead() -> Sequence[Run]:
    return ()


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A segment, as the model gets it."""

    ids: Sequence[int]
    """At most 510 phoneme ids, without padding."""
    style: Samples
    """The style vector, shape (1, 256)."""
    voice: str
    """Whose it is: the canonical name of a voice or blend."""
    speed: float = 1.0
    """From 0.5 to 2."""
    owner: str = ""
    """Whose text it is: what is remembered for one is never told another."""
    part_s: Callable[[], float] = lambda: 0.0
    """Tells, before each part, how many seconds of audio it may have; the model has a least for it."""
    checked: bool = False
    """Whether the outcome will be checked."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """A segment that the model has begun to speak."""

    durations_s: Sequence[float]
    """Seconds of each phoneme, and of the pad before and after all: two more than there are ids."""
    parts: Iterator[Samples]
    """The audio in order; each step is one uninterruptible piece of work. Silence at the end may be left out."""
    check: Callable[[], None] | None = None
    """Compares what was made with a better way of making it, once all parts are there; blocking, as long as a segment.

    Asked for with ``checked``; None when there is nothing to compare."""
    repeated: bool = False
    """Whether it was made before, so that its work says nothing of the model's speed."""
    ahead: Callable[[], Sequence[Run]] = _nothing_ahead
    """Plans the next part, and returns what the model may make of it beforehand, together with others'.

    Nothing where nothing is gained, or where the part isn't made in runs."""
    whole: bool = False
    """Whether all of the audio is one part."""


class AcousticModel(Protocol):
    """Turns phoneme ids and a style vector into samples, in parts; blocking, not thread-safe."""

    @property
    def sample_rate(self) -> int:
        """Hertz."""

    @property
    def trial(self) -> tuple[float, float] | None:
        """Seconds of audio, and of work for it, of something that was spoken for a try; None if nothing was."""

    @property
    def together(self) -> int:
        """How many parts, of as many renderings, it makes in one run in less time than one after another; 1: none."""

    def render(self, request: RenderRequest) -> Rendering:
        """Begin a segment: do what must be done before its first sound, in one uninterruptible piece of work."""

    def make(self, runs: Sequence[Run]) -> None:
        """Make what several renderings have ahead, together."""

    def report(self) -> ModelReport:
        """Return what is known of it, and what it has done; may be asked on any thread."""


class G2P(Protocol):
    """Turns text into phonemes of the model's alphabet; blocking, not thread-safe."""

    def pronounce(self, text: str, language: str, *, given: Sequence[tuple[int, int, str]] = ()) -> Pronunciation:
        """Return the words of ``text`` and their phonemes; may have none.

        Args:
            text: As it is read aloud.
            language: A wire tag.
            given: Stretches of the text, as (start, end, phonemes), whose pronunciation is settled.

        Raises:
            PhonemesFailed: it can't be done.
            LanguageUnavailable: the language's extra is not installed.
        """


class StyleSource(Protocol):
    """Knows the voices' style vectors; blocking, not thread-safe."""

    def style(self, voice: Blend, n_phonemes: int) -> Samples:
        """Return the style vector, shape (1, 256), of a voice or blend for a segment of ``n_phonemes``."""


@dataclass(frozen=True, slots=True)
class SegmentWord:
    """A word of a segment: where it was written, and which phonemes are its own."""

    start: int
    """Characters into the utterance's text."""
    end: int
    first: int
    """Its first phoneme, counted in the segment."""
    last: int
    """The position after its last phoneme."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What the model gets in one go."""

    start: int
    """Where it was written, marks included: characters into the utterance's text."""
    end: int
    phonemes: str
    words: tuple[SegmentWord, ...]
    """Those that were written; what is only announced ("table:") is none."""
    pause_before_s: float
    """Silence between the segment before and this one."""


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
    segment: SegmentTime | None
    """The segment that begins with this part, if one does."""
