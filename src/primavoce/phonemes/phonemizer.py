"""Text of any language that Kokoro speaks → phonemes of its alphabet."""

import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from primavoce.errors import LanguageUnavailable, PhonemesFailed, PrimavoceError
from primavoce.languages import resolve_language
from primavoce.phonemes.words import Given, Pronunciation, Sound, tidy, words_of
from primavoce.phonemes.written import Written

if TYPE_CHECKING:
    from primavoce.phonemes.grammar import Tagger

ESPEAK_NAMES = {"es": "es", "fr": "fr-fr", "hi": "hi", "it": "it", "pt-br": "pt-br"}
"""Our tag → espeak's, for the languages that Kokoro learnt from espeak's phonemes."""

EXTRAS = {"ja": "ja", "zh": "zh"}
"""Language → the extra that brings what it needs; the others come with ``engine``."""

_WHITE_SPACE = re.compile(r"\s+")


class Language(Protocol):
    """Pronounces text of one language."""

    def __call__(self, text: str, given: Sequence[Given] = ()) -> list[Sound]:
        """Return the sounds of ``text``, whose white space is single spaces, in its order; may raise anything.

        What is ``given`` must come out as a sound of its own.
        """


class Phonemizer:
    """Turns text into phonemes; blocking and not thread-safe, so each worker thread has its own.

    A language is loaded when it is first asked for (American English takes seconds), or at once when it is in
    ``preload``. Nothing is downloaded.
    """

    def __init__(self, *, preload: Sequence[str] = ()) -> None:
        """Load the languages of ``preload``.

        Raises:
            UnknownLanguage: Kokoro doesn't speak one of them.
            LanguageUnavailable: what one of them needs is not installed.
            PhonemesFailed: what one of them needs is installed, but broken.
        """
        self._languages: dict[str, Language] = {}
        self._tagger: Tagger | None = None
        for language in preload:
            self._load(resolve_language(language))
        if self._languages.keys() & EXTRAS.keys():
            self._load("en-us")  # for the Latin words in them

    def phonemize(self, text: str, language: str) -> str:
        """Return the phonemes of ``text``, all of them in the model's alphabet; empty if nothing can be said.

        The result may be longer than the model takes; `split_phonemes` cuts it.

        Raises:
            UnknownLanguage: Kokoro doesn't speak ``language``.
            LanguageUnavailable: what ``language`` needs is not installed.
            PhonemesFailed: the language's library failed on this text.
        """
        return self.pronounce(text, language).phonemes

    def pronounce(self, text: str, language: str, *, given: Sequence[tuple[int, int, str]] = ()) -> Pronunciation:
        """Return the phonemes of ``text`` word by word.

        ``given`` has stretches of ``text`` whose pronunciation is known, ``(start, end, phonemes)``, without overlaps.
        Each comes out as one word with these phonemes. Symbols outside the alphabet go; a stretch without any left,
        or of white space alone, is left to the language.

        Raises:
            UnknownLanguage: Kokoro doesn't speak ``language``.
            LanguageUnavailable: what ``language`` needs is not installed.
            PhonemesFailed: the language's library failed on this text.
            ValueError: stretches of ``given`` overlap, or are outside the text.
        """
        say = self._load(resolve_language(language))
        known = _settled(given, text)
        line = _single_spaced(text)
        try:
            sounds = say(line.text, line.carried(known)) if line.text else []
        except PrimavoceError:
            raise
        except Exception as failure:
            raise PhonemesFailed from failure
        return words_of(line.origins(sounds), text)

    def _load(self, language: str) -> Language:
        if language not in self._languages:
            try:
                with warnings.catch_warnings():
                    # Deprecations in the libraries' own code are no news to who runs us.
                    warnings.simplefilter("ignore")
                    self._languages[language] = self._build(language)
            except ImportError as missing:
                raise LanguageUnavailable(language, EXTRAS.get(language, "engine")) from missing
            except PrimavoceError:
                raise
            except Exception as failure:
                raise PhonemesFailed from failure
        return self._languages[language]

    def _build(self, language: str) -> Language:
        if language in ESPEAK_NAMES:
            from primavoce.phonemes.espeak import EspeakLanguage

            return EspeakLanguage(ESPEAK_NAMES[language])
        if language == "ja":
            from primavoce.phonemes.japanese import Japanese

            return Japanese(english=self._english)
        if language == "zh":
            from primavoce.phonemes.mandarin import Mandarin

            return Mandarin(english=self._english)
        from primavoce.phonemes.english import English, load_tagger

        self._tagger = self._tagger or load_tagger()
        return English(british=language == "en-gb", tagger=self._tagger)

    def _english(self, text: str) -> list[Sound]:
        return self._load("en-us")(text)


def _single_spaced(text: str) -> Written:
    """Return ``text`` with one space for any white space, and none at its ends."""
    spaces = list(_WHITE_SPACE.finditer(text))
    edges = (0, len(text))
    return Written.unchanged(text).edited(
        (found.start(), found.end(), "" if found.start() in edges or found.end() in edges else " ") for found in spaces
    )


def _settled(given: Sequence[tuple[int, int, str]], text: str) -> list[Given]:
    """Return what is given in order, without white space around, and in the alphabet."""
    settled: list[Given] = []
    end = 0
    for start, past, phonemes in sorted(given):
        if not end <= start <= past <= len(text):
            raise ValueError(f"a given pronunciation is for {start} to {past}, which overlaps or is outside the text")
        end = past
        stretch = text[start:past]
        if stretch.strip() and (kept := tidy(phonemes)):
            settled.append(Given(past - len(stretch.lstrip()), start + len(stretch.rstrip()), kept))
    return settled
