"""How a session's names are said, for its next link: the last lexicon that a server took, and those since. Pure."""

from collections.abc import Sequence

from primavoce.protocol.messages import AnyClientMessage, Ping, SetLexicon

MOST_UNANSWERED = 8
"""Lexicons of which no server has shown that it takes them; the oldest are forgotten first."""


class SessionLexicons:
    """Those of one session. Each holds until the next, unless the server refuses that."""

    def __init__(self) -> None:
        self._accepted: SetLexicon | None = None
        self._unanswered: list[SetLexicon] = []

    @property
    def to_say(self) -> list[SetLexicon]:
        """Those that a new link must be told, in order: if it refuses the last, the one before holds."""
        return [*self._unanswered] if self._accepted is None else [self._accepted, *self._unanswered]

    def set(self, lexicon: SetLexicon) -> None:
        """Know of one more."""
        self._unanswered.append(lexicon)
        del self._unanswered[:-MOST_UNANSWERED]

    def accepted(self, lexicon: SetLexicon) -> None:
        """Know that a server has taken one: those before it are of no more use."""
        for number, each in enumerate(self._unanswered):
            if each is lexicon:
                self._accepted, self._unanswered = lexicon, self._unanswered[number + 1 :]
                return

    def refused(self, request_id: str | None) -> bool:
        """Forget one that a server can't use, and return whether that is news."""
        known = len(self.to_say)
        self._unanswered = [each for each in self._unanswered if each.request_id != request_id]
        if request_id is not None and self._accepted is not None and self._accepted.request_id == request_id:
            self._accepted = None  # another server, to which it isn't what it was
        return len(self.to_say) < known


class UnansweredLexicons:
    """Those that were said on one link since its server has last answered a ping.

    It answers in order: if it refuses a lexicon, it has said so before the pong to a ping that was said after it.
    """

    def __init__(self) -> None:
        self._pings = 0
        self._pongs = 0
        self._waiting: list[tuple[int, SetLexicon]] = []
        """With the pings before each."""

    def said(self, messages: Sequence[AnyClientMessage]) -> None:
        """Know of what is said on the link."""
        for message in messages:
            if isinstance(message, SetLexicon):
                self._waiting.append((self._pings, message))
                del self._waiting[:-MOST_UNANSWERED]
            elif isinstance(message, Ping):
                self._pings += 1

    def ponged(self) -> list[SetLexicon]:
        """Know of a pong, and return those of which the server has said by now that it refuses them, if it does."""
        self._pongs += 1
        answered = [lexicon for pings, lexicon in self._waiting if pings < self._pongs]
        self._waiting = self._waiting[len(answered) :]
        return answered
