"""Sentences out of deltas: the stream itself."""

import re
from dataclasses import dataclass, replace

from primavoce.text.boundary import at_mark, rest_after
from primavoce.text.languages import rules_for
from primavoce.text.marks import ASKS, CANDIDATE, QUOTES, SOFT, SPEAKABLE, STOPS, STRAYS, after_quote, past
from primavoce.text.spans import code_span_end, link_text_end
from primavoce.text.structure import (
    Kind,
    blank_line_end,
    closes_fence,
    is_lone_marker,
    is_table_rule,
    line_at,
    line_break_ends,
    line_is_prose,
    table_row,
    underlined,
)
from primavoce.text.view import Verdict, View, view_from

LONGEST_LINE = 2000
"""Characters that a heading or a table row may have; a longer line is read as prose, so that it isn't held for ever."""

_MARKED = re.compile(rf"[{re.escape(SOFT + STOPS + ASKS)}]\s*\Z")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of text with a certain boundary on both sides."""

    text: str
    """The text as it was sent, markup included, without white space around it."""
    start: int
    """The position of its first character in the text as it was sent since the last flush."""
    end: int
    """The position after its last character."""
    kind: Kind
    """What it is in its text."""


class SentenceStream:
    """Tells sentences in text that is still being written: push what you have, take what is certain, flush once.

    How the text is cut into deltas never changes the sentences. A sentence comes out as soon as its end is
    certain, which takes a character or a word after it; `idle` gives it up to a listener who would otherwise
    wait through a pause. Stretches without a letter or a digit are not sentences, and don't come out.

    Args:
        language: A BCP 47 tag. Unknown ones get the rules that hold everywhere, None also the English
            abbreviations; scripts are told apart by their letters.
    """

    def __init__(self, language: str | None = None) -> None:
        self._rules = rules_for(language)
        self._begin()

    def _begin(self) -> None:
        self._text = ""  # what is not settled yet
        self._offset = 0  # where it begins in the text as sent
        self._start = 0  # in it: where the sentence in hand begins
        self._scan = 0  # in it: all before is decided
        self._fresh_line = True  # whether a line begins at the start
        self._kind: Kind = "prose"
        self._fence = ""  # the marker of the code fence that is open
        self._line_start = 0  # in the text: where the line in hand begins
        self._in_table = False  # whether the lines above are a table
        self._quotes = ""  # the closing marks that are still awaited

    def push(self, delta: str) -> list[Sentence]:
        """Take the next piece of text, and return the sentences that are certain by now."""
        # A string that only one local name holds is extended in place, so that a long sentence
        # pushed by the character costs linear time; through an attribute each push would copy it.
        text, self._text = self._text, ""
        text += delta
        self._text = text
        return self._advance(more=True)

    def idle(self) -> list[Sentence]:
        """Return a sentence that lacks nothing but the proof of what follows, if there is one.

        For when no text has come for a while. What comes afterwards begins a new sentence.
        """
        released = self._table_left()
        end = self._resting_place()
        if end is None:
            return released
        released += self._emitted(end)
        return released + self._advance(more=True)

    def flush(self) -> list[Sentence]:
        """Return all that is left, the text being complete, and start afresh."""
        sentences = self._advance(more=False)
        sentences += self._emitted(len(self._text))
        self._begin()
        return sentences

    def _advance(self, *, more: bool) -> list[Sentence]:
        """Go on until the next decision needs text that has not come."""
        found: list[Sentence] = []
        while (step := self._step(more=more)) is not None:
            found += step
        if self._start:
            self._forget_settled()
        return found

    def _forget_settled(self) -> None:
        settled = self._start
        self._text = self._text[settled:]
        self._offset += settled
        self._scan -= settled
        self._line_start -= settled
        self._start = 0

    def _step(self, *, more: bool) -> list[Sentence] | None:
        """Take one decision and return what it completes; None when nothing can be decided yet."""
        if self._fresh_line:
            return self._line(more=more)
        if self._kind == "fence":
            return self._fenced_line()
        if self._kind in {"heading", "row"}:
            return self._whole_line()
        match = CANDIDATE.search(self._text, self._scan)
        if match is None:
            self._scan = len(self._text)
            return None
        self._scan = at = match.start()
        char = match.group()
        if char in QUOTES:
            return self._passed(at + 1)
        view = view_from(self._text, self._start, at, more=more)
        if char == "\n":
            return self._line_break(view, at)
        if char == "`":
            return self._span(code_span_end(view, at))
        if char == "[":
            return self._span(link_text_end(view, at))
        return self._mark(view, at)

    # --- lines ---

    def _line(self, *, more: bool) -> list[Sentence] | None:
        """Tell what the line is that begins here, and skip it if it is blank."""
        view = view_from(self._text, self._start, self._start, more=more)
        blank = blank_line_end(view, self._start)
        if blank is not None:
            self._quotes = ""
            self._in_table = False
            self._start = self._scan = blank
            return []
        line = line_at(view, self._start)
        if line is None or (self._start == len(self._text)):
            return None
        if self._in_table and line.kind in {"prose", "item"}:
            row = table_row(view, self._start)
            if row is None:
                return None
            line = replace(line, kind="row") if row else line
        self._in_table = is_table_rule(line) or (self._in_table and line.kind == "row")
        self._fresh_line = False
        self._kind = line.kind
        self._fence = line.marker if line.kind == "fence" else ""
        self._line_start = self._start
        self._scan = line.content
        return []

    def _whole_line(self) -> list[Sentence] | None:
        """Complete a heading or a table row, which ends where its line does."""
        line_break = self._text.find("\n", self._scan)
        if (line_break if line_break >= 0 else len(self._text)) - self._start > LONGEST_LINE:
            return self._read_as_prose()
        if line_break < 0:
            self._scan = len(self._text)
            return None
        return self._line_emitted(line_break)

    def _fenced_line(self) -> list[Sentence] | None:
        """Take a line of a code fence, which ends with the line that closes it and is never cut before."""
        opening = self._line_start == self._start
        line_break = self._text.find("\n", self._scan)
        if opening and self._text.find("`", self._scan, line_break if line_break >= 0 else None) >= 0:
            return self._read_as_prose()
        if line_break < 0:
            self._scan = len(self._text)
            return None
        if not opening and closes_fence(self._text[self._line_start : line_break], self._fence):
            return self._line_emitted(line_break)
        self._line_start = self._scan = line_break + 1
        return []

    def _read_as_prose(self) -> list[Sentence]:
        """Go back to where the line began: it isn't what it looked like."""
        self._kind = "prose"
        self._scan = self._start
        return []

    def _line_break(self, view: View, at: int) -> list[Sentence] | None:
        """End the segment at a line break, unless it is a soft wrap."""
        line = self._text[self._start : at]
        if not line.strip():
            return self._line_emitted(at)
        if is_lone_marker(line):
            wraps = line_is_prose(view, at + 1)
            ends = wraps if wraps is None else not wraps
        else:
            ends = line_break_ends(view, at + 1)
        whole = self._kind == "prose" and self._line_start == self._start and "\n" not in line
        kind = underlined(view, at + 1, line) if whole and ends else self._kind
        if ends is None or kind is None:
            return None
        if not ends:
            return self._passed(at + 1)
        self._kind = kind
        return self._line_emitted(at)

    # --- within a line ---

    def _span(self, end: int | None) -> list[Sentence] | None:
        """Pass over what ends at ``end``, a code span or a link's text: the marks in it are not ours."""
        if end is None:
            return None
        self._scan = end
        return []

    def _mark(self, view: View, at: int) -> list[Sentence] | None:
        decision = at_mark(view, at, self._rules, quoted=bool(self._quotes))
        if decision.verdict is Verdict.WAIT:
            return None
        self._passed(decision.end)
        return self._emitted(decision.end) if decision.verdict is Verdict.BOUNDARY else []

    def _passed(self, end: int) -> list[Sentence]:
        """Go on from ``end``, minding the quotes on the way."""
        for char in self._text[self._scan : end]:
            if char in QUOTES:
                self._quotes = after_quote(self._quotes, char)
        self._scan = end
        return []

    # --- sentences ---

    def _line_emitted(self, line_break: int) -> list[Sentence]:
        """Return the sentence that a line break ends; another line begins after it."""
        sentences = self._emitted(line_break)
        self._start = self._scan = line_break + 1
        self._fresh_line = True
        self._kind = "prose"
        return sentences

    def _emitted(self, end: int) -> list[Sentence]:
        """Return the sentence in hand, which ends at ``end``, if it is worth saying, and go on from there."""
        start = past(STRAYS, self._text, self._start, end)
        self._start = self._scan = end
        text = self._text[start:end].rstrip()
        if not SPEAKABLE.search(text):
            return []
        start += self._offset
        return [Sentence(text, start, start + len(text), self._kind)]

    def _table_left(self) -> list[Sentence]:
        """Take the line in hand for prose, if it was held below a table for the cells it might have."""
        if not (self._in_table and self._fresh_line and _MARKED.search(self._text, self._start)):
            return []
        self._in_table = False
        return self._advance(more=True)

    def _resting_place(self) -> int | None:
        """Return where the sentence in hand ends if a pause may release it."""
        if self._fresh_line:
            return None
        if self._kind == "fence":
            closed = self._line_start > self._start and closes_fence(self._text[self._line_start :], self._fence)
            return len(self._text) if closed else None
        waits_at = self._text[self._scan : self._scan + 1]
        if waits_at in {"", "`", "["}:
            return None
        if waits_at == "\n":
            return None if self._text[self._scan :].strip() else self._scan
        view = view_from(self._text, self._start, self._scan, more=False)
        return rest_after(view, self._scan, self._rules, quoted=bool(self._quotes))
