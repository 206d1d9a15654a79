"""One asking for an utterance, or for the rest of it: what of its audio is let through. Pure."""

from collections.abc import Sequence
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
    shift_s: float = 0.0
    """What must be added to its times."""
    _come_bytes: int = 0
    """Of its audio."""
    _from_bytes: int = 0
    """What of its audio is left out, once `awaited` is known."""

    def let_through(self, pcm: bytes) -> bytes:
        """Return what of ``pcm``, which comes next, the client gets."""
        left_out = len(pcm)
        if self.awaited is None:
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
        assert self.awaited is not None
        old, into_s = self.awaited, delivered_s - self.awaited.start_s
        place_s = new.start_s
        if into_s <= 0:  # in the silence before it, of which as much is left
            place_s = max(new.start_s + into_s, before[-1].end_s if before else 0.0)
        elif abs((old.end_s - old.start_s) - (new.end_s - new.start_s)) < SAME_S:
            place_s += into_s
        self.awaited = None
        self._from_bytes = max(self._come_bytes, round(place_s * rate) * width)
        self.shift_s = delivered_s - self._from_bytes / (rate * width)
