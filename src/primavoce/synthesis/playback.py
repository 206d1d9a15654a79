"""What a listener has heard of an utterance, had it been played as it came."""


class Playback:
    """Keeps count of audio handed over and heard; pure, its moments are seconds on one monotonic clock."""

    def __init__(self) -> None:
        self.handed_s = 0.0
        """Seconds of audio that were handed over."""
        self.dry_s = 0.0
        """Seconds that the listener waited for more, after the first sound."""
        self._began: float | None = None

    @property
    def begun(self) -> bool:
        """Whether there was any audio."""
        return self._began is not None

    def hand_over(self, duration_s: float, *, now: float) -> None:
        """Note that ``duration_s`` seconds of audio have come."""
        if self._began is None:
            self._began = now
        waited_s = -self.in_hand_s(now)
        if waited_s > 0:
            # From here on there is audio in hand again, as if it had begun later.
            self._began += waited_s
            self.dry_s += waited_s
        self.handed_s += duration_s

    def in_hand_s(self, now: float) -> float:
        """Return the seconds of audio that haven't been heard; less than 0 while the listener waits for more."""
        return 0.0 if self._began is None else self._began + self.handed_s - now

    def dry_at(self) -> float | None:
        """Return when there will be nothing left to hear; None before the first sound."""
        return None if self._began is None else self._began + self.handed_s
