"""Mandarin Chinese, by misaki with jieba and pypinyin; heavy, and an extra."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence

from misaki import zh

from primavoce.phonemes.latin import pronounce_mixed
from primavoce.phonemes.words import Given, Sound
from primavoce.phonemes.written import Written

_LONG_NUMBER = re.compile(r"\d{16,}", re.ASCII)
"""Numbers that cn2an would leave as they are, with a warning; said digit by digit."""

_DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")

_NUMBER = re.compile(r"(?=[年月日.%℃/-]*\d)[\d年月日.%℃/-]+", re.ASCII)
"""What cn2an may write in other words, or in another order: 5% is 百分之五."""

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_OTHERS = re.compile(r"[^\s\u4e00-\u9fff]+")
_DIACRITIC = "\u032f"
"""Marks a vowel of diphthongs, and is not in the model's alphabet."""

_log = logging.getLogger("primavoce.phonemes")


class Mandarin:
    """Pronounces Mandarin text, and Latin words in it as ``english`` does."""

    def __init__(self, *, english: Callable[[str], list[Sound]]) -> None:
        zh.jieba.setLogLevel(logging.WARNING)  # it reports its start on standard error
        zh.jieba.initialize()
        self._english = english

    def __call__(self, text: str, given: Sequence[Given] = ()) -> list[Sound]:
        """Return the sounds of ``text``, of which some may be ``given``."""
        return pronounce_mixed(text, given, native=_native, english=self._english)


def _native(text: str) -> list[Sound]:
    written = Written.unchanged(text).edited(
        (found.start(), found.end(), found.group().translate(_DIGITS)) for found in _LONG_NUMBER.finditer(text)
    )
    spoken = _with_numbers_in_words(written)
    spoken = spoken.edited((place, place + 1, _plain_mark(char)) for place, char in enumerate(spoken.text))
    return spoken.origins(_sounds(spoken.text))


def _sounds(text: str) -> list[Sound]:
    """Return the sounds of jieba's words, and of what is between runs of them."""
    sounds: list[Sound] = []
    place = 0
    for run in _HAN.finditer(text):
        sounds += _between(text, place, run.start())
        place = run.start()
        for word in zh.jieba.lcut(run.group()):
            phonemes = zh.ZHG2P.word2ipa(word).replace(_DIACRITIC, "")
            sounds.append(Sound(phonemes, place, place + len(word)))
            place += len(word)
            if place < run.end():
                sounds.append(Sound(" ", place, place))
    return sounds + _between(text, place, len(text))


def _between(text: str, start: int, end: int) -> list[Sound]:
    """Return marks, symbols and spaces as they are."""
    sounds: list[Sound] = []
    place = start
    for found in _OTHERS.finditer(text, start, end):
        sounds += Sound(text[place : found.start()], place, place), Sound(found.group(), found.start(), found.end())
        place = found.end()
    return [*sounds, Sound(text[place:end], place, place)]


def _with_numbers_in_words(written: Written) -> Written:
    """Return the text as cn2an writes it."""
    whole = zh.cn2an.transform(written.text, "an2cn")
    edits = list(_edits(written.text, whole))
    spoken = written.edited(edits)
    if spoken.text == whole:
        return spoken
    _log.debug("where %d characters were written is lost in the words for their numbers", len(written.text))
    return written.edited([(0, len(written.text), whole)])


def _edits(text: str, whole: str) -> Iterator[tuple[int, int, str]]:
    """Yield what became of each number, if the rest of ``text`` is found in ``whole``."""
    numbers = list(_NUMBER.finditer(text))
    shift = 0
    for place, number in enumerate(numbers, start=1):
        start, end = number.start() + shift, len(whole) - (len(text) - number.end())
        if place < len(numbers):
            end = whole.find(text[number.end() : numbers[place].start()], start + 1)
        if end < start:
            return
        yield number.start(), number.end(), whole[start:end]
        shift = end - number.end()


def _plain_mark(char: str) -> str:
    """Return a Chinese mark as the model's, with the spaces around it."""
    marked: str = zh.ZHG2P.map_punctuation(f"|{char}|")
    return marked[1:-1]
