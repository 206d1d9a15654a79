"""What espeak pronounces: five whole languages, and the English words that misaki doesn't know; heavy.

Both forms of output are misaki's, because Kokoro learnt those.
"""

import logging
import re

from misaki.espeak import EspeakFallback, EspeakG2P
from misaki.token import MToken
from phonemizer.backend import EspeakBackend

_LONE_DASH = re.compile(r"(?<=\s)[-–](?=\s)")
_MARKS = str.maketrans({"।": ".", "॥": ".", "‹": "“", "›": "”", "„": "“"})
"""Marks that espeak would swallow, and the model's own that sound the same."""


class EspeakLanguage:
    """Pronounces text in one of espeak's languages."""

    def __init__(self, name: str) -> None:
        self._g2p = EspeakG2P(language=name)
        _silence_phonemizer()

    def __call__(self, text: str) -> str:
        """Return the phonemes of ``text``."""
        # A dash between spaces is a pause; espeak takes it for nothing, or for "minus".
        phonemes, _ = self._g2p(_LONE_DASH.sub("—", text).translate(_MARKS))
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


def _silence_phonemizer() -> None:
    """Keep phonemizer from warning of each sentence whose words it can't count; each new backend undoes this."""
    logging.getLogger("phonemizer").setLevel(logging.ERROR)
