"""Text on its way to a library that rewrites it, and where each character of it was written."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from primavoce.phonemes.words import Given, Sound


@dataclass(frozen=True, slots=True)
class Written:
    """Text with the place of each character in the text that it came from."""

    text: str
    starts: Sequence[int]
    """Where each character, or the stretch that it stands for, begins in what was written; never decreasing."""
    ends: Sequence[int]

    @classmethod
    def unchanged(cls, text: str) -> "Written":
        """Return ``text`` as its own origin."""
        return cls(text, range(len(text)), range(1, len(text) + 1))

    def edited(self, edits: Iterable[tuple[int, int, str]]) -> "Written":
        """Replace ``text[start:end]`` for each ``(start, end, replacement)``; in order, without overlaps.

        Each character of a replacement stands for all that was replaced; where nothing was, for nothing.
        """
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        place = 0
        for start, end, replacement in edits:
            first, last = self.origin(start, end)
            texts += self.text[place:start], replacement
            starts += self.starts[place:start]
            starts += [first] * len(replacement)
            ends += self.ends[place:start]
            ends += [last] * len(replacement)
            place = end
        texts.append(self.text[place:])
        starts += self.starts[place:]
        ends += self.ends[place:]
        return Written("".join(texts), starts, ends)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where ``text[start:end]`` was written; an empty stretch after what is before it."""
        if start < end:
            return self.starts[start], self.ends[end - 1]
        place = self.ends[start - 1] if start else 0
        return place, place

    def origins(self, sounds: Iterable[Sound]) -> list[Sound]:
        """Return sounds of this text as sounds of what was written."""
        return [Sound(sound.phonemes, *self.origin(sound.start, sound.end), sound.given) for sound in sounds]

    def carried(self, given: Iterable[Given]) -> list[Given]:
        """Return what was given for stretches of what was written as given for those of this text."""
        return [
            Given(bisect_left(self.starts, one.start), bisect_left(self.starts, one.end), one.phonemes) for one in given
        ]
