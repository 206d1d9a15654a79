"""How fast messages are read."""


class TokenBucket:
    """So many at once, and then so many a second; who comes too early is told how long to wait.

    Nothing is refused: one that isn't waited for is owed, and makes the next wait longer.

    Args:
        per_s: Tokens that come in a second.
        burst: The most there may be.
        now: Seconds, on the clock of every later call.
    """

    def __init__(self, *, per_s: float, burst: int, now: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = float(burst)
        self._at = now

    def take(self, *, now: float) -> float:
        """Take one token, and return the seconds to wait until it was there; 0 when it is."""
        self._tokens = min(self._burst, self._tokens + max(0.0, now - self._at) * self._per_s)
        self._at = max(self._at, now)
        self._tokens -= 1
        return max(0.0, -self._tokens / self._per_s)
