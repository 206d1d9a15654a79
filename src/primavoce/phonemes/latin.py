"""Latin words in Japanese or Mandarin text: found, and pronounced as English."""

import re
import unicodedata
from collections.abc import Callable, Iterator

_LATIN = re.compile(r"[A-Za-z]+(?:[-'’.]?[A-Za-z0-9]+| [A-Za-z]+)*")


def pronounce_mixed(text: str, *, native: Callable[[str], str], english: Callable[[str], str]) -> str:
    """Return the phonemes of ``text``, whose Latin words are ``english`` and the rest ``native``.

    The libraries of both languages would pass Latin letters on as if they were phonemes.
    """
    return " ".join(phonemes for phonemes in _spoken(text, native, english) if phonemes)


def _spoken(text: str, native: Callable[[str], str], english: Callable[[str], str]) -> Iterator[str]:
    text = "".join(_plain(char) for char in text)
    end = 0
    for words in _LATIN.finditer(text):
        yield from _native_part(text[end : words.start()], native)
        yield english(words.group()).strip()
        end = words.end()
    yield from _native_part(text[end:], native)


def _native_part(part: str, native: Callable[[str], str]) -> Iterator[str]:
    if part.strip():
        yield native(part).strip()


def _plain(char: str) -> str:
    """Return full-width letters, and the digits of any script, as ASCII; no library here knows all of them."""
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    if "Ａ" <= char <= "Ｚ" or "ａ" <= char <= "ｚ":
        return unicodedata.normalize("NFKC", char)
    return char
