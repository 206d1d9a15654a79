"""Inline code, whose marks end no sentence."""

import re

from primavoce.text.view import View

_TICKS = re.compile("`+")
_TICKS_OR_BREAK = re.compile("`+|\n")


def code_span_end(view: View, at: int) -> int | None:
    """Return the position after the code span that begins ``at`` a backtick, or None while it is open.

    A span is closed by as many backticks as opened it, on the same line and within reach; without them the
    opening ones are characters like others, so that a stray backtick holds nothing back.
    """
    opened = _TICKS.match(view.text, at, view.limit)
    assert opened is not None
    for match in _TICKS_OR_BREAK.finditer(view.text, opened.end(), view.limit):
        if match.end() == view.limit and view.more and match.group() != "\n":
            return None
        if match.group() == opened.group():
            return match.end()
        if match.group() == "\n":
            return opened.end()
    return None if view.more else opened.end()
