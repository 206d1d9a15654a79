"""One asking for an utterance, or for the rest of it: where it begins, and what of its audio is let through. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from primavoce.protocol.messages import WordSpoken

SAME_S = 0.005
"""Two sayings of a word that differ by less are taken for one and the same."""


@dataclass(slots=True)
class Attempt:
    """One asking."""

    base: int = 0
    """Where its text begins, in the utterance's."""
    awaited: WordSpoken | None = None
    """The first word to be let through; until it is told of, nothing is. `None` once that is known."""
    place: int | None = None
    """Instead of a word: where in the text the first one is that wasn't told yet. `None` once it is known."""
    silence_s: float = 0.0
    """Delivered after the last word before that place."""
    pause_s: float = 0.0
    """Due before its first segment, if all before that is delivered: a session sets none before what it says first."""
    pause_is_told: bool = False
    """Whether it was told of; by the mark alone it is a guess, and may be longer."""
    shift_s: float = 0.0
    """What must be added to its times."""
    passed_s: float | None = None
    """Where the last word that is left out ends, in this attempt's audio; `None` before there was one."""
    _has_begun: bool = False
    _come_bytes: int = 0
    """Of its audio."""
    _from_bytes: int = 0
    """What of its audio is left out, once it is known what is let through."""
    _silence_bytes: int = 0
    """What the client gets before it."""

    @property
    def begins_at(self) -> int | None:
        """Where in the utterance's text the first word is that is let through; `None` once that is known."""
        return self.place if self.awaited is None else self.awaited.start

    def let_through(self, pcm: bytes, *, no_sound: bytes) -> bytes:
        """Return what of ``pcm``, which comes next, the client gets; ``no_sound`` is a sample of silence."""
        self._has_begun = True
        left_out = len(pcm)
        silence = b""
        if self.begins_at is None:
            left_out = min(left_out, max(0, self._from_bytes - self._come_bytes))
            silence, self._silence_bytes = no_sound * (self._silence_bytes // len(no_sound)), 0
        self._come_bytes += len(pcm)
        return silence + pcm[left_out:]

    def begin_segment(self, start: int, start_s: float, delivered_s: float, *, rate: int, width: int) -> None:
        """Know of a segment whose audio comes next: it may be what is awaited, or the first of all.

        Args:
            start: Where it begins in the utterance's text.
            start_s: Where in this attempt's audio.
            delivered_s: Seconds of audio that the client has.
            rate: Hertz.
            width: Bytes a sample.
        """
        if self.place is not None and start >= self.place:
            self.go_on_at(self._after_passed(start_s), delivered_s, rate=rate, width=width)
        elif self.begins_at is None and not self._has_begun:
            pause_s = self.pause_s if self.pause_is_told else max(self.pause_s, start_s)
            self.go_on_at(start_s - pause_s, delivered_s, rate=rate, width=width)

    def pass_by(self, words: Sequence[WordSpoken]) -> None:
        """Know of words that are left out."""
        self.passed_s = words[-1].end_s if words else self.passed_s

    def go_on(
        self, new: WordSpoken, before: Sequence[WordSpoken], delivered_s: float, *, rate: int, width: int
    ) -> None:
        """Find the place from which what comes is let through.

        Args:
            new: The word that was awaited, as it is said this time.
            before: Those that are said before it in its segment.
            delivered_s: Seconds of audio that the client has.
            rate: Hertz.
            width: Bytes a sample.
        """
        if self.awaited is None:
            self.pass_by(before)
            place_s = self._after_passed(new.start_s)
        else:
            old, into_s = self.awaited, delivered_s - self.awaited.start_s
            place_s = new.start_s
            if into_s <= 0:  # in the silence before it, of which as much is left
                place_s += into_s
                if before:
                    place_s = max(place_s, before[-1].end_s)
            elif abs((old.end_s - old.start_s) - (new.end_s - new.start_s)) < SAME_S:
                place_s += into_s
        self.go_on_at(place_s, delivered_s, rate=rate, width=width)

    def go_on_at(self, place_s: float, delivered_s: float, *, rate: int, width: int) -> None:
        """Let through what comes from ``place_s`` of this attempt on; what doesn't come of that was silence."""
        self.awaited = self.place = None
        self._has_begun = True
        place_bytes = round(place_s * rate) * width
        self._from_bytes = max(self._come_bytes, place_bytes)
        self._silence_bytes = self._from_bytes - place_bytes
        self.shift_s = delivered_s - place_bytes / (rate * width)

    def _after_passed(self, at_most_s: float) -> float:
        return at_most_s if self.passed_s is None else min(at_most_s, self.passed_s + self.silence_s)


def next_attempt(
    words: Sequence[WordSpoken],
    segments: Mapping[int, float | None],
    *,
    told_until: int,
    delivered_s: float,
    pause_s: float,
    outside_of_code: Callable[[int], int],
    whole: bool,
) -> Attempt:
    """Return how to ask for what isn't delivered yet.

    Args:
        words: Those that were told of, with their times in what is delivered.
        segments: Where those begin that were told of, and when, as far as that was known.
        told_until: Where to go on when all words are delivered.
        delivered_s: Seconds of audio that the client has.
        pause_s: What is heard at ``told_until``, by the mark before it.
        outside_of_code: Returns a place, or the beginning of the code that it is inside of.
        whole: Whether to let through all from where it begins: better twice than never.
    """

    def segment_before(place: int) -> int:
        return max((begin for begin in segments if begin <= place), default=0)

    awaited = next((word for word in words if word.end_s > delivered_s + SAME_S), None)
    place = told_until if awaited is None else segment_before(awaited.start)
    outside = outside_of_code(place)
    base = place if outside == place else segment_before(outside)
    if whole:
        return Attempt(base=base, shift_s=delivered_s)
    if awaited is not None:
        return Attempt(base=base, awaited=awaited)
    if base != place:
        silence_s = max(0.0, delivered_s - words[-1].end_s) if words else 0.0
        return Attempt(base=base, place=place, silence_s=silence_s)
    next_s = segments[min(following)] if (following := [begin for begin in segments if begin >= place]) else None
    if next_s is None:
        return Attempt(base=base, shift_s=delivered_s, pause_s=pause_s)
    return Attempt(base=base, shift_s=delivered_s, pause_s=max(0.0, next_s - delivered_s), pause_is_told=True)
