"""What espeak pronounces: five whole languages, and the English words that misaki doesn't know; heavy.

Both forms of output are misaki's, because Kokoro learnt those.
"""

import logging
import re
from collections.abc import Sequence
from functools import lru_cache

from misaki.espeak import EspeakFallback, EspeakG2P
from misaki.token import MToken
from phonemizer.backend import EspeakBackend

from primavoce.phonemes.alignment import align
from primavoce.phonemes.stretches import say_around, say_between_marks
from primavoce.phonemes.words import Given, Sound, moved
from primavoce.phonemes.written import Written

WORDS_REMEMBERED = 4096
LONGEST_REMEMBERED = 40
"""Words whose own pronunciation is kept for finding them in a sentence, and their characters; about a megabyte."""

STAND_INS = {"es": "casa", "fr-fr": "table", "hi": "कमल", "it": "casa", "pt-br": "casa"}
"""espeak's name of a language → a noun that sounds the same among any words."""

_LONE_DASH = re.compile(r"(?<=\s)[-–](?=\s)")
_MARKS = str.maketrans({"।": ".", "॥": ".", "«": "“", "»": "”", "‹": "“", "›": "”", "„": "“"})
"""Marks that espeak would swallow, and the model's own that sound the same."""


class EspeakLanguage:
    """Pronounces text in one of espeak's languages."""

    def __init__(self, name: str) -> None:
        self._g2p = EspeakG2P(language=name)
        self._stand_in = STAND_INS[name]
        self._remembered = lru_cache(WORDS_REMEMBERED)(self._say)
        _silence_phonemizer()

    def __call__(self, text: str, given: Sequence[Given] = ()) -> list[Sound]:
        """Return the sounds of single-spaced ``text``, of which some may be ``given``."""
        # A dash between spaces is a pause; espeak takes it for nothing, or for "minus".
        text = _LONE_DASH.sub("—", text).translate(_MARKS)
        if not given:
            return self._pronounce(text)
        # espeak stresses and links words by their neighbours, so a word has to stand where another one is given.
        held = Written.unchanged(text).edited((one.start, one.end, f" {self._stand_in} ") for one in given)
        sounds = held.origins(self._pronounce(held.text))
        return _put_in(sounds, given, self._own(self._stand_in)) or say_around(text, given, self._pronounce)

    def _pronounce(self, text: str) -> list[Sound]:
        return say_between_marks(text, words=self._words, marks=str)

    def _words(self, stretch: str, start: int) -> list[Sound]:
        return moved(align(stretch, self._say(stretch), self._own), start)

    def _own(self, word: str) -> str:
        """Return the phonemes of a word by itself."""
        return self._remembered(word) if len(word) <= LONGEST_REMEMBERED else self._say(word)

    def _say(self, stretch: str) -> str:
        phonemes, _ = self._g2p(stretch)
        return str(phonemes)


class EnglishWords:
    """Pronounces English words that misaki doesn't know.

    Raises:
        RuntimeError: espeak's library can't be loaded.
    """

    def __init__(self, *, british: bool) -> None:
        self._g2p = EspeakFallback(british=british)
        # misaki keeps espeak's "(fr)" flags here, whose letters would be spoken.
        self._g2p.backend = EspeakBackend(
            language="en-gb" if british else "en-us",
            preserve_punctuation=True,
            with_stress=True,
            tie="^",
            language_switch="remove-flags",
        )
        _silence_phonemizer()

    def __call__(self, token: MToken) -> tuple[str | None, int | None]:
        """Return the token's phonemes and misaki's rating of them."""
        phonemes, rating = self._g2p(token)
        return phonemes, rating


def _put_in(sounds: list[Sound], given: Sequence[Given], stand_in: str) -> list[Sound] | None:
    """Return ``sounds`` with the given ones for their stand-ins, or None if one isn't there unchanged."""
    phonemes_of = {(one.start, one.end): one.phonemes for one in given}
    put_in = []
    for sound in sounds:
        phonemes = phonemes_of.get((sound.start, sound.end))
        if phonemes is None:
            put_in.append(sound)
        elif sound.phonemes == stand_in:
            put_in.append(Sound(phonemes, sound.start, sound.end, given=True))
        else:
            return None
    return put_in if sum(sound.given for sound in put_in) == len(given) else None


def _silence_phonemizer() -> None:
    """Keep phonemizer from warning of each sentence whose words it can't count.

    By a filter: any backend that anybody makes later sets the logger's level again.
    """
    logging.getLogger("phonemizer").addFilter(_is_error)


def _is_error(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.ERROR
