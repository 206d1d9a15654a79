"""A sentence on its way from what was written to what is read: text that rules rewrite, with its offsets."""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass

from primavoce.normalize.spoken import GivenPhonemes, Pause, Spoken

HELD = "\ue000"
"""Stands in the text for what is settled, so that no rule rewrites it again; not a word character to any pattern."""

_log = logging.getLogger("primavoce.normalize")


@dataclass(frozen=True, slots=True)
class _Settled:
    text: str
    phonemes: str | None = None
    pause_s: float | None = None


class Draft:
    """Text under rewriting: rules see ``text``, and each character knows where it was written.

    What a rule has settled (`settle`, `say`, `give`, `pause`) is one `HELD` character in ``text`` from then on, which
    no later rule looks into. What a rule has only rewritten (`rewrite`, `drop`) stays open to later rules.
    Every operation takes time proportional to the text.
    """

    def __init__(self, written: str) -> None:
        self.text = written.replace(HELD, " ")
        self._starts = list(range(len(written)))
        self._ends = list(range(1, len(written) + 1))
        self._settled: list[_Settled] = []  # in the order of their marks in the text

    # --- rules' tools: each pattern is searched once, from left to right, without overlaps

    def say(self, pattern: re.Pattern[str], words: Callable[[re.Match[str]], str | None]) -> None:
        """Settle each match as the words that ``words`` returns for it; None leaves it as it is."""
        self._apply(pattern, lambda match: None if (text := words(match)) is None else _Settled(text))

    def rewrite(self, pattern: re.Pattern[str], text: Callable[[re.Match[str]], str | None]) -> None:
        """Replace each match by the text that ``text`` returns, still open to later rules; None leaves it."""
        self._apply(pattern, text)

    def drop(self, pattern: re.Pattern[str], reason: str) -> None:
        """Take each match out; ``reason`` goes to the debug log, for nothing is dropped in silence."""

        def out(match: re.Match[str]) -> str:
            _log.debug("not read: %d characters (%s)", len(match.group()), reason)
            return ""

        self._apply(pattern, out)

    def give(self, pattern: re.Pattern[str], given: Callable[[re.Match[str]], tuple[str, str] | None]) -> None:
        """Settle each match as a word and its phonemes."""

        def settled(match: re.Match[str]) -> _Settled | None:
            pair = given(match)
            return None if pair is None else _Settled(pair[0], phonemes=pair[1])

        self._apply(pattern, settled)

    def pause(self, pattern: re.Pattern[str], seconds: Callable[[re.Match[str]], float | None]) -> None:
        """Settle each match as silence."""
        self._apply(pattern, lambda match: None if (pause_s := seconds(match)) is None else _Settled("", None, pause_s))

    def replace_spans(self, spans: list[tuple[int, int, str]]) -> None:
        """Replace ``text[start:end]`` by open text for each ``(start, end, text)``; in order, without overlaps.

        The text of a span that isn't empty stands for all of it. An empty span inserts.
        """
        self._splice([(start, end, text) for start, end, text in spans])

    def settle_spans(self, spans: list[tuple[int, int, str]]) -> None:
        """Settle ``text[start:end]`` as words for each ``(start, end, words)``; in order, without overlaps."""
        self._splice([(start, end, _Settled(text)) for start, end, text in spans])

    # --- the end

    def spoken(self) -> Spoken:
        """Return what is read, with its white space in order."""
        assembly = _Assembly()
        settled = iter(self._settled)
        for char, start, end in zip(self.text, self._starts, self._ends, strict=True):
            if char == HELD:
                assembly.settled(next(settled), start, end)
            else:
                assembly.add(char, start, end)
        return assembly.spoken()

    # --- inside

    def _apply(self, pattern: re.Pattern[str], change: Callable[[re.Match[str]], "str | _Settled | None"]) -> None:
        changes = [(match.start(), match.end(), new) for match in pattern.finditer(self.text)
                   if HELD not in match.group() and (new := change(match)) is not None]  # fmt: skip
        if changes:
            self._splice(changes)

    def _splice(self, changes: "list[tuple[int, int, str | _Settled]]") -> None:
        text: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        settled: list[_Settled] = []
        kept = iter(self._settled)
        at = 0
        for start, end, new in [*changes, (len(self.text), len(self.text), "")]:
            assert start >= at, "changes come in order and don't overlap"
            text.append(self.text[at:start])
            starts += self._starts[at:start]
            ends += self._ends[at:start]
            settled += [next(kept) for _ in range(self.text.count(HELD, at, start))]
            for _ in range(self.text.count(HELD, start, end)):
                next(kept)
            first, last = self._written(start, end)
            if isinstance(new, _Settled):
                settled.append(new)
            inserted = HELD if isinstance(new, _Settled) else new.replace(HELD, " ")
            text.append(inserted)
            starts += [first] * len(inserted)
            ends += [last] * len(inserted)
            at = end
        self.text, self._starts, self._ends, self._settled = "".join(text), starts, ends, settled

    def _written(self, start: int, end: int) -> tuple[int, int]:
        """Return where ``text[start:end]`` was written; of an empty stretch, where it would have been."""
        if start == end:
            at = self._starts[start] if start < len(self._starts) else (self._ends[-1] if self._ends else 0)
            return at, at
        return min(self._starts[start:end]), max(self._ends[start:end])


class _Assembly:
    """Puts the pieces together: single spaces, and one wherever settled words would run into their neighbours."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._phonemes: list[GivenPhonemes] = []
        self._pauses: list[Pause] = []
        self._space: tuple[int, int] | None = None
        self._after_settled = False

    def add(self, char: str, start: int, end: int) -> None:
        if char.isspace():
            self._space = self._space or (start, end)
            return
        if self._after_settled and char.isalnum() and self._text and self._text[-1].isalnum() and self._space is None:
            self._space = (start, start)
        self._append(char, start, end)
        self._after_settled = False

    def settled(self, piece: _Settled, start: int, end: int) -> None:
        words = " ".join(piece.text.split())
        if piece.pause_s is not None:
            self._pauses.append(Pause(len(self._text) + (self._space is not None and bool(self._text)), piece.pause_s))
        if not words:
            return
        if self._space is None and self._text and self._text[-1].isalnum() and words[0].isalnum():
            self._space = (start, start)
        first = len(self._text) + (self._space is not None and bool(self._text))
        for char in words:
            self._append(char, start, end)
        if piece.phonemes is not None:
            self._phonemes.append(GivenPhonemes(first, len(self._text), piece.phonemes))
        self._after_settled = True

    def _append(self, char: str, start: int, end: int) -> None:
        if self._space is not None and self._text:
            self._text.append(" ")
            self._starts.append(self._space[0])
            self._ends.append(self._space[1])
        self._space = None
        self._text.append(char)
        self._starts.append(start)
        self._ends.append(end)

    def spoken(self) -> Spoken:
        length = len(self._text)
        pauses = tuple(Pause(min(pause.at, length), pause.seconds) for pause in self._pauses)
        return Spoken("".join(self._text), tuple(self._starts), tuple(self._ends), tuple(self._phonemes), pauses)
