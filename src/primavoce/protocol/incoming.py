"""The text of one utterance as it comes: deltas in, sentences out, a slice at a time."""

from collections import deque
from dataclasses import replace

from primavoce.text import Sentence, SentenceStream

SLICE = 500
"""Characters that are looked at in one go: some milliseconds of work."""


class IncomingText:
    """Text that comes in deltas, and the sentences that are ready to be spoken.

    A long text is worked through in slices, so that whoever shares the event loop isn't kept waiting by it.

    Args:
        language: Whose rules of punctuation hold.
    """

    def __init__(self, language: str) -> None:
        self.complete = False
        """Whether no more will come."""
        self.characters = 0
        """Characters that have come."""
        self.blank = True
        """True while they are white space alone."""
        self._stream = SentenceStream(language)
        self._text: list[str] = []
        # Deltas that are still to be looked at, in order; None for a flush.
        self._backlog: deque[str | None] = deque()
        self._read = 0
        self._base = 0  # characters before the last flush: the stream counts from there
        self._ready: deque[Sentence] = deque()
        self._idle_due = False  # whether `idle` came while there was text to look at, and nothing since

    @property
    def text(self) -> str:
        """All of it so far, as it was sent."""
        if len(self._text) > 1:
            self._text = ["".join(self._text)]
        return self._text[0] if self._text else ""

    def push(self, delta: str) -> None:
        """Take one delta; an empty one is none."""
        if not delta:
            return
        self._idle_due = False
        self.characters += len(delta)
        self.blank = self.blank and not delta.strip()
        self._text.append(delta)
        self._backlog.append(delta)
        self.advance()

    def flush(self) -> None:
        """Release what is held, whether or not it is a sentence yet; more may follow."""
        self._backlog.append(None)
        self.advance()

    def idle(self) -> None:
        """Release a sentence that is complete but for the proof, as soon as all before it was looked at."""
        self._idle_due = bool(self._backlog)
        if not self._backlog:
            self._accept(self._stream.idle())

    def end(self) -> None:
        """Release the rest: the text is complete."""
        if not self.complete:
            self.complete = True
            self.flush()

    def advance(self) -> bool:
        """Look for sentences in the next `SLICE` characters that wait; say whether more wait."""
        room = SLICE
        while self._backlog and room > 0:
            delta = self._backlog.popleft()
            if delta is None:
                self._accept(self._stream.flush())
                self._base = self._read
                continue
            if len(delta) > room:
                self._backlog.appendleft(delta[room:])
                delta = delta[:room]
            room -= len(delta)
            self._read += len(delta)
            self._accept(self._stream.push(delta))
        if self._idle_due and not self._backlog:
            self.idle()
        return bool(self._backlog)

    def take(self) -> list[Sentence]:
        """Return the sentences that are ready to be spoken; they are gone from here then."""
        taken = list(self._ready)
        self._ready.clear()
        return taken

    @property
    def startable(self) -> bool:
        """Whether there is something to do: a sentence to speak, text to look at, or an end to tell."""
        return bool(self._ready) or bool(self._backlog) or self.complete

    @property
    def exhausted(self) -> bool:
        """Whether all of it has come, and all its sentences were taken."""
        return self.complete and not self._backlog and not self._ready

    def _accept(self, sentences: list[Sentence]) -> None:
        self._ready.extend(
            replace(found, start=found.start + self._base, end=found.end + self._base) for found in sentences
        )
