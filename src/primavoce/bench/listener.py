"""Somebody who hears one answer while it is written, and notices every gap."""

from primavoce.bench.hearing import SAMPLE_RATE, Hearing
from primavoce.synthesis.playback import Playback

SHORTEST_GAP_S = 0.01
"""Seconds that a gap must have to be noticed: what a sound card has in its buffer bridges a shorter one."""


class Listener:
    """Plays an answer's audio at its own speed from the first byte on; pure, moments are seconds on one clock.

    A gap is an underrun unless text that came late explains it: when the listener ran dry, the sentence whose audio
    comes next was certain already. Before that no server can know how it ends, and so how it is said.
    """

    def __init__(self) -> None:
        self.underruns: list[float] = []
        """Seconds of each underrun."""
        self._playback = Playback()
        self._hearing = Hearing()
        self._certain: list[tuple[int, float]] = []
        self._spoken_from = 0

    def know(self, end: int, at_s: float) -> None:
        """Note that the sentence that ends before character ``end`` of the text became certain ``at_s``."""
        self._certain.append((end, at_s))

    def expect(self, start: int) -> None:
        """Note that the audio to come is of a segment that begins at character ``start`` of the text."""
        self._spoken_from = start

    def take(self, pcm: bytes, at_s: float) -> None:
        """Take audio, 16-bit mono at `SAMPLE_RATE`, that came ``at_s``."""
        dry_at_s = self._playback.dry_at()
        if dry_at_s is not None and at_s - dry_at_s >= SHORTEST_GAP_S and self._was_certain(dry_at_s):
            self.underruns.append(at_s - dry_at_s)
        self._playback.hand_over(len(pcm) / 2 / SAMPLE_RATE, now=at_s)
        self._hearing.take(pcm, at_s)

    def _was_certain(self, by_s: float) -> bool:
        since_s = next((at_s for end, at_s in self._certain if end > self._spoken_from), None)
        return since_s is not None and since_s <= by_s

    @property
    def first_sound_s(self) -> float | None:
        """Seconds from the first sentence's being certain to the first audible sample; None while there was none."""
        heard_at_s = self._hearing.first_sound_s
        return None if heard_at_s is None or not self._certain else heard_at_s - self._certain[0][1]

    @property
    def dry_at_s(self) -> float | None:
        """When everything that has come will have been heard; None before the first audio."""
        return self._playback.dry_at()

    def heard_s(self, at_s: float) -> float:
        """Return the seconds of audio that have been heard by ``at_s``, which isn't before the last audio came."""
        return self._playback.handed_s - max(0.0, self._playback.in_hand_s(at_s))
