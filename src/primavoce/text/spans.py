"""Stretches of a line whose marks end no sentence: inline code, and the text of a link."""

import re

from primavoce.text.view import View

_TICKS = re.compile("`+")
_TICKS_OR_BREAK = re.compile("`+|\n")
_WORD_IN_OLD_QUOTES = re.compile(r"[^`'\n]{1,30}'(?=[\s.,;:)])")
_BRACKETED = re.compile(r"\[[^\[\]\n]*+(?P<closed>\]\(?)?")
_ENDS_INSIDE = ".!?…。！？"


def code_span_end(view: View, at: int) -> int | None:
    """Return the position after the code span that begins ``at`` a backtick, or None while it is open.

    A span is closed by as many backticks as opened it, on the same line and within reach; without them the
    opening ones are characters like others, so that a stray backtick holds nothing back. Nor does one that an
    apostrophe closes, as old manuals write it: `name'.
    """
    opened = _TICKS.match(view.text, at, view.limit)
    assert opened is not None
    if _WORD_IN_OLD_QUOTES.match(view.text, opened.end(), view.limit):
        return opened.end()
    for match in _TICKS_OR_BREAK.finditer(view.text, opened.end(), view.limit):
        if match.end() == view.limit and view.more and match.group() != "\n":
            return None
        if match.group() == opened.group():
            return match.end()
        if match.group() == "\n":
            return opened.end()
    return None if view.more else opened.end()


def link_text_end(view: View, at: int) -> int | None:
    """Return where the text of the link ends that begins ``at`` a bracket, or None while it is open.

    A mark at its very end ends a sentence like others; brackets that are no link's are characters like others.
    """
    match = _BRACKETED.match(view.text, at, view.limit)
    assert match is not None
    if match.end() == view.limit and view.more and match["closed"] != "](":
        return None
    if match["closed"] != "](":
        return at + 1
    end = match.start("closed")
    while end > at + 1 and view.text[end - 1] in _ENDS_INSIDE:
        end -= 1
    return end
