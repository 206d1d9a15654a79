"""What a session's lanes need of it, and of each other."""

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Protocol

from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.protocol.client import ClientEvent
from primavoce.protocol.messages import SetLexicon

if TYPE_CHECKING:
    from primavoce.client.resuming.lane import Lane


class SharedByLanes(Protocol):
    """What a lane needs of its session."""

    closing: bool
    """Whether the client has asked for the end."""

    async def tell(self, event: ClientEvent) -> None:
        """Give the client an event; wait while it takes none."""

    def lexicons(self) -> Sequence[SetLexicon]:
        """Return how names are said, for a new link: each holds until the next, unless that is refused."""

    def accept_lexicon(self, lexicon: SetLexicon) -> None:
        """Know that a server has taken a lexicon, if it wasn't refused."""

    def refuse_lexicon(self, request_id: str | None) -> bool:
        """Forget a lexicon that the server can't use, and return whether that is news."""

    def joined(self, lane: "Lane") -> None:
        """Know that a lane's first link is open: it gets what the client says from now on."""

    def soon(
        self, work: Callable[[ResumableUtterance], Coroutine[None, None, None]], utterance: ResumableUtterance
    ) -> None:
        """Do something of an utterance that nobody waits for."""

    def ended(self, utterance: ResumableUtterance) -> None:
        """Know that an utterance has ended."""
