"""What a lane says on its link, in order, and says again on the next."""

from collections.abc import Callable
from weakref import WeakSet

import anyio

from primavoce.client.resuming.below import LinkBelow
from primavoce.client.resuming.lexicons import UnansweredLexicons
from primavoce.client.resuming.pings import ClientPings, in_attempt
from primavoce.client.resuming.policy import OWN_PING
from primavoce.client.resuming.shared import SharedByLanes
from primavoce.client.resuming.texts import MOST_LATE
from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.protocol.messages import AnyClientMessage, Close, End, Ping


class Saying:
    """One lane's.

    One says something at a time. What is known of before its turn comes is said once, on the link that there is then.

    Args:
        utterances: The lane's, in order; whoever holds them adds to them, and takes out those that are told.
        session: Whose lane it is.
    """

    def __init__(self, utterances: dict[str, ResumableUtterance], session: SharedByLanes) -> None:
        self.link: LinkBelow | None = None
        """Where it is said; what is said without one is said on the next."""
        self.pings = ClientPings()
        self._utterances = utterances
        self._session = session
        self._links = 0
        self._asked = WeakSet[ResumableUtterance]()
        """Those that the link was asked for; whoever holds them forgets them when they are told."""
        self._ends_missing: dict[str, None] = {}
        """Ids of which the link's server ignores all text until their end is said: they ended before that."""
        self._lexicons = UnansweredLexicons()
        self._lock = anyio.Lock()

    def has(self, utterance: ResumableUtterance) -> bool:
        """Whether a server has it, and will end it."""
        return self.link is not None and utterance in self._asked and not utterance.is_with_nobody

    async def ask(self) -> None:
        """Ask the link for what it wasn't asked for yet, as far as it may be."""
        if self.link is not None:
            async with self._lock:
                await self._ask()

    async def add(self, utterance: ResumableUtterance, message: AnyClientMessage) -> None:
        """Take what the client says of an utterance."""
        async with self._lock:
            if utterance.ended:
                return  # before the client knew
            messages = utterance.say(message)
            if utterance in self._asked:
                await self.send(*messages)
                await self._ask()

    async def say(self, message: AnyClientMessage) -> None:
        """Take what the client says of no utterance."""
        links = self._links
        if isinstance(message, Ping):
            self.pings.take(message)
        async with self._lock:
            if isinstance(message, Ping):
                if links != self._links:
                    return  # it was said with the others
                message = in_attempt(message, self._utterances)
            await self.send(message)

    async def ping(self) -> None:
        """Ask for a sign of life."""
        async with self._lock:
            await self.send(Ping(OWN_PING))

    async def again(self, link: LinkBelow, *, to_be_closed: Callable[[], bool], on_begin: Callable[[], None]) -> None:
        """Say on a new link what isn't spoken yet.

        Args:
            link: Where all is said from now on.
            to_be_closed: Whether no more will come.
            on_begin: Called in the step from which on what is said waits for this, and is said after it.
        """
        async with self._lock:
            self.link, self._links = link, self._links + 1
            self._asked.clear()
            self._ends_missing.clear()
            self._lexicons = UnansweredLexicons()
            pings = self.pings.again()
            on_begin()
            await self.send(*self._session.lexicons())
            await self._ask()
            again = [in_attempt(ping, self._utterances) for ping in pings]
            await self.send(Ping(OWN_PING), *again)  # the first for how long the session lasts
            if to_be_closed():
                await self.send(Close())

    async def send(self, *messages: AnyClientMessage) -> None:
        """Send to the link, if there is one; wait for nobody else who says something."""
        if self.link is not None:
            self._lexicons.said(messages)
            await self.link.send(*messages)

    def ponged(self) -> None:
        """Know that the server has answered a ping: it has taken the lexicons before, or refused them."""
        for lexicon in self._lexicons.ponged():
            self._session.accept_lexicon(lexicon)

    def await_end_of(self, utterance: ResumableUtterance) -> None:
        """Know that the server has ended an utterance, and ignores what is left of its text."""
        if not utterance.asked.complete:
            self._ends_missing[utterance.request_id] = None
            if len(self._ends_missing) > MOST_LATE:  # the server has forgotten those, too
                del self._ends_missing[next(iter(self._ends_missing))]

    async def _ask(self) -> None:
        """Ask for them in order; those behind one that waits for its client's words would be spoken before it."""
        for utterance in list(self._utterances.values()):  # while a message waits, one may end
            if self.link is None:
                return
            if utterance.ended:
                continue
            if utterance not in self._asked:
                if utterance.asked.cancel is not None:
                    continue  # nobody else needs to know
                self._asked.add(utterance)
                await self.send(*self._missing_end(utterance.request_id), *utterance.asking())
            if utterance.is_held:
                return

    def _missing_end(self, request_id: str) -> list[AnyClientMessage]:
        missing = request_id in self._ends_missing
        self._ends_missing.pop(request_id, None)
        return [End(request_id)] if missing else []
