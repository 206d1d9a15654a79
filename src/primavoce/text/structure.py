"""The structure of lines: Markdown headings, items, table rows and fences, soft wraps and blank lines."""

import re
from dataclasses import dataclass
from typing import Literal

from primavoce.text.marks import OPENERS, past
from primavoce.text.view import View

type Kind = Literal["prose", "heading", "item", "row", "fence"]
"""What a sentence is in its text. A reader announces a table or a fence once, at the first of its kind."""

_MARGIN = r"[ \t\r]*(?:>[ \t]?)*[ \t]*"
_MARGIN_ONLY = re.compile(_MARGIN)
_BLANKS = re.compile(r"[ \t\r]*")

_LINE = re.compile(
    rf"""{_MARGIN}(?:
        (?P<heading> \#{{1,6}} (?=[ \t]) )
      | (?P<fence> `{{3,}} | ~{{3,}} )
      | (?P<row> \| )
      | (?P<item> (?: [-+*•‣◦▪●–] | \(?\d{{1,3}}[.)۔] | \(?[A-Za-z]\) | [a-z]\. ) (?=[ \t]) )
    )""",
    re.VERBOSE,
)
_LINE_SO_FAR = re.compile(
    rf"""{_MARGIN}(?: \#{{0,6}} | `* | ~* | [-+*•‣◦▪●–] | \(?\d{{0,3}}[.)۔]? | \(?[A-Za-z]\)? | [a-z]\. )""", re.VERBOSE
)
"""A beginning that the next character may yet turn into one of the above."""

_LOOKED_THROUGH = OPENERS | frozenset("`… \t\r")


@dataclass(frozen=True, slots=True)
class Line:
    """How a line begins."""

    kind: Kind
    """What the line is."""
    marker: str
    """The marker that says so, without its margin; empty for prose."""
    content: int
    """The first position after the marker."""


def line_at(view: View, at: int) -> Line | None:
    """Return how the line that begins ``at`` begins, or None while the next character decides."""
    if _LINE_SO_FAR.fullmatch(view.text, at, view.limit) and view.more:
        return None
    match = _LINE.match(view.text, at, view.limit)
    if match is None:
        return Line("prose", "", at)
    for kind in ("heading", "fence", "row", "item"):
        if marker := match[kind]:
            return Line(kind, marker, match.end())
    raise AssertionError(match)


def blank_line_end(view: View, at: int) -> int | None:
    """Return the position after the blank line that begins ``at``, or None if there is something on it."""
    end = past(_BLANKS, view.text, at, view.limit)
    return end + 1 if view.text[end : end + 1] == "\n" else None


def line_break_ends(view: View, at: int) -> bool | None:
    """Whether a line break ends the segment before it, by the line that begins ``at``; None while that is open.

    It does, unless the next line goes on with a lowercase word: then it is a soft wrap.
    """
    text, limit = view.text, view.limit
    first = past(_MARGIN_ONLY, text, at, limit)
    if first < limit and (text[first] in "\n|—" or (text[first].isalnum() and not text[first].islower())):
        return True
    line = line_at(view, at)
    if line is None or line.kind != "prose":
        return None if line is None else True
    while first < limit and text[first] in _LOOKED_THROUGH:
        first += 1
    if first == limit:
        return None if view.more else True
    return not text[first].islower()


def closes_fence(line: str, marker: str) -> bool:
    """Whether ``line`` ends the code fence that ``marker`` opened."""
    run = line.strip(" \t\r>")
    return len(run) >= len(marker) and run == marker[0] * len(run)
