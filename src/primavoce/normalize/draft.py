"""A sentence on its way from what was written to what is read: text that rules rewrite, with its offsets."""

import logging
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from primavoce.normalize.spoken import GivenPhonemes, Pause, Spoken

HELD = "\ue000"
"""Stands in the text for what is settled, so that no rule rewrites it again; not a word character to any pattern."""

_CLOSING = frozenset(".,;:!?…。，、！？।")

_log = logging.getLogger("primavoce.normalize")


def left_out(characters: int, reason: str) -> None:
    """Say in the debug log that something is not read, for nothing is dropped in silence.

    What it was stays out of the log: it is what somebody said.
    """
    _log.debug("not read: %d characters (%s)", characters, reason)


@dataclass(frozen=True, slots=True)
class Settled:
    """What a stretch of the text is read as, for good."""

    text: str
    """The words; empty for silence."""
    phonemes: str | None = None
    """How they are pronounced, if that was given."""
    pause_s: float | None = None
    """Seconds of silence in their place."""


type Edit = tuple[int, int, str | Settled]
"""``(start, end, new)``: ``text[start:end]`` becomes open text, or is settled."""


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
        self._settled: list[Settled] = []  # in the order of their marks in the text

    # --- rules' tools: each pattern is searched once, from left to right, without overlaps

    def say(self, pattern: re.Pattern[str], words: Callable[[re.Match[str]], str | None]) -> None:
        """Settle each match as the words that ``words`` returns for it; None leaves it as it is."""
        self._apply(pattern, lambda match: None if (text := words(match)) is None else Settled(text))

    def rewrite(self, pattern: re.Pattern[str], text: Callable[[re.Match[str]], str | None]) -> None:
        """Replace each match by the text that ``text`` returns, still open to later rules; None leaves it."""
        self._apply(pattern, text)

    def drop(self, pattern: re.Pattern[str], reason: str) -> None:
        """Take each match out; ``reason`` goes to the debug log, for nothing is dropped in silence."""

        def out(match: re.Match[str]) -> str:
            left_out(len(match.group()), reason)
            return ""

        self._apply(pattern, out)

    def give(self, pattern: re.Pattern[str], given: Callable[[re.Match[str]], tuple[str, str] | None]) -> None:
        """Settle each match as a word and its phonemes."""

        def settled(match: re.Match[str]) -> Settled | None:
            pair = given(match)
            return None if pair is None else Settled(pair[0], phonemes=pair[1])

        self._apply(pattern, settled)

    def pause(self, pattern: re.Pattern[str], seconds: Callable[[re.Match[str]], float | None]) -> None:
        """Settle each match as silence."""
        self._apply(pattern, lambda match: None if (pause_s := seconds(match)) is None else Settled("", None, pause_s))

    def settle_spans(self, spans: Sequence[tuple[int, int, str]]) -> None:
        """Settle ``text[start:end]`` as words for each ``(start, end, words)``; in order, without overlaps."""
        self.edit([(start, end, Settled(text)) for start, end, text in spans])

    def edit(self, edits: Sequence[Edit]) -> None:
        """Replace or settle each stretch; in order, without overlaps.

        What was settled inside a stretch goes with it. An empty stretch inserts.
        """
        if edits:
            self._splice(edits)

    def respell(self, pattern: re.Pattern[str], words: Callable[[re.Match[str]], str | None]) -> None:
        """Spell each match otherwise, in open text and in settled words alike, but not where phonemes were given."""

        def spelled(match: re.Match[str]) -> str:
            new = words(match)
            return match.group() if new is None else new

        self._settled = [
            piece if piece.phonemes is not None else replace(piece, text=pattern.sub(spelled, piece.text))
            for piece in self._settled
        ]
        self._apply(pattern, words)

    # --- the end

    def said_end(self) -> int:
        """Return the position after the last character of ``text`` that is neither white space nor silence."""
        settled = reversed(self._settled)
        for at in range(len(self.text) - 1, -1, -1):
            char = self.text[at]
            if next(settled).text.strip() if char == HELD else not char.isspace():
                return at + 1
        return 0

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

    def _apply(self, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str | Settled | None]) -> None:
        changes = [(match.start(), match.end(), new) for match in pattern.finditer(self.text)
                   if HELD not in match.group() and (new := change(match)) is not None]  # fmt: skip
        if changes:
            self._splice(changes)

    def _splice(self, changes: Sequence[Edit]) -> None:
        text: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        settled: list[Settled] = []
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
            if isinstance(new, Settled):
                settled.append(new)
            inserted = HELD if isinstance(new, Settled) else new.replace(HELD, " ")
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
        self._after_silence = False

    def add(self, char: str, start: int, end: int) -> None:
        if char.isspace():
            self._space = self._space or (start, end)
            return
        if self._after_silence and char in _CLOSING:
            self._space = None  # that stood before the silence: "wait [pause:1s]." is "wait."
        if char == "." and self._after_settled and self._space is None and self._text and self._text[-1] == ".":
            self._after_settled = False  # "grade A." and the full stop are one period
            self._ends[-1] = end
            return
        if self._after_settled and self._space is None and self._text and _run_together(self._text[-1], char):
            self._space = (start, start)
        self._append(char, start, end)
        self._after_settled = self._after_silence = False

    def settled(self, piece: Settled, start: int, end: int) -> None:
        words = " ".join(piece.text.split())
        if piece.pause_s is not None:
            self._pauses.append(Pause(len(self._text) + (self._space is not None and bool(self._text)), piece.pause_s))
        if not words:
            # Silence parts words as a space does.
            self._after_silence = self._after_silence or piece.pause_s is not None
            self._after_settled = self._after_settled or self._after_silence
            return
        if self._space is None and self._text and _run_together(self._text[-1], words[0]):
            self._space = (start, start)
        first = len(self._text) + (self._space is not None and bool(self._text))
        for char in words:
            self._append(char, start, end)
        if piece.phonemes is not None:
            self._phonemes.append(GivenPhonemes(first, len(self._text), piece.phonemes))
        self._after_settled, self._after_silence = True, False

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


def _run_together(left: str, right: str) -> bool:
    """Whether two characters side by side would be read as one word where a space belongs between two."""
    return _spaced(left) and _spaced(right)


def _spaced(char: str) -> bool:
    """Whether ``char`` belongs to a word that spaces part from the next: not so in Chinese and Japanese."""
    if "\u2e80" <= char < "\ua000":
        return False
    return char.isalnum() or unicodedata.category(char).startswith("M")
