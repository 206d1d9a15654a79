"""The structure of lines: Markdown headings, items, table rows, rules and fences, soft wraps and blank lines."""

import re
from dataclasses import dataclass
from typing import Literal

from primavoce.text.marks import OPENERS, past
from primavoce.text.view import View

type Kind = Literal["prose", "heading", "item", "row", "fence"]
"""What a sentence is in its text. A reader announces a table or a fence once, at the first of its kind."""

_MARGIN = r"[ \t\r]*+(?:>[ \t]?)*+[ \t]*+"
_MARGIN_ONLY = re.compile(_MARGIN)
_BLANKS = re.compile(r"[ \t\r]*")

_ITEM = r"(?: [-+*•‣◦▪●–] | \(?\d{1,3}[.)۔] | \(?[A-Za-z]\) | [a-z]\. | (?:[ivx]{2,5}|[IVX]{2,5})[.)] )"
_LINE = re.compile(
    rf"""{_MARGIN}(?:
        (?P<rule> (?: (?:[-*_=][ \t]*){{2,}} | [|:-][|: \t-]*\|[|: \t-]* ) (?= \r?\n | \Z) )
      | (?P<heading> \#{{1,6}} (?=[ \t]) )
      | (?: {_ITEM}[ \t]+ )? (?P<fence> `{{3,}} | ~{{3,}} )
      | (?P<row> \| )
      | (?P<item> {_ITEM} (?=[ \t\r\n]) )
    )""",
    re.VERBOSE,
)
_LINE_SO_FAR = re.compile(
    rf"""{_MARGIN}(?:
        \#{{0,6}} | (?: {_ITEM}[ \t]* )? (?: `* | ~* ) | \(?\d{{1,3}} | \(?[A-Za-z]? | [ivx]{{2,5}} | [IVX]{{2,5}}
      | [-*_=|:][-*_=|: \t]*\r?
    )""",
    re.VERBOSE,
)
"""A beginning that the next character may yet turn into one of the above."""

_UNDERLINE = re.compile(
    rf"{_MARGIN}(?: (?P<heading> =+ | -{{2,}} )[ \t]* | (?P<row> [-:| \t]+ ) )\r?(?: \n | \Z )", re.VERBOSE
)
_UNDERLINE_SO_FAR = re.compile(rf"{_MARGIN}(?: =+ | -{{2,}} )[ \t]*\r?", re.VERBOSE)
_TABLE_RULE_SO_FAR = re.compile(rf"{_MARGIN}(?:=+[ \t]*|[-:| \t]*)\r?")

_LONE_MARKER = re.compile(r"[ \t\r>]*(?:[-+*•] | \**\d{1,2}[.)]\**)[ \t\r]*", re.VERBOSE)

_LOOKED_THROUGH = OPENERS | frozenset("`… \t\r")


@dataclass(frozen=True, slots=True)
class Line:
    """How a line begins."""

    kind: Kind
    """What the line is."""
    marker: str
    """The marker that says so, without its margin; empty for prose. A rule is marker alone."""
    content: int
    """The first position after the marker."""


def line_at(view: View, at: int) -> Line | None:
    """Return how the line that begins ``at`` begins, or None while the next character decides."""
    if _LINE_SO_FAR.fullmatch(view.text, at, view.limit) and view.more:
        return None
    match = _LINE.match(view.text, at, view.limit)
    if match is None:
        return Line("prose", "", at)
    if rule := match["rule"]:
        return Line("row", rule, match.end())
    for kind in ("heading", "fence", "row", "item"):
        if marker := match[kind]:
            return Line(kind, marker, match.end())
    raise AssertionError(match)


def is_table_rule(line: Line) -> bool:
    """Whether ``line`` sets the head of a table off from its rows, so that the lines below are rows, too."""
    return line.kind == "row" and "|" in line.marker and "-" in line.marker


def table_row(view: View, at: int) -> bool | None:
    """Whether the line that begins ``at`` below a table's rule is another row of it; None while that is open."""
    end = view.text.find("\n", at, view.limit)
    if view.text.find("|", at, end if end >= 0 else view.limit) >= 0:
        return True
    return None if end < 0 and view.more else False


def blank_line_end(view: View, at: int) -> int | None:
    """Return the position after the blank line that begins ``at``, or None if there is something on it."""
    end = past(_BLANKS, view.text, at, view.limit)
    return end + 1 if view.text[end : end + 1] == "\n" else None


def underlined(view: View, at: int, line: str) -> Kind | None:
    """Return what the line that begins ``at`` makes of the one before, ``line``; None while that is open.

    A row of ``=`` or ``-`` makes it a heading, a table's rule below cells the head of a table.
    """
    so_far = _TABLE_RULE_SO_FAR if "|" in line else _UNDERLINE_SO_FAR
    if view.more and so_far.fullmatch(view.text, at, view.limit):
        return None
    match = _UNDERLINE.match(view.text, at, view.limit)
    if match is None:
        return "prose"
    if match["heading"]:
        return "heading"
    return "row" if "|" in line and {"|", "-"} <= set(match["row"]) else "prose"


def line_break_ends(view: View, at: int) -> bool | None:
    """Whether a line break ends the segment before it, by the line that begins ``at``; None while that is open.

    It does, unless the next line goes on with a lowercase word: then it is a soft wrap.
    """
    text, limit = view.text, view.limit
    first = past(_MARGIN_ONLY, text, at, limit)
    if first < limit and (text[first] in "\n|=—" or (text[first].isalnum() and not text[first].islower())):
        return True
    line = line_at(view, at)
    if line is None:
        begun = _LINE.match(text, at, limit)
        return True if begun and not begun["rule"] else None
    if line.kind != "prose":
        return True
    while first < limit and text[first] in _LOOKED_THROUGH:
        first += 1
    if first == limit:
        return None if view.more else True
    return not text[first].islower()


def line_is_prose(view: View, at: int) -> bool | None:
    """Whether the line that begins ``at`` can go on with the one before: neither blank nor marked; None while open."""
    if blank_line_end(view, at) is not None:
        return False
    line = line_at(view, at)
    return None if line is None else line.kind == "prose"


def is_lone_marker(line: str) -> bool:
    """Whether ``line`` is the marker of an item that has its text on the next line."""
    return _LONE_MARKER.fullmatch(line) is not None


def closes_fence(line: str, marker: str) -> bool:
    """Whether ``line`` ends the code fence that ``marker`` opened."""
    run = line.strip(" \t\r>")
    return len(run) >= len(marker) and run == marker[0] * len(run)
