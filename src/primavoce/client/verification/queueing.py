"""Checks of requests that wait: their order, and how many may."""

from primavoce.client.verification.conversation import CheckFailed, Conversation, Spoken, describe
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
    opening, spoken = await _opening(talk)
    waiting = [await talk.request(text) for text in QUEUED]
    await talk.end(opening)
    await talk.spoken(opening, spoken)
    for request_id in waiting:
        await talk.spoken(request_id)
    return f"{len(waiting)} requests waited, and were spoken in order"


async def bounds_its_queue(talk: Conversation) -> str:
    """One request too many is refused by itself; those that were taken have an ending each."""
    queue = _Queue(talk, (await _opening(talk))[0])
    while not queue.refused and queue.asked < MOST_QUEUED:
        for _ in range(QUEUED_AT_A_TIME):
            await queue.ask()
        await queue.settle()
    await talk.send(Cancel())
    await queue.empty()
    await talk.still_speaks()
    if not queue.refused:
        return f"took {queue.asked}"
    return f"{queue.asked - queue.refused} requests waited, and one more was refused"


async def _opening(talk: Conversation) -> tuple[str, Spoken]:
    """Begin an utterance whose turn lasts until its text ends: nobody behind it has one before."""
    spoken = Spoken()
    request_id = await talk.begin(OPENING)
    await talk.flush(request_id)
    await talk.first_audio(spoken, request_id, waiting_for="audio after a flush")
    return request_id, spoken


class _Queue:
    """Requests that wait behind one that is being spoken.

    Args:
        talk: Where they are asked for.
        opening: The one that is being spoken.
    """

    def __init__(self, talk: Conversation, opening: str) -> None:
        self._talk = talk
        self._live = {opening}
        self.asked = 0
        self.refused = 0

    async def ask(self) -> None:
        """Ask for one more."""
        self._live.add(await self._talk.request(TINY))
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
                self._live.remove(request_id)
                self.refused += 1
            case Cancelled() | SynthesisComplete() if request_id in self._live:
                self._live.remove(request_id)
            case SynthesisStart() | Audio() if request_id in self._live:
                pass
            case _:
                raise CheckFailed(f"{describe(event)} came while requests waited")
