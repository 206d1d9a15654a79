"""Checks of requests that wait: their order, and how many may."""

from primavoce.client.verification.conversation import CheckFailed, Conversation, describe
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.messages import Cancel, Cancelled, Error, Pong, SynthesisComplete, SynthesisStart

PAIR = "One, two, three."
OPENING = "One moment, please"
QUEUED = ("The first one.", "The second one.", "The third one.", "The fourth one.", "The fifth one.")
TINY = "Next."
MOST_QUEUED, QUEUED_AT_A_TIME = 200, 20
"""Requests, and those between two pings: a server that refuses one has said so before its pong."""


async def keeps_order(talk: Conversation) -> str:
    """Two requests at once are spoken one after another."""
    for request_id in [await talk.request(PAIR) for _ in range(2)]:
        await talk.spoken(request_id)
    return "two requests at once were spoken one after another"


async def queues_requests(talk: Conversation) -> str:
    """Requests that come while another is spoken have their turn in the order in which they came."""
    opening, spoken = await talk.hold_the_turn(OPENING)
    queue = _Queue(talk, opening)
    for text in QUEUED:
        await queue.ask(text)
    await queue.settle()
    if not queue.waiting:
        raise CheckFailed(f"each of {queue.asked} requests was refused while another was spoken")
    await talk.end(opening)
    await talk.completion(spoken, opening)
    for request_id in queue.waiting:
        await talk.spoken(request_id)
    told = f"{len(queue.waiting)} requests waited, and were spoken in order"
    return f"{told}; {queue.refused} more were refused" if queue.refused else told


async def bounds_its_queue(talk: Conversation) -> str:
    """One request too many is refused by itself; those that were taken have an ending each."""
    opening, _ = await talk.hold_the_turn(OPENING)
    queue = _Queue(talk, opening)
    while not queue.refused and queue.asked < MOST_QUEUED:
        for _ in range(QUEUED_AT_A_TIME):
            await queue.ask(TINY)
        await queue.settle()
    await talk.send(Cancel())
    await queue.empty()
    await talk.still_speaks()
    if not queue.refused:
        return f"took {queue.asked}"
    return f"{queue.asked - queue.refused} requests waited, and one more was refused"


class _Queue:
    """Requests that wait behind one that is being spoken.

    Args:
        talk: Where they are asked for.
        opening: The one that is being spoken.
    """

    def __init__(self, talk: Conversation, opening: str) -> None:
        self._talk = talk
        self._opening = opening
        self._live = {opening: None}  # in order
        self.asked = 0
        self.refused = 0

    @property
    def waiting(self) -> list[str]:
        """Those that were taken and have no ending, in the order in which they were asked for."""
        return [request_id for request_id in self._live if request_id != self._opening]

    async def ask(self, text: str) -> None:
        """Ask for one more."""
        self._live[await self._talk.request(text)] = None
        self.asked += 1

    async def settle(self) -> None:
        """Read until it is known which of them wait."""
        await self._talk.ping()
        while not isinstance(event := await self._talk.next("pong"), Pong):
            self._take(event)

    async def empty(self) -> None:
        """Read until each that was taken has ended."""
        while self._live:
            self._take(await self._talk.next(f"ending of {len(self._live)} requests that were taken"))

    def _take(self, event: ClientEvent) -> None:
        request_id = getattr(event, "request_id", None)
        match event:
            case Error(code="too_many_requests", fatal=True):
                raise CheckFailed("a request too many ended the session")
            case Error(code="too_many_requests") if request_id in self._live:
                del self._live[request_id]
                self.refused += 1
            case Cancelled() | SynthesisComplete() if request_id in self._live:
                del self._live[request_id]
            case SynthesisStart() | Audio() if request_id in self._live:
                pass
            case _:
                raise CheckFailed(f"{describe(event)} came while requests waited")
