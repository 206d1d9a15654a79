"""A place in a session's order, and the links that fill it, one after another."""

import logging
from collections import deque

import anyio
from msgspec import UNSET, structs

from primavoce.client.link import Opener, SessionLink
from primavoce.client.resuming.due import NextDue
from primavoce.client.resuming.frames import Frames
from primavoce.client.resuming.policy import GIVEN_BACK, IN_GOOD_ORDER, OWN_PING, ResumePolicy
from primavoce.client.resuming.shared import SharedByLanes
from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.errors import (
    InvalidLexicon,
    PrimavoceError,
    RequestFailed,
    SessionBroken,
    SessionError,
    SessionTimeout,
    lone_error,
)
from primavoce.protocol.client import Audio, ClientEvent, ClientSession
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import (
    AnyClientMessage,
    Close,
    Error,
    Ping,
    Pong,
    SecondsLeft,
    SessionComplete,
    SynthesisStart,
)

log = logging.getLogger("primavoce.client")


class Lane:
    """A place in the order.

    Args:
        opener: Opens its links.
        policy: How long to go on.
        session: Whose it is.
    """

    def __init__(self, opener: Opener, policy: ResumePolicy, session: SharedByLanes) -> None:
        self.turn = anyio.Event()
        """Set when all that comes before it is spoken."""
        self.opened = anyio.Event()
        """Set when its first link is open, or won't be."""
        self.failure: PrimavoceError | None = None
        """Why it was given up."""
        self.retired = False
        """Whether it gets no more utterances."""
        self.next_due = NextDue(policy)
        """When another session should be opened."""
        self.utterances: dict[str, ResumableUtterance] = {}
        self.changed = anyio.Event()
        """Set, and replaced, when something has changed."""
        self._opener = opener
        self._policy = policy
        self._session = session
        self._link: SessionLink | None = None
        self._saying = anyio.Lock()
        self._pings: deque[Ping] = deque()
        """The client's, that wait for their pongs."""
        self._failures = 0

    @property
    def is_wanted(self) -> bool:
        """Whether something waits for it."""
        return bool(self.utterances or self._pings)

    # --- what the client says

    async def begin(self, utterance: ResumableUtterance) -> None:
        """Have one more utterance spoken."""
        async with self._saying:
            self.utterances[utterance.request_id] = utterance
            self._change()
            if self._link is not None:
                await self._send(*utterance.asking())

    async def add(self, utterance: ResumableUtterance, message: AnyClientMessage) -> None:
        """Take what the client says of one of its utterances."""
        async with self._saying:
            await self._send(*utterance.say(message))
        await self._end_here(utterance)

    async def say(self, message: AnyClientMessage) -> None:
        """Take what the client says of none of its utterances."""
        async with self._saying:
            if isinstance(message, Ping):
                self._pings.append(message)
                message = self._in_attempt(message)
            self._change()
            await self._send(message)

    def _in_attempt(self, ping: Ping) -> Ping:
        """Return ``ping`` in the time of what is being asked for."""
        known = self.utterances.get(ping.request_id or "") or next(iter(self.utterances.values()), None)
        return ping if known is None else Ping(ping.request_id, known.played_in_attempt(ping.played_s))

    def retire(self) -> None:
        """Give it no more utterances: it ends when it has spoken those that it has."""
        self.retired = True
        self._change()

    async def _send(self, *messages: AnyClientMessage) -> None:
        """Send what a link takes, if there is one; what it doesn't is said again on the next."""
        try:
            for message in messages:
                if self._link is not None:
                    await self._link.send(encode(message))
        except SessionError as error:
            log.debug("a message was not taken: %s", error)  # whoever listens to the link will know why

    def _change(self) -> None:
        self.changed.set()
        self.changed = anyio.Event()

    # --- its links

    async def run(self) -> None:
        """Have its utterances spoken, over as many links as it takes; it has ended, or failed, when this returns."""
        try:
            while not self.opened.is_set() or self.is_wanted:
                await self._speak_over_one()
                await self._end_here(*self.utterances.values())
                while self.opened.is_set() and not (self.is_wanted or self.retired or self._session.closing):
                    await self.changed.wait()
        except PrimavoceError as error:
            self.failure = error
        finally:
            self._link, self.next_due.at = None, None
            self.opened.set()

    async def _speak_over_one(self) -> None:
        """Speak over one link until it ends, and wait before the next if it ended badly.

        Raises:
            SessionError: another would be of no use.
        """
        try:
            async with self._opener() as link:
                with lone_error():
                    await self._speak_over(link)
        except SessionError as error:
            if self.opened.is_set() and not self.is_wanted:
                self._failures = 0
                return  # nobody has lost anything
            self._failures += 1
            can_go_on = all(utterance.can_go_on for utterance in self.utterances.values())
            if not (error.retryable and can_go_on) or self._failures >= self._policy.attempts:
                raise
            log.info("the session is opened anew: %s", error)
            if error.code not in IN_GOOD_ORDER:  # then somebody may be listening
                await self._policy.sleep(self._policy.pause_s(self._failures))
        finally:
            self._link, self.next_due.at = None, None

    async def _speak_over(self, link: SessionLink) -> None:
        with Frames(link) as frames:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(frames.read)
                try:
                    with anyio.fail_after(self._policy.silence_s):
                        await self._say_again(link)
                except TimeoutError:
                    raise SessionTimeout("room for a message", self._policy.silence_s) from None
                await self._end_here(*self.utterances.values())
                tasks.start_soon(self._close_when_done, tasks.cancel_scope)
                await self._listen(frames, ClientSession(typed=link.typed))
                tasks.cancel_scope.cancel()

    async def _say_again(self, link: SessionLink) -> None:
        """Say on a new link what isn't spoken yet."""
        async with self._saying:
            self._link = link
            self.next_due.guess()
            self.opened.set()
            self._change()
            if (lexicon := self._session.lexicon()) is not None:
                await self._send(lexicon)
            for utterance in list(self.utterances.values()):  # while a message waits, one may end
                if not utterance.ended:
                    await self._send(*utterance.asking())
            pings = [self._in_attempt(ping) for ping in self._pings]
            await self._send(Ping(OWN_PING), *pings)  # the first for how long the session lasts
            if self._session.closing and not self.retired:
                await self._send(Close())

    async def _close_when_done(self, scope: anyio.CancelScope) -> None:
        """End a session that isn't needed any more in good order."""
        while self.is_wanted or not self.retired:
            await self.changed.wait()
        with anyio.move_on_after(self._policy.close_s):
            await self._send(Close())
            await anyio.sleep_forever()
        scope.cancel()

    async def _listen(self, frames: Frames, protocol: ClientSession) -> None:
        while not protocol.complete and (frame := await self._next(frames)) is not None:
            event = protocol.receive(frame)
            await self.turn.wait()
            await self._take(event)
            self._leave_what_is_given_back()
        if self.is_wanted and not (protocol.complete and self._session.closing):
            raise frames.failure

    async def _next(self, frames: Frames) -> str | bytes | None:
        """Return the next frame, or `None` when the link has ended.

        Raises:
            SessionTimeout: there is none, and no sign of life.
        """
        asked = False
        while True:
            with anyio.move_on_after(self._policy.silence_s):
                return await frames.next()
            if not self.utterances:
                continue  # nobody waits for anything
            if asked:
                raise SessionTimeout("sign of life", self._policy.silence_s)
            asked = True
            with anyio.move_on_after(self._policy.silence_s):
                async with self._saying:
                    await self._send(Ping(OWN_PING))

    # --- what the server says

    async def _take(self, event: ClientEvent) -> None:
        match event:
            case SessionComplete():
                pass
            case Pong():
                self._ends_in(event.session_ends_in_s)
                if event.request_id != OWN_PING and self._pings:
                    self._pings.popleft()
                    self._change()
                    await self._session.tell(structs.replace(event, session_ends_in_s=UNSET))
            case Error(fatal=True):
                raise RequestFailed(event.code, event.message, retryable=event.retryable, request_id=event.request_id)
            case _:
                await self._take_of_utterance(event)

    async def _take_of_utterance(self, event: ClientEvent) -> None:
        if isinstance(event, SynthesisStart):
            self._ends_in(event.session_ends_in_s)
        if isinstance(event, Error) and event.code == InvalidLexicon.code:
            self._session.refuse_lexicon(event.request_id)
        request_id = getattr(event, "request_id", None)
        utterance = None if request_id is None else self.utterances.get(request_id)
        if utterance is None:
            if isinstance(event, Error):
                await self._session.tell(event)
        elif isinstance(event, Error) and event.code in GIVEN_BACK and self._may_be_asked_again(utterance):
            utterance.given_back = event
        else:
            await self._tell(utterance, *utterance.hear(event))
            if utterance.lost_its_place:
                raise SessionBroken("what was to be gone on from was not said again")

    def _leave_what_is_given_back(self) -> None:
        """Leave the link when what is in its turn is given back; those before it are still spoken here, none after.

        Raises:
            RequestFailed: it is.
        """
        refusal = next((each.given_back for each in self.utterances.values() if not each.ended), None)
        if refusal is not None:
            raise RequestFailed(refusal.code, refusal.message, retryable=True, request_id=refusal.request_id)

    def _may_be_asked_again(self, utterance: ResumableUtterance) -> bool:
        utterance.refusals += 1
        return utterance.refusals < self._policy.attempts and utterance.can_go_on

    async def _tell(self, utterance: ResumableUtterance, *events: ClientEvent) -> None:
        for event in events:
            if isinstance(event, Audio):
                self._failures = 0
            await self._session.tell(event)
        if utterance.ended and self.utterances.pop(utterance.request_id, None) is not None:
            self._session.ended(utterance)
            self._change()

    async def _end_here(self, *utterances: ResumableUtterance) -> None:
        """End those of which nothing more will come: all was delivered, or the client's cancel got lost."""
        for utterance in (each for each in utterances if not each.ended):
            ending = utterance.completed_here() or (utterance.cancelled_here() if self._link is None else None)
            if ending is not None:
                await self._tell(utterance, *utterance.hear_here(ending))

    def _ends_in(self, seconds: SecondsLeft) -> None:
        if seconds is not UNSET and self.next_due.tell(seconds):
            self._change()
