"""Sentences out of deltas: the stream itself."""

from dataclasses import dataclass

from primavoce.text.boundary import at_mark, rest_after
from primavoce.text.code import code_span_end
from primavoce.text.languages import rules_for
from primavoce.text.marks import CANDIDATE, QUOTES, SPEAKABLE, STRAYS, after_quote, past
from primavoce.text.structure import Kind, blank_line_end, closes_fence, line_at, line_break_ends
from primavoce.text.view import Verdict, View, view_from

LONGEST_LINE = 2000
"""Characters that a heading or a table row may have; a longer line is read as prose, so that it isn't held for ever."""


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
        self._fence_line = 0  # in the text: where the line in hand of the fence begins
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
        end = self._resting_place()
        if end is None:
            return []
        released = self._emitted(end)
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
        self._fence_line -= settled
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
            return self._code_span(view, at)
        return self._mark(view, at)

    # --- lines ---

    def _line(self, *, more: bool) -> list[Sentence] | None:
        """Tell what the line is that begins here, and skip it if it is blank."""
        view = view_from(self._text, self._start, self._start, more=more)
        blank = blank_line_end(view, self._start)
        if blank is not None:
            self._quotes = ""
            self._start = self._scan = blank
            return []
        line = line_at(view, self._start)
        if line is None or (self._start == len(self._text)):
            return None
        self._fresh_line = False
        self._kind = line.kind
        self._fence = line.marker if line.kind == "fence" else ""
        self._fence_line = self._start
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
        opening = self._fence_line == self._start
        line_break = self._text.find("\n", self._scan)
        if opening and self._text.find("`", self._scan, line_break if line_break >= 0 else None) >= 0:
            return self._read_as_prose()
        if line_break < 0:
            self._scan = len(self._text)
            return None
        if not opening and closes_fence(self._text[self._fence_line : line_break], self._fence):
            return self._line_emitted(line_break)
        self._fence_line = self._scan = line_break + 1
        return []

    def _read_as_prose(self) -> list[Sentence]:
        """Go back to where the line began: it isn't what it looked like."""
        self._kind = "prose"
        self._scan = self._start
        return []

    def _line_break(self, view: View, at: int) -> list[Sentence] | None:
        """End the segment at a line break, unless it is a soft wrap."""
        if not self._text[self._start : at].strip():
            return self._line_emitted(at)
        ends = line_break_ends(view, at + 1)
        if ends is None:
            return None
        return self._line_emitted(at) if ends else self._passed(at + 1)

    # --- within a line ---

    def _code_span(self, view: View, at: int) -> list[Sentence] | None:
        """Pass over inline code: the marks in it are not ours."""
        end = code_span_end(view, at)
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

    def _resting_place(self) -> int | None:
        """Return where the sentence in hand ends if a pause may release it."""
        if self._fresh_line:
            return None
        if self._kind == "fence":
            closed = self._fence_line > self._start and closes_fence(self._text[self._fence_line :], self._fence)
            return len(self._text) if closed else None
        waits_at = self._text[self._scan : self._scan + 1]
        if waits_at in {"", "`"}:
            return None
        if waits_at == "\n":
            return None if self._text[self._scan :].strip() else self._scan
        view = view_from(self._text, self._start, self._scan, more=False)
        return rest_after(view, self._scan, self._rules, quoted=bool(self._quotes))
