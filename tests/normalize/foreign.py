"""What espeak takes for another language's word: it would be said with sounds that the language hasn't."""

import re
from functools import cache

from phonemizer.backend import EspeakBackend

import primavoce.phonemes.espeak  # noqa: F401 - tells phonemizer where espeak's library is
from primavoce.phonemes.phonemizer import ESPEAK_NAMES


def flagged(text: str, language: str) -> list[str]:
    """Return the stretches of ``text``, as phonemes, that espeak says in another language."""
    (said,) = _backend(language).phonemize([text])
    return re.findall(r"\([a-z-]+\)[^(]*\([a-z-]+\)", said)


@cache
def _backend(language: str) -> EspeakBackend:
    return EspeakBackend(ESPEAK_NAMES[language], language_switch="keep-flags")
