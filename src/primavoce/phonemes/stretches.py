"""Text cut where its pronunciation falls apart: at marks, and around pronunciations that are given."""

import re
from collections.abc import Callable, Sequence

from primavoce.phonemes.words import Given, Sound, moved

_MARK = r"""(?:[;:!?¡¿—…"«»“”(){}\[\]]|(?<![0-9])[,.]|[,.](?![0-9]))"""
"""What stands between words; a comma or point between digits is part of a number."""

_MARKS = re.compile(rf" ?{_MARK}(?: ?{_MARK})* ?")


def say_between_marks(
    text: str, *, words: Callable[[str, int], list[Sound]], marks: Callable[[str], str]
) -> list[Sound]:
    """Return the sounds of single-spaced ``text`` whose stretches between marks are said by themselves.

    ``words`` gives the sounds of a stretch without marks, told where it begins, as sounds of the whole text; ``marks``
    the phonemes of marks and the spaces around them.
    """
    sounds: list[Sound] = []
    place = 0
    for found in _MARKS.finditer(text):
        if place < found.start():
            sounds += words(text[place : found.start()], place)
        sounds.append(Sound(marks(found.group()), found.start(), found.start()))
        place = found.end()
    if place < len(text):
        sounds += words(text[place:], place)
    return sounds


def say_around(text: str, given: Sequence[Given], say: Callable[[str], list[Sound]]) -> list[Sound]:
    """Return the sounds of ``text`` with the pieces around what is ``given`` said by themselves."""
    sounds: list[Sound] = []
    place = 0
    for one in given:
        sounds += [*_piece(text, place, one.start, say), Sound(one.phonemes, one.start, one.end, given=True)]
        sounds.append(Sound(" ", one.end, one.end))
        place = one.end
    return sounds + _piece(text, place, len(text), say)


def _piece(text: str, start: int, end: int, say: Callable[[str], list[Sound]]) -> list[Sound]:
    piece = text[start:end]
    sounds = moved(say(piece.strip()), end - len(piece.lstrip())) if piece.strip() else []
    return [*sounds, Sound(" ", end, end)]
