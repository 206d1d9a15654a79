"""Which utterances are checked afterwards."""

CHECK_EVERY = 100
"""One utterance in so many: a check takes as long as speaking one of its segments once more."""


class Checks:
    """Counts utterances; pure.

    Args:
        every: One in how many is due.
    """

    def __init__(self, every: int = CHECK_EVERY) -> None:
        self._every = every
        self._count = 0

    def due(self) -> bool:
        """Count one utterance, and say whether it is to be checked."""
        self._count += 1
        return self._count % self._every == 0
