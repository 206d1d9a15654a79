"""What a session's lanes need of it, and of each other."""

from typing import Protocol

from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.protocol.client import ClientEvent
from primavoce.protocol.messages import AnyClientMessage


class SharedByLanes(Protocol):
    """What a lane needs of its session."""

    closing: bool
    """Whether the client has asked for the end."""

    async def tell(self, event: ClientEvent) -> None:
        """Give the client an event; wait while it takes none."""

    def lexicon(self) -> AnyClientMessage | None:
        """Return how names are said."""

    def refuse_lexicon(self, request_id: str | None) -> None:
        """Forget a lexicon that the server can't use."""

    def ended(self, utterance: ResumableUtterance) -> None:
        """Know that an utterance has ended."""
