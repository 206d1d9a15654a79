"""A link that outlives the links below it: it is opened anew when one breaks off, or is about to end."""

import logging
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Self

import anyio
from anyio.abc import TaskGroup
from msgspec import structs

from primavoce.client.link import Opener
from primavoce.client.resuming.lane import Lane
from primavoce.client.resuming.lexicons import SessionLexicons
from primavoce.client.resuming.policy import ResumePolicy
from primavoce.client.resuming.texts import OpenTexts
from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.errors import PrimavoceError, SessionBroken, lone_error
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.codec import Rejected, decode_client, encode
from primavoce.protocol.messages import (
    AnyClientMessage,
    Cancel,
    Close,
    End,
    Flush,
    Ping,
    SessionComplete,
    SetLexicon,
    Synthesize,
    Text,
)

log = logging.getLogger("primavoce.client")


def resuming(opener: Opener, policy: ResumePolicy | None = None) -> Opener:
    """Return what opens a link that goes on over another of ``opener``'s when one ends, whyever.

    The client sees one session. An utterance that was broken off is resumed where it was
    (`primavoce.client.resuming.utterance` says where exactly), and one that the server gave back is asked for again.
    Near the end of the time that a server gives to a session, the next is opened, and gets the utterances from then on.

    Audio that is encoded (``mp3``, ``opus``, ``flac``) can't be joined: once some of it has been delivered, a link that
    breaks off ends the session.

    Args:
        opener: Opens each link; errors of it that are retryable are tried again.
        policy: How long, and how often.
    """
    how = ResumePolicy() if policy is None else policy

    @asynccontextmanager
    async def open_link() -> AsyncIterator[ResumingLink]:
        with lone_error():
            async with anyio.create_task_group() as tasks:
                link = ResumingLink(opener, how, tasks)
                try:
                    await link.begin()
                    yield link
                finally:
                    link.close()
                    tasks.cancel_scope.cancel()

    return open_link


class ResumingLink:
    """The client's end; see `primavoce.client.link.SessionLink`.

    Args:
        opener: Opens the links below.
        policy: How long to go on.
        tasks: For as long as the link is open.
    """

    typed = True

    def __init__(self, opener: Opener, policy: ResumePolicy, tasks: TaskGroup) -> None:
        self.closing = False
        self._opener = opener
        self._policy = policy
        self._tasks = tasks
        self._lanes: list[Lane] = []
        """In the order in which their utterances are spoken; the last gets new ones."""
        self._push, self._frames = anyio.create_memory_object_stream[str | bytes]()
        self._failure: PrimavoceError | None = None
        self._lexicons = SessionLexicons()
        self._texts = OpenTexts()

    # --- a session's link

    async def send(self, frame: str) -> None:
        """Take a message; it is sent now, or when there is a link again.

        Raises:
            SessionError: the session was given up.
        """
        if self._failure is not None:
            raise self._failure
        message = decode_client(frame)
        if isinstance(message, Rejected):
            raise message.error
        if not self._lanes:
            raise SessionBroken("the server closed it")
        match message:
            case Close():
                self.closing = True
                for request_id in self._texts.open:  # a server ends those too, but not every lane is told of the close
                    await self._say_of_living(request_id, End(request_id))
                if self._lanes:
                    await self._lanes[-1].say(message)
            case SetLexicon():
                self._lexicons.set(message)
                # Whoever speaks needs it no more, but answers at once whether it can be used.
                for lane in dict.fromkeys([self._speaking, self._lanes[-1]]):
                    await lane.say(message)
            case Ping():
                about = (lane for lane in self._lanes if message.request_id in lane.utterances)
                await next(about, self._speaking).say(message)
            case Cancel(request_id=None):
                for request_id in [name for lane in self._lanes for name in lane.utterances]:
                    await self._say_of_living(request_id, Cancel(request_id, message.played_s))
            case _:
                await self._say_of_utterance(message)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str | bytes:
        try:
            return await self._frames.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            if self._failure is not None:
                raise self._failure from None
            raise StopAsyncIteration from None

    async def _say_of_utterance(self, message: Synthesize | Text | Flush | End | Cancel) -> None:
        request_id = message.request_id or (None if isinstance(message, Synthesize) else self._texts.newest)
        if request_id is not None and await self._say_of_living(request_id, message):
            return
        for each in [message] if request_id is None else self._texts.late(request_id, message):
            await self._say_of_nobody(each)

    async def _say_of_living(self, request_id: str, message: Synthesize | Text | Flush | End | Cancel) -> bool:
        """Take what is said of an utterance, and return whether there is one that hasn't ended."""
        known = [(lane, lane.utterances[request_id]) for lane in self._lanes if request_id in lane.utterances]
        for lane, utterance in known:
            if not utterance.ended:
                self._texts.said(request_id, message)
                await lane.add(utterance, structs.replace(message, request_id=request_id))
                return True
            self._texts.ended(request_id)  # which the client is being told
        return False

    async def _say_of_nobody(self, message: AnyClientMessage) -> None:
        """Take what is of no utterance that lives: it opens one, or the server says that it knows of none."""
        if not self._lanes:
            raise SessionBroken("the server closed it")
        if not isinstance(message, Text | Synthesize):
            await self._lanes[-1].say(message)
            return
        request_id = message.request_id or uuid.uuid4().hex
        if isinstance(message, Text):
            self._texts.begun(request_id)
        await self._lanes[-1].begin(ResumableUtterance(request_id, message))

    # --- for whoever opens it

    async def begin(self) -> None:
        """Open the first link.

        Raises:
            PrimavoceError: there is none to be had.
        """
        lane = await self._opened_lane()
        if lane.failure is not None:
            raise lane.failure
        self._tasks.start_soon(self._open_in_time)

    def close(self) -> None:
        """Say that nobody speaks or listens any more."""
        self._push.close()
        self._frames.close()

    # --- for its lanes

    async def tell(self, event: ClientEvent) -> None:
        """Give the client an event; wait while it takes none."""
        try:
            await self._push.send(event.pcm if isinstance(event, Audio) else encode(event))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # it has left

    def lexicons(self) -> list[SetLexicon]:
        """Return how names are said, for a new link: each holds until the next, unless that is refused."""
        return self._lexicons.to_say

    def accept_lexicon(self, lexicon: SetLexicon) -> None:
        """Know that a server has taken a lexicon, if it wasn't refused."""
        self._lexicons.accepted(lexicon)

    def refuse_lexicon(self, request_id: str | None) -> bool:
        """Forget a lexicon that the server can't use, and return whether that is news."""
        return self._lexicons.refused(request_id)

    def ended(self, utterance: ResumableUtterance) -> None:
        """Know that an utterance has ended."""
        if not any(utterance.request_id in lane.utterances for lane in self._lanes):  # or else the id is used anew
            self._texts.ended(utterance.request_id)
        self._take_turns()

    def joined(self, lane: Lane) -> None:
        """Know that a lane's first link is open: it gets what the client says from now on."""
        if self._lanes:
            self._lanes[-1].retire()
        self._lanes.append(lane)
        self._take_turns()

    def soon(
        self, work: Callable[[ResumableUtterance], Coroutine[None, None, None]], utterance: ResumableUtterance
    ) -> None:
        """Do something of an utterance that nobody waits for."""
        self._tasks.start_soon(work, utterance)

    # --- within

    @property
    def _speaking(self) -> Lane:
        """The lane whose turn it is."""
        return next((lane for lane in self._lanes if lane.is_wanted or not lane.retired), self._lanes[-1])

    async def _opened_lane(self) -> Lane:
        lane = Lane(self._opener, self._policy, self)
        self._tasks.start_soon(self._run, lane)
        await lane.opened.wait()
        return lane

    async def _run(self, lane: Lane) -> None:
        await lane.run()
        if lane not in self._lanes:
            return  # it never opened
        if lane.failure is not None or lane is self._lanes[-1]:
            await lane.turn.wait()  # those before it still speak
        is_last = lane is self._lanes[-1]
        self._lanes.remove(lane)
        self._take_turns()
        if lane.failure is not None:
            self._failure = self._failure or lane.failure
            self._push.close()
        elif is_last:
            await self.tell(SessionComplete())
            self._push.close()

    def _take_turns(self) -> None:
        """Let the first lane speak, and those behind lanes that have nothing more to say."""
        for lane in self._lanes:
            lane.turn.set()
            if lane.is_wanted or not lane.retired:
                return

    async def _open_in_time(self) -> None:
        """Have another session before the last one ends."""
        while self._lanes:
            last = self._lanes[-1]
            due_at = last.next_due.at
            if due_at is None or self.closing:
                await last.changed.wait()
                continue
            with anyio.move_on_after(max(0.0, due_at - self._policy.clock())):
                await last.changed.wait()
                continue
            if last.next_due.at is None:
                continue
            lane = await self._opened_lane()
            if lane.failure is not None:
                log.warning("no other session in time: %s", lane.failure)
                last.next_due.at = None  # when this one ends, it is tried again
