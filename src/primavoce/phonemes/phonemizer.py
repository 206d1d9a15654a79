"""Text of any language that Kokoro speaks → phonemes of its alphabet."""

import logging
import re
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from primavoce.errors import LanguageUnavailable, PhonemesFailed, PrimavoceError
from primavoce.languages import resolve_language
from primavoce.phonemes.alphabet import clean

if TYPE_CHECKING:
    from primavoce.phonemes.english import Tagger

Pronounce = Callable[[str], str]
"""Text without line breaks → phonemes, perhaps with symbols outside the alphabet; may raise anything."""

ESPEAK_NAMES = {"es": "es", "fr": "fr-fr", "hi": "hi", "it": "it", "pt-br": "pt-br"}
"""Our tag → espeak's, for the languages that Kokoro learnt from espeak's phonemes."""

EXTRAS = {"ja": "ja", "zh": "zh"}
"""Language → the extra that brings what it needs; the others come with ``engine``."""

_SPACE_BEFORE_MARK = re.compile(r" +(?=[,.!?;:…”)])")
_SPACE_AFTER_OPENING = re.compile(r"(?<=[“(]) +")
_SPACES = re.compile(r" {2,}")

_log = logging.getLogger("primavoce.phonemes")


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
        self._pronounce: dict[str, Pronounce] = {}
        self._tagger: Tagger | None = None
        for language in preload:
            self._load(resolve_language(language))
        if self._pronounce.keys() & EXTRAS.keys():
            self._load("en-us")  # for the Latin words in them

    def phonemize(self, text: str, language: str) -> str:
        """Return the phonemes of ``text``, all of them in the model's alphabet; empty if nothing can be said.

        The result may be longer than the model takes; `split_phonemes` cuts it.

        Raises:
            UnknownLanguage: Kokoro doesn't speak ``language``.
            LanguageUnavailable: what ``language`` needs is not installed.
            PhonemesFailed: the language's library failed on this text.
        """
        pronounce = self._load(resolve_language(language))
        line = " ".join(text.split())
        try:
            phonemes = pronounce(line) if line else ""
        except PrimavoceError:
            raise
        except Exception as failure:
            raise PhonemesFailed from failure
        kept, dropped = clean(phonemes)
        if dropped:
            _log.debug("dropped symbols outside the alphabet: %s", " ".join(sorted(set(dropped))))
        return _tidy(kept)

    def _load(self, language: str) -> Pronounce:
        if language not in self._pronounce:
            try:
                with warnings.catch_warnings():
                    # Deprecations in the libraries' own code are no news to who runs us.
                    warnings.simplefilter("ignore")
                    self._pronounce[language] = self._build(language)
            except ImportError as missing:
                raise LanguageUnavailable(language, EXTRAS.get(language, "engine")) from missing
            except PrimavoceError:
                raise
            except Exception as failure:
                raise PhonemesFailed from failure
        return self._pronounce[language]

    def _build(self, language: str) -> Pronounce:
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

    def _english(self, text: str) -> str:
        return self._load("en-us")(text)


def _tidy(phonemes: str) -> str:
    """Return ``phonemes`` with single spaces, and none inside quotes or before a mark, as the model learnt them."""
    phonemes = _SPACE_BEFORE_MARK.sub("", phonemes)
    phonemes = _SPACE_AFTER_OPENING.sub("", phonemes)
    return _SPACES.sub(" ", phonemes).strip(" ")
