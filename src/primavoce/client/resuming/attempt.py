"""One asking for an utterance, or for the rest of it: where it begins, and what of its audio is let through. Pure."""

from collections.abc import Callable, Sequence
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
    shift_s: float = 0.0
    """What must be added to its times."""
    _come_bytes: int = 0
    """Of its audio."""
    _from_bytes: int = 0
    """What of its audio is left out, once it is known what is let through."""

    @property
    def begins_at(self) -> int | None:
        """Where in the utterance's text the first word is that is let through; `None` once that is known."""
        return self.place if self.awaited is None else self.awaited.start

    def let_through(self, pcm: bytes) -> bytes:
        """Return what of ``pcm``, which comes next, the client gets."""
        left_out = len(pcm)
        if self.begins_at is None:
            left_out = min(left_out, max(0, self._from_bytes - self._come_bytes))
        self._come_bytes += len(pcm)
        return pcm[left_out:]

    def go_on(
        self, new: WordSpoken, before: Sequence[WordSpoken], delivered_s: float, *, rate: int, width: int
    ) -> None:
        """Find the place from which what comes is let through.

        Args:
            new: The word that was awaited, as it is said this time.
            before: Those that are said before it.
            delivered_s: Seconds of audio that the client has.
            rate: Hertz.
            width: Bytes a sample.
        """
        before_s = before[-1].end_s if before else 0.0
        if self.awaited is None:
            place_s = min(new.start_s, before_s + self.silence_s)
        else:
            old, into_s = self.awaited, delivered_s - self.awaited.start_s
            place_s = new.start_s
            if into_s <= 0:  # in the silence before it, of which as much is left
                place_s = max(new.start_s + into_s, before_s)
            elif abs((old.end_s - old.start_s) - (new.end_s - new.start_s)) < SAME_S:
                place_s += into_s
        self.go_on_at(place_s, delivered_s, rate=rate, width=width)

    def go_on_at(self, place_s: float, delivered_s: float, *, rate: int, width: int) -> None:
        """Let through what comes from ``place_s`` of this attempt on."""
        self.awaited = self.place = None
        self._from_bytes = max(self._come_bytes, round(place_s * rate) * width)
        self.shift_s = delivered_s - self._from_bytes / (rate * width)


def next_attempt(
    words: Sequence[WordSpoken],
    segments: Sequence[int],
    *,
    told_until: int,
    delivered_s: float,
    outside_of_code: Callable[[int], int],
    whole: bool,
) -> Attempt:
    """Return how to ask for what isn't delivered yet.

    Args:
        words: Those that were told of, with their times in what is delivered.
        segments: Where those begin that were told of.
        told_until: Where to go on when all words are delivered.
        delivered_s: Seconds of audio that the client has.
        outside_of_code: Returns a place, or the beginning of the code that it is inside of.
        whole: Whether to let through all from where it begins: better twice than never.
    """

    def segment_before(place: int) -> int:
        return max((begin for begin in segments if begin <= place), default=0)

    awaited = next((word for word in words if word.end_s > delivered_s + SAME_S), None)
    place = told_until if awaited is None else segment_before(awaited.start)
    outside = outside_of_code(place)
    base = place if outside == place else segment_before(outside)
    if whole or (awaited is None and base == place):
        return Attempt(base=base, shift_s=delivered_s)
    if awaited is not None:
        return Attempt(base=base, awaited=awaited)
    silence_s = max(0.0, delivered_s - words[-1].end_s) if words else 0.0
    return Attempt(base=base, place=place, silence_s=silence_s)
