"""misaki's English dictionaries, and spelling for the words that are in none."""

import importlib.resources
import json
import logging
import re
import unicodedata
from dataclasses import replace

from misaki import data, en
from misaki.token import MToken

RatedPhonemes = tuple[str | None, int | None]
"""Phonemes, and misaki's rating of them (5 best, 1 spelled); both None when there are none."""

LIBRARY_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What misaki and num2words raise on odd tokens: huge numbers, lonely signs, digits of other scripts."""

LONGEST_NUMBER = 15
"""Digits of a number said as one; the dictionaries don't know the words beyond trillions."""

PAUSES = ";:,.!?—…"

_WORD_OR_MARK = re.compile(rf"[^\W_]+(?:['’][^\W_]+)*|[{PAUSES}]")
_LETTERS_OR_DIGIT = re.compile(r"[A-Za-z]+|[0-9]")
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

_log = logging.getLogger("primavoce.phonemes")


class Dictionaries(en.Lexicon):  # type: ignore[misc]
    """misaki's dictionaries, loaded without its self-tests, and failing on no token."""

    def __init__(self, *, british: bool) -> None:
        self.british = british
        self.cap_stresses = (0.5, 2)
        accent = "gb" if british else "us"
        self.golds = _read_dictionary(f"{accent}_gold.json")
        self.silvers = _read_dictionary(f"{accent}_silver.json")

    def __call__(self, token: MToken, context: object) -> RatedPhonemes:
        """Return the token's phonemes, if the dictionaries have it or the rules make it of what they have."""
        figures = token.text.replace(",", "")
        if len(figures) > LONGEST_NUMBER and figures.isdecimal():
            return " ".join(self.digit(int(figure)) for figure in figures), 4
        try:
            pronunciation: RatedPhonemes = super().__call__(token, context)
        except LIBRARY_FAILURES as failure:
            _log.warning("a token was left to the fallback, for misaki failed: %s", type(failure).__name__)
            return None, None
        return pronunciation

    def digit(self, value: int) -> str:
        """Return the phonemes of a digit's name."""
        phonemes, _ = self.lookup(_DIGITS[value], None, None, None)
        return str(phonemes)


class Speller:
    """Says words by their letters and digits, for want of anything better."""

    def __init__(self, dictionaries: Dictionaries) -> None:
        self._dictionaries = dictionaries

    def __call__(self, token: MToken) -> RatedPhonemes:
        """Return the token without its accents if the dictionaries know that, and its letters otherwise."""
        words = [self._say(word, token) for word in _WORD_OR_MARK.findall(_without_accents(token.text))]
        return " ".join(word for word in words if word), 1

    def _say(self, word: str, token: MToken) -> str:
        if word in PAUSES:
            return word
        known, _ = self._dictionaries(replace(token, text=word), en.TokenContext())
        if known:
            return known
        runs = _LETTERS_OR_DIGIT.findall(word)
        named = [
            self._dictionaries.digit(int(run)) if run.isdigit() else self._dictionaries.get_NNP(run)[0] for run in runs
        ]
        return " ".join(phonemes for phonemes in named if phonemes)


def _read_dictionary(name: str) -> dict[str, str | dict[str, str | None]]:
    """Read one of misaki's dictionaries and add each word's form at the start of a sentence, and back."""
    with importlib.resources.files(data).joinpath(name).open(encoding="utf-8") as file:
        words: dict[str, str | dict[str, str | None]] = json.load(file)
    grown: dict[str, str | dict[str, str | None]] = en.Lexicon.grow_dictionary(words)
    return grown


def _without_accents(text: str) -> str:
    """Return ``text`` with "é" as "e" and full-width letters as ordinary ones."""
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
