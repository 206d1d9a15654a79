"""When words are heard."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordTime:
    """When a word is heard. What was written as one, such as a price, is one word."""

    start: int
    """Characters into the utterance's text."""
    end: int
    start_s: float
    """Seconds into the utterance's audio."""
    end_s: float


@dataclass(frozen=True, slots=True)
class SegmentTime:
    """When a segment, with its words, is heard."""

    start: int
    """Characters into the utterance's text."""
    end: int
    start_s: float
    """Seconds into the utterance's audio, after the pause before it."""
    words: tuple[WordTime, ...]
