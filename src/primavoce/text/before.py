"""What stands before a period: a word, a number, an initial, an abbreviation."""

import re
from dataclasses import dataclass
from enum import Enum

from primavoce.text.languages import LanguageRules
from primavoce.text.marks import OPENERS, SPEAKABLE, WORD_BREAKS
from primavoce.text.view import REACH, View

LONGEST_WORD = 40
"""Characters to the left of a mark that are looked at for its word; no abbreviation is as long."""

LONGEST_SPELLED = 6
"""Characters of letters spaced apart that are joined to look them up; a longer row is one of initials anyway."""

_COUNT = re.compile(r"\d{1,3}(?:\.\d{1,2}){0,3}")
"""The number of an item, 1 or 1.2; one of more digits is a year or a sum."""

_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])*")

_APOSTROPHES = ("'", "’")


class Before(Enum):
    """The kinds of what stands before a mark."""

    NOTHING = "nothing"
    """No letter or digit yet: a mark that leads."""
    WORD = "word"
    """A word like others; the mark after it is what it seems."""
    NUMBER = "number"
    """A number; digits after the period would go on with it, and in some languages it is an ordinal."""
    COUNT = "count"
    """A number that is the label of what follows: 1. Boil water."""
    OPENING = "opening"
    LABEL = "label"
    NUMBERING = "numbering"
    INNER = "inner"
    CLOSING = "closing"
    INITIAL = "initial"
    """A letter by itself, or letters with periods between: J., U.S."""


@dataclass(frozen=True, slots=True)
class Preceding:
    """What stands before a mark."""

    kind: Before
    """Its kind; those without a description are the abbreviations of the language's table, by its names."""
    word: str
    """The word, without the mark; empty after a bracket or a symbol."""


def before(view: View, mark: int, run: int, rules: LanguageRules) -> Preceding:
    """Return what stands before the marks from ``mark`` to ``run``. Only a single period can abbreviate."""
    start = word_start(view, mark)
    word = view.text[start:mark]
    if not SPEAKABLE.search(view.text, view.start, min(mark, view.start + REACH)):
        return Preceding(Before.NOTHING, word)
    if view.text[mark:run] not in ".．":
        return Preceding(Before.INNER if word in rules.exclaimed else Before.WORD, word)
    if not word:
        return Preceding(Before.WORD, word)
    if word[-1].isdigit():
        return Preceding(Before.COUNT if is_count(view, mark) else Before.NUMBER, word)
    spelled = _spelled(view, start) + word
    return Preceding(_abbreviation(spelled, word, rules) or _initial(view, start, spelled, rules), word)


def is_count(view: View, mark: int) -> bool:
    """Whether the number before ``mark`` labels what follows: it stands first, or is a list's first."""
    start = word_start(view, mark)
    word = view.text[start:mark]
    if not _COUNT.fullmatch(word):
        return False
    ahead = view.text[max(view.start, start - 2) : start]
    return _leads(view, start) or (word in {"1", "١", "१"} and ahead.endswith((": ", "：")))


def _leads(view: View, start: int) -> bool:
    """Whether the word that begins at ``start`` is the sentence's first."""
    ahead = view.text[max(view.start, start - 8) : start]
    return start - view.start <= len(ahead) and not ahead.strip().strip("".join(OPENERS))


def word_start(view: View, end: int) -> int:
    """Return where the word that ends at ``end`` begins."""
    start = end
    lowest = max(view.start, end - LONGEST_WORD)
    while start > lowest and view.text[start - 1] not in WORD_BREAKS:
        start -= 1
    return start


def word_before(view: View, start: int) -> str:
    """Return the word to the left of the one that begins at ``start``, if a space alone is between; else nothing."""
    if start <= view.start or view.text[start - 1] not in " \u00a0\u202f":
        return ""
    return view.text[word_start(view, start - 1) : start - 1]


def _spelled(view: View, start: int) -> str:
    """Return the letters that belong to a word though spaced apart: ``z.`` of "z. B", ``P.D.`` of "P. D. Q"."""
    letters = ""
    while (single := word_before(view, start)) and single.endswith(".") and _INITIALS.fullmatch(single[:-1]):
        letters = single + letters
        start -= len(single) + 1
        if len(letters) > LONGEST_SPELLED:
            break
    return letters


def _abbreviation(spelled: str, word: str, rules: LanguageRules) -> Before | None:
    for written in dict.fromkeys((spelled, word)):
        forms = {written, written.lower()}
        for kind, known in (
            (Before.OPENING, rules.opening),
            (Before.LABEL, rules.labels),
            (Before.INNER, rules.inner),
            (Before.CLOSING, rules.closing),
            (Before.NUMBERING, rules.numbering),
        ):
            if not known.isdisjoint(forms):
                return kind
    return None


def _initial(view: View, start: int, spelled: str, rules: LanguageRules) -> Before:
    """Tell initials from a word, by the letters alone; a lettered noun before makes a letter its name.

    A lowercase letter counts too: it is the first of a spaced abbreviation (z. B.) more often than a last word.
    """
    cased = spelled[0].isupper() or spelled[0].islower()
    if not _INITIALS.fullmatch(spelled) or not (cased or "." in spelled):
        return Before.WORD
    if len(spelled) == 1 and _leads(view, start):
        return Before.COUNT  # it labels what follows, as in lists of questions: Q. After this, what?
    ahead = word_before(view, start).lower()
    if spelled.islower() and (ahead[-1:].isdigit() or view.text[start - 1 : start] in _APOSTROPHES):
        return Before.WORD  # a unit: à 8 h. A word's end: won't.
    return Before.WORD if ahead in rules.lettered else Before.INITIAL
