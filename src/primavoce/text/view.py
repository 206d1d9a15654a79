"""What a decision may look at, and what it may answer."""

from dataclasses import dataclass
from enum import Enum

REACH = 100
"""Characters past a mark that a decision may read.

What they leave open is decided as if the text ended there. So no wait is without bound, however odd the text,
and a mark costs the same work whatever follows it.
"""


@dataclass(frozen=True, slots=True)
class View:
    """A stretch of text, read to decide about one place in it."""

    text: str
    """The text in hand."""
    start: int
    """Where the sentence in hand begins; nothing before it matters."""
    limit: int
    """The first position that may not be read."""
    more: bool
    """Whether text may still come at ``limit``. A decision that would read it must wait instead."""


def view_from(text: str, start: int, position: int, *, more: bool) -> View:
    """Return the view that a decision about ``position`` gets."""
    limit = position + REACH
    if limit < len(text):
        return View(text, start, limit, more=False)
    return View(text, start, len(text), more=more)


class Verdict(Enum):
    """The three answers."""

    BOUNDARY = "boundary"
    """A sentence ends here, whatever follows."""
    NONE = "none"
    """None ends here, whatever follows."""
    WAIT = "wait"
    """The next characters decide."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict, and how far it reaches."""

    verdict: Verdict
    end: int
    """Where the sentence ends, or where the search for marks goes on."""
