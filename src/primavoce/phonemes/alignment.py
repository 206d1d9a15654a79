"""Which phonemes are which word's, where a library says only how all of them sound together.

Words and phonemes keep their order, but not their number: "qu'est-ce que" is pronounced as one word, "20%" as two.
Each word's pronunciation by itself shows where in the whole it is; the two differ a little, for words change beside
others, so that the cheapest way of turning one into the other is looked for.
"""

import logging
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from primavoce.phonemes.words import Sound

WINDOW = 24
"""Words aligned at a time; the work grows with the square of it."""

SETTLED = 16
"""Words of a window that are kept when more follow: those near its end may yet belong with what comes."""

REACH = 40
"""Symbols that one word's place may be off from an even share; what is further off is not found."""

MOST_SYMBOLS = 1500
"""Symbols of a window; words that make more of them are no words, and aren't told apart."""

_WORD = re.compile(r"\S+")
_UNHEARD = str.maketrans("", "", "ˈˌː\u0303-")
"""Stress, length and nasality change beside other words; a word is known by the rest."""

_VOWELS = frozenset("aeiouyɑɐɒæɔəɚɛɜɨɪøœɯʊʌɤɘᵊᵻAIOQWY")

_BOUNDARY = "\n"
"""Between the pronunciations of two words, where a space may be only inside one's."""

_CHANGED, _CHANGED_VOWEL, _LOST, _SPACE_LOST = 1.0, 0.6, 1.0, 0.9
"""What it costs to turn a sound into another one of its kind or not, to add or drop it, or to do so with a space."""

_FAR = float("inf")

_log = logging.getLogger("primavoce.phonemes")


@dataclass(frozen=True, slots=True)
class _Written:
    """A word of the text."""

    start: int
    end: int
    own: str
    """Its phonemes by itself; empty if it isn't said."""


def align(text: str, phonemes: str, say: Callable[[str], str]) -> list[Sound]:
    """Return ``phonemes`` as sounds of the words of ``text``.

    Words that are pronounced together, and those that can't be told apart, are one sound. A word that ``say`` has
    nothing for is in none.

    Args:
        text: words without marks between them.
        phonemes: of ``text``, with spaces between words.
        say: the phonemes of one word; called only where words and phonemes differ in number.
    """
    spoken = list(_WORD.finditer(phonemes))
    found = list(_WORD.finditer(text))
    if not found or not spoken:
        return [Sound(phonemes, 0, len(text))]
    if len(found) == len(spoken) and all(_is_plain(word.group()) for word in found):
        groups = [(place, place + 1, place, place + 1) for place in range(len(found))]
        return _sounds(phonemes, spoken, [_Written(word.start(), word.end(), "") for word in found], groups)
    written = [_Written(word.start(), word.end(), _own(word.group(), say)) for word in found]
    said = [word for word in written if word.own]
    if not said:
        return [Sound(phonemes, 0, len(text))]
    return _sounds(phonemes, spoken, said, _groups(said, [word.group().translate(_UNHEARD) for word in spoken]))


def _is_plain(word: str) -> bool:
    """Whether ``word`` is letters only, and none that are spelled one by one."""
    if len(word) > 1 and word.isupper():
        return False
    return all(char.isalpha() or char in "'’-" or unicodedata.category(char).startswith("M") for char in word)


def _own(word: str, say: Callable[[str], str]) -> str:
    # A letter by itself is called by its name, and not pronounced as the word that it is in a sentence.
    own = word.lower() if len(word) == 1 and word.isalpha() and ord(word) < ord("ʰ") else say(word)
    return " ".join(own.translate(_UNHEARD).split())


def _sounds(
    phonemes: str, spoken: list[re.Match[str]], written: list[_Written], groups: list[tuple[int, int, int, int]]
) -> list[Sound]:
    """Return a sound for each group, and one for each space between."""
    sounds = []
    place = 0
    for first_written, past_written, first_spoken, past_spoken in groups:
        first, last = spoken[first_spoken].start(), spoken[past_spoken - 1].end()
        start, end = written[first_written].start, written[past_written - 1].end
        if place < first:
            sounds.append(Sound(phonemes[place:first], start, start))
        sounds.append(Sound(phonemes[first:last], start, end))
        place = last
    if place < len(phonemes):
        sounds.append(Sound(phonemes[place:], sounds[-1].end, sounds[-1].end))
    return sounds


def _groups(written: list[_Written], spoken: list[str]) -> list[tuple[int, int, int, int]]:
    """Return which words, from and up to, are said by which of the ``spoken`` ones, from and up to."""
    parts = [word.own.split() for word in written]
    in_step = sum(map(len, parts)) == len(spoken)
    groups: list[tuple[int, int, int, int]] = []
    a = b = 0
    while a < len(written):
        past = b + len(parts[a])
        if in_step or (parts[a] == spoken[b:past] and a + 1 < len(written) and past < len(spoken)):
            groups.append((a, a + 1, b, past))
            a, b = a + 1, past
            continue
        cuts = _window(parts[a : a + WINDOW], spoken[b:], open_end=len(written) - a > WINDOW)
        for words, heard in cuts or [(len(written) - a, len(spoken) - b)]:
            groups.append((a, a + words, b, b + heard))
            a, b = a + words, b + heard
    return groups


def _window(parts: list[list[str]], spoken: list[str], *, open_end: bool) -> list[tuple[int, int]]:
    """Return the groups at the beginning, as numbers of words and of spoken ones; none if they can't be told apart.

    ``parts`` are the words' own phonemes, more of which follow with ``open_end``.
    """
    own = _BOUNDARY.join(" ".join(part) for part in parts)
    heard = spoken[: 2 * sum(map(len, parts))] if open_end else spoken
    cuts = _cuts(own, " ".join(heard), open_end=open_end)
    if not open_end:
        cuts.append((len(parts), len(spoken)))
    cuts = [cut for cut in cuts if cut[0] <= SETTLED or not open_end]
    if not cuts:
        _log.debug("words could not be told apart in %d symbols", len(own))
    return [(cut[0] - last[0], cut[1] - last[1]) for last, cut in pairwise([(0, 0), *cuts])]


def _cuts(own: str, heard: str, *, open_end: bool) -> list[tuple[int, int]]:
    """Return, for each boundary of ``own`` that falls on a space of ``heard``, the words before it in both.

    With ``open_end`` more is heard than ``own`` accounts for.
    """
    if max(len(own), len(heard)) > MOST_SYMBOLS:
        return []
    slope = 1.0 if open_end else len(heard) / len(own)
    costs = {place: _insertion(heard[:place]) for place in range(min(len(heard), REACH) + 1)}
    steps: list[dict[int, int]] = [dict.fromkeys(costs, 1)]
    for row, symbol in enumerate(own, start=1):
        middle = int(row * slope)
        row_costs: dict[int, float] = {}
        row_steps: dict[int, int] = {}
        lost = _SPACE_LOST if symbol in _BOUNDARY + " " else _LOST
        for place in range(max(0, middle - REACH), min(len(heard), middle + REACH) + 1):
            best, step = costs.get(place, _FAR) + lost, 2
            if place:
                changed = costs.get(place - 1, _FAR) + _change(symbol, heard[place - 1])
                if changed <= best:
                    best, step = changed, 0
                added = row_costs.get(place - 1, _FAR) + (_SPACE_LOST if heard[place - 1] == " " else _LOST)
                if added < best:
                    best, step = added, 1
            row_costs[place], row_steps[place] = best, step
        costs = row_costs
        steps.append(row_steps)
    last = min(costs, key=lambda place: costs[place]) if open_end and costs else len(heard)
    if costs.get(last, _FAR) == _FAR:
        return []
    return _matched(own, heard, steps, last)


def _matched(own: str, heard: str, steps: list[dict[int, int]], last: int) -> list[tuple[int, int]]:
    """Follow ``steps`` back from the end, and return the boundaries that were met by a space."""
    cuts = []
    row, place = len(own), last
    while row or place:
        step = steps[row][place]
        if step == 0 and own[row - 1] == _BOUNDARY:
            cuts.append((own.count(_BOUNDARY, 0, row), heard.count(" ", 0, place)))
        row -= step != 1
        place -= step != 2
    return cuts[::-1]


def _insertion(symbols: str) -> float:
    return sum(_SPACE_LOST if symbol == " " else _LOST for symbol in symbols)


def _change(one: str, other: str) -> float:
    if one == other or (one == _BOUNDARY and other == " "):
        return 0.0
    if one in _BOUNDARY + " " or other == " ":
        return _FAR
    return _CHANGED_VOWEL if one in _VOWELS and other in _VOWELS else _CHANGED
