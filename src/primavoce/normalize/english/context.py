"""What stands before and after a match."""

import re

_ENDS = re.compile(r"[\"'”’)\]»*_\s]*+\Z")
_NEW_SENTENCE = re.compile(r"[\"'”’)\]»]*+\s++[\"'“‘(\[«]*+(?=[A-Z])")
_WORD_BEFORE = re.compile(r"([A-Za-z][A-Za-z'’.]*)[ \u00a0\u202f]\Z")
_WORD_AFTER = re.compile(r"[ \u00a0\u202f]([A-Za-z][A-Za-z'’]{0,30})")

REACH = 40
"""Characters before a match that are looked at."""


def final_period(match: re.Match[str]) -> str:
    """Return the period that ends the sentence where ``match``, which has taken it for its own, stands at the end."""
    return "." if match.group().endswith(".") and _ENDS.match(match.string, match.end()) else ""


def closing_period(match: re.Match[str]) -> str:
    """The same, for what may also end a sentence inside the text: etc."""
    if final_period(match):
        return "."
    return "." if match.group().endswith(".") and _NEW_SENTENCE.match(match.string, match.end()) else ""


def ends(match: re.Match[str]) -> bool:
    """Whether nothing but quotes and brackets comes after ``match``."""
    return _ENDS.match(match.string, match.end()) is not None


def word_before(match: re.Match[str]) -> str:
    """Return the word before ``match`` with one space between, as it is written; else nothing."""
    found = _WORD_BEFORE.search(match.string[max(0, match.start() - REACH) : match.start()])
    return found[1] if found else ""


def word_after(match: re.Match[str]) -> str:
    """Return the word after ``match`` with one space between, as it is written; else nothing."""
    found = _WORD_AFTER.match(match.string, match.end())
    return found[1] if found else ""


def text_before(match: re.Match[str]) -> str:
    """Return the `REACH` characters before ``match``."""
    return match.string[max(0, match.start() - REACH) : match.start()]
