"""The result: what is read aloud, and where each character of it was written."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GivenPhonemes:
    """A stretch of the spoken text whose pronunciation was given, by the writer or by a lexicon."""

    start: int
    """Its first character in the spoken text."""
    end: int
    phonemes: str
    """In the model's alphabet."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Silence that the writer asked for."""

    at: int
    """The position in the spoken text that it stands before."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence as it is read aloud."""

    text: str
    """The words to say and the marks to mind, with single spaces and none at the ends; may be empty."""
    starts: tuple[int, ...]
    """For each character of ``text``, where what it stands for begins in what was written."""
    ends: tuple[int, ...]
    """For each character of ``text``, where what it stands for ends in what was written."""
    phonemes: tuple[GivenPhonemes, ...] = ()
    """In their order, none overlapping another."""
    pauses: tuple[Pause, ...] = ()
    """In their order."""

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where the spoken ``text[start:end]``, which must not be empty, was written."""
        return min(self.starts[start:end]), max(self.ends[start:end])
