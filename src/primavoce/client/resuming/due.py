"""When another session should be opened, by what a server says of how long its own will last. Pure."""

from primavoce.client.resuming.policy import ResumePolicy


class NextDue:
    """When, by the policy's clock.

    Args:
        policy: How long before the end; and when that is, for as long as the server hasn't said.
    """

    def __init__(self, policy: ResumePolicy) -> None:
        self.at: float | None = None
        """When; `None` without a link, or where it was tried in vain."""
        self._policy = policy
        self._lead_s: float | None = None

    def guess(self) -> None:
        """Begin with a new link, of which nothing is known."""
        session_s, self._lead_s = self._policy.session_s, None
        self.at = self._policy.clock() + session_s - self._lead_of(session_s)

    def tell(self, seconds: float) -> bool:
        """Take that the session ends in ``seconds``, and return whether another is due at another time than before.

        How long before the end is fixed by what is told first: half of what is left would become ever less.
        """
        first, self._lead_s = self._lead_s is None, self._lead_s or self._lead_of(seconds)
        due_at = self._policy.clock() + seconds - self._lead_s
        if first or (self.at is not None and due_at < self.at):
            self.at = due_at
            return True
        return False

    def _lead_of(self, seconds: float) -> float:
        return min(self._policy.ahead_s, seconds / 2)
