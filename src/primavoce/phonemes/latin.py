"""Latin words in Japanese or Mandarin text: found, and pronounced as English."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from primavoce.phonemes.stretches import say_around
from primavoce.phonemes.words import Given, Sound, moved

_LATIN = re.compile(r"[A-Za-z]+(?:[-'’.]?[A-Za-z0-9]+| [A-Za-z]+)*")


def pronounce_mixed(
    text: str,
    given: Sequence[Given] = (),
    *,
    native: Callable[[str], list[Sound]],
    english: Callable[[str], list[Sound]],
) -> list[Sound]:
    """Return the sounds of ``text``, whose Latin words are ``english`` and the rest ``native``.

    The libraries of both languages would pass Latin letters on as if they were phonemes.
    """

    def say(piece: str) -> list[Sound]:
        sounds: list[Sound] = []
        end = 0
        for words in _LATIN.finditer(piece):
            sounds += _native_part(piece, end, words.start(), native)
            sounds += [*moved(english(words.group()), words.start()), Sound(" ", words.end(), words.end())]
            end = words.end()
        return sounds + _native_part(piece, end, len(piece), native)

    return say_around("".join(_plain(char) for char in text), given, say)


def _native_part(text: str, start: int, end: int, native: Callable[[str], list[Sound]]) -> list[Sound]:
    part = text[start:end]
    return [*moved(native(part), start), Sound(" ", end, end)] if part.strip() else []


def _plain(char: str) -> str:
    """Return full-width letters, and the digits of any script, as ASCII; no library here knows all of them."""
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    if "Ａ" <= char <= "Ｚ" or "ａ" <= char <= "ｚ":
        return unicodedata.normalize("NFKC", char)
    return char
