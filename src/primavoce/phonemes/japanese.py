"""Japanese, by misaki's form of cutlet with the dictionary of unidic-lite; heavy, and an extra.

misaki's own entrance to it also imports pyopenjtalk, which this form of Kokoro doesn't use.
"""

import logging
import re
from collections.abc import Callable, Sequence

from misaki import cutlet

from primavoce.phonemes.latin import pronounce_mixed
from primavoce.phonemes.words import Given, Sound
from primavoce.phonemes.written import Written

_BRACKETS = str.maketrans("«»", "()")
"""cutlet writes parentheses as guillemets, which are not in the model's alphabet."""

_LONG_NUMBER = re.compile(r"\d{10,}")
"""Numbers beyond cutlet, telephone numbers first of all; said digit by digit."""

_UNIT = re.compile(r"[〜～]?\d+|.[ﾞﾟ\u3099\u309a]*", re.DOTALL)
"""What cutlet normalises without a look at what is around: a number, a range's end, a kana with its marks."""

_log = logging.getLogger("primavoce.phonemes")


class Japanese:
    """Pronounces Japanese text, and Latin words in it as ``english`` does."""

    def __init__(self, *, english: Callable[[str], list[Sound]]) -> None:
        self._cutlet = _Cutlet()
        self._english = english

    def __call__(self, text: str, given: Sequence[Given] = ()) -> list[Sound]:
        """Return the sounds of ``text``, of which some may be ``given``."""
        return pronounce_mixed(text, given, native=self._native, english=self._english)

    def _native(self, text: str) -> list[Sound]:
        spaced = Written.unchanged(text).edited(
            (place, place, " ")
            for found in _LONG_NUMBER.finditer(text)
            for place in range(found.start() + 1, found.end())
        )
        normal = self._normalized(spaced)
        phonemes, words = self._cutlet.pronounce(spaced.text)
        return normal.origins(_sounds(phonemes.translate(_BRACKETS), words, normal.text))

    def _normalized(self, written: Written) -> Written:
        """Return the text that cutlet takes its words from."""
        normalize = self._cutlet.normalize
        normal = written.edited(
            (found.start(), found.end(), normalize(found.group())) for found in _UNIT.finditer(written.text)
        )
        whole = normalize(written.text)
        if normal.text == whole:
            return normal
        _log.debug("where %d characters were written is lost in cutlet's normal form of them", len(written.text))
        return written.edited([(0, len(written.text), whole)])


class _Cutlet(cutlet.Cutlet):  # type: ignore[misc]
    """cutlet, which also tells its words and what it makes of each."""

    def pronounce(self, text: str) -> tuple[str, list[tuple[str, str]]]:
        """Return the phonemes of ``text``, and its words with theirs, before spaces are put between."""
        self._words: list[tuple[str, str]] = []
        phonemes, _ = self(text)
        return str(phonemes), self._words

    def normalize(self, text: str) -> str:
        """Return the form of ``text`` that words are taken from."""
        return str(self._normalize_text(text))

    def _romaji_word(self, word: cutlet.Word) -> str:
        phonemes: str = super()._romaji_word(word)
        self._words.append((word.surface, phonemes))
        return phonemes


def _sounds(phonemes: str, words: list[tuple[str, str]], text: str) -> list[Sound]:
    """Return ``phonemes`` as sounds of the ``words`` of ``text``, between which cutlet changes nothing but spaces."""
    symbols = [place for place, symbol in enumerate(phonemes) if not symbol.isspace()]
    # A doubling that nothing follows is taken out of a word when all are known.
    counts = [len("".join(own.replace("っ", "").split())) for _, own in words]
    if sum(counts) != len(symbols):
        _log.debug("%d words could not be told apart", len(words))
        return [Sound(phonemes, 0, len(text))]
    sounds: list[Sound] = []
    place = said = heard = 0
    for (surface, _), count in zip(words, counts, strict=True):
        start = max(text.find(surface, place), place)
        place = start + len(surface)
        if count:
            first, last = symbols[heard], symbols[heard + count - 1] + 1
            sounds += Sound(phonemes[said:first], start, start), Sound(phonemes[first:last], start, place)
            said = last
        else:
            sounds.append(Sound("", start, place))
        heard += count
    return [*sounds, Sound(phonemes[said:], place, place)]
