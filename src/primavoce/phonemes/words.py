"""Words and their phonemes, made from what a language's library gives."""

import logging
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from primavoce.phonemes.alphabet import SYMBOLS

MARKS = frozenset(';:,.!?—…"()“” ')
"""Symbols between words: pauses, quotes, brackets and the space."""

_SUPERFLUOUS = (
    re.compile(r" +(?=[,.!?;:…”)])"),
    re.compile(r"(?<=[“(]) +"),
    re.compile(r"(?<= ) +"),
    re.compile(r"^ +| +$"),
)
"""Spaces where the model learnt none: before a mark, inside quotes, after another space, at the ends."""

_log = logging.getLogger("primavoce.phonemes")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or words that are pronounced as one, and its phonemes."""

    phonemes: str
    """Its own, without space or marks around; never empty."""
    after: str
    """What follows it before the next word: marks and a space."""
    start: int
    """Where it begins, in characters of the text that was given."""
    end: int
    """Where it ends there, before white space and marks."""


@dataclass(frozen=True, slots=True)
class Pronunciation:
    """Text as it is said, word by word.

    The words are in the order of the text, and no two share a character of it. A letter or digit is in the span of
    the word that it is said in. What nothing is said for (an unknown script, the address of a link) is in no span,
    unless it is written together with a word: then it is in that word's.
    """

    lead: str
    """Marks before the first word; all the marks if there is no word."""
    words: tuple[Word, ...]

    @property
    def phonemes(self) -> str:
        """All of it, as the model takes it."""
        return self.lead + "".join(word.phonemes + word.after for word in self.words)


@dataclass(frozen=True, slots=True)
class Given:
    """A stretch of text whose pronunciation is fixed."""

    start: int
    end: int
    phonemes: str


@dataclass(frozen=True, slots=True)
class Sound:
    """Phonemes as a library gave them, and the stretch of text that they are said for."""

    phonemes: str
    """Perhaps with marks around them, and symbols outside the alphabet."""
    start: int
    end: int
    """The same as ``start`` for what belongs to no word: spaces and marks."""
    given: bool = False
    """Whether the pronunciation was given, so that nothing may be joined to it."""


def moved(sounds: Sequence[Sound], by: int) -> list[Sound]:
    """Return ``sounds`` as they stand in a text where theirs begins at ``by``."""
    return [Sound(sound.phonemes, sound.start + by, sound.end + by, sound.given) for sound in sounds]


def tidy(phonemes: str) -> str:
    """Return ``phonemes`` with the alphabet's symbols only, and spaces only where the model learnt them."""
    return _cleaned([Sound(phonemes, 0, 0)])[0]


def words_of(sounds: Sequence[Sound], text: str) -> Pronunciation:
    """Return the pronunciation that ``sounds`` are of ``text``.

    Sounds whose stretches overlap, or come in another order than the text, become one word.
    """
    phonemes, owners = _cleaned(sounds)
    drafts = _merged(_without_silent(_drafts(sounds, phonemes, owners, text), text))
    if not drafts:
        return Pronunciation(phonemes, ())
    nexts = [draft.first for draft in drafts[1:]] + [len(phonemes)]
    return Pronunciation(
        phonemes[: drafts[0].first],
        tuple(
            Word(phonemes[draft.first : draft.last], phonemes[draft.last : following], draft.start, draft.end)
            for draft, following in zip(drafts, nexts, strict=True)
        ),
    )


@dataclass(slots=True)
class _Draft:
    """A word in the making."""

    first: int  # its phonemes
    last: int
    start: int  # its text
    end: int
    given: bool


def _cleaned(sounds: Sequence[Sound]) -> tuple[str, list[int]]:
    """Return all phonemes, clean and tidy, and for each symbol the number of the sound that it is from."""
    kept: list[str] = []
    owners: list[int] = []
    dropped: set[str] = set()
    for number, sound in enumerate(sounds):
        for symbol in sound.phonemes:
            if symbol in SYMBOLS:
                kept.append(symbol)
                owners.append(number)
            else:
                dropped.add(symbol)
    if dropped:
        _log.debug("dropped symbols outside the alphabet: %s", " ".join(sorted(dropped)))
    phonemes = "".join(kept)
    for spaces in _SUPERFLUOUS:
        for found in reversed(list(spaces.finditer(phonemes))):
            del owners[found.start() : found.end()]
        phonemes = spaces.sub("", phonemes)
    return phonemes, owners


def _drafts(sounds: Sequence[Sound], phonemes: str, owners: list[int], text: str) -> list[_Draft]:
    """Return a draft for each sound that has text; its phonemes are empty if nothing is said."""
    drafts = []
    place = 0
    for number, sound in enumerate(sounds):
        first = place
        while place < len(owners) and owners[place] == number:
            place += 1
        if sound.start < sound.end:
            draft = _Draft(first, place, sound.start, sound.end, sound.given)
            if not sound.given:
                _take_off_marks(draft, phonemes, text)
            drafts.append(draft)
    return drafts


def _take_off_marks(draft: _Draft, phonemes: str, text: str) -> None:
    """Leave the marks at both ends of a draft to what is between words, and their text too."""
    first, last = draft.first, draft.last
    while draft.first < draft.last and phonemes[draft.first] in MARKS:
        draft.first += 1
    while draft.last > draft.first and phonemes[draft.last - 1] in MARKS:
        draft.last -= 1
    begins, ends = phonemes[first : draft.first].strip(), phonemes[draft.last : last].strip()
    while draft.start < draft.end - 1 and _is_outside(text[draft.start], marked=bool(begins)):
        draft.start += 1
    while draft.end - 1 > draft.start and _is_outside(text[draft.end - 1], marked=bool(ends)):
        draft.end -= 1


def _is_outside(char: str, *, marked: bool) -> bool:
    return char.isspace() or (marked and unicodedata.category(char).startswith("P"))


def _without_silent(drafts: list[_Draft], text: str) -> list[_Draft]:
    """Return the drafts that are said; text that isn't goes to a word that it is written together with."""
    said: list[_Draft] = []
    silent: _Draft | None = None
    for draft in drafts:
        if draft.first < draft.last:
            if silent and silent.end == draft.start and not draft.given:
                draft.start = silent.start
            said.append(draft)
            silent = None
        elif not any(_is_sayable(char) for char in text[draft.start : draft.end]):
            continue
        elif said and said[-1].end == draft.start and not said[-1].given:
            said[-1].end = draft.end
        elif silent and silent.end == draft.start:
            silent.end = draft.end
        else:
            silent = draft
    return said


def _is_sayable(char: str) -> bool:
    """Whether ``char`` is a letter, a digit or a symbol such as "$"; what is only punctuation can stay alone."""
    return char.isalnum() or unicodedata.category(char).startswith("S")


def _merged(drafts: list[_Draft]) -> list[_Draft]:
    """Return the drafts with those as one that overlap in the text, or touch in the phonemes."""
    merged: list[_Draft] = []
    for draft in drafts:
        while merged and _belong_together(merged[-1], draft):
            before = merged.pop()
            draft.first, draft.given = before.first, before.given or draft.given
            draft.start, draft.end = min(before.start, draft.start), max(before.end, draft.end)
        merged.append(draft)
    return merged


def _belong_together(one: _Draft, other: _Draft) -> bool:
    if other.start < one.end:
        return True
    return one.last == other.first and not (one.given or other.given)
