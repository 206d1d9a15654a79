"""A place in a session's order, and the links that fill it, one after another."""

import logging

import anyio
from msgspec import UNSET, structs

from primavoce.client.link import Opener
from primavoce.client.resuming.below import LinkBelow
from primavoce.client.resuming.due import NextDue
from primavoce.client.resuming.policy import GIVEN_BACK, IN_GOOD_ORDER, OWN_PING, ResumePolicy
from primavoce.client.resuming.saying import Saying
from primavoce.client.resuming.shared import SharedByLanes
from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.errors import (
    InvalidLexicon,
    PrimavoceError,
    RequestFailed,
    SessionBroken,
    SessionError,
    SessionTimeout,
    UnknownRequest,
    lone_error,
)
from primavoce.protocol.client import Audio, ClientEvent, ClientSession
from primavoce.protocol.messages import (
    AnyClientMessage,
    Cancelled,
    Close,
    Error,
    Pong,
    SessionComplete,
    SynthesisComplete,
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
        """Those of which not all has been told, in order."""
        self.changed = anyio.Event()
        """Set, and replaced, when something has changed."""
        self._opener = opener
        self._policy = policy
        self._session = session
        self._saying = Saying(self.utterances, session)
        self._ending = anyio.Lock()
        self._failures = 0

    @property
    def is_wanted(self) -> bool:
        """Whether something waits for it."""
        return bool(self.utterances or self._saying.pings)

    @property
    def _unspoken(self) -> bool:
        """Whether it has utterances whose ending isn't known."""
        return any(not utterance.ended for utterance in self.utterances.values())

    # --- what the client says: it is the lane's at once, even if it waits to be said, for one that isn't wanted may end

    async def begin(self, utterance: ResumableUtterance) -> None:
        """Have one more utterance spoken."""
        self.utterances.pop(utterance.request_id, None)  # one that has ended, of which the client knows
        self.utterances[utterance.request_id] = utterance
        self._change()
        await self._saying.ask()

    async def add(self, utterance: ResumableUtterance, message: AnyClientMessage) -> None:
        """Take what the client says of one of its utterances."""
        await self._saying.add(utterance, message)
        if self._ending_here(utterance) is not None:
            self._session.soon(self._end_here, utterance)  # which the client is told of, and may not be reading now

    async def say(self, message: AnyClientMessage) -> None:
        """Take what the client says of none of its utterances."""
        self._change()
        await self._saying.say(message)

    def retire(self) -> None:
        """Give it no more utterances: it ends when it has spoken those that it has."""
        self.retired = True
        self._change()

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
            self.opened.set()

    async def _speak_over_one(self) -> None:
        """Speak over one link until it ends, and wait before the next if it ended badly.

        Raises:
            SessionError: another would be of no use.
        """
        try:
            async with self._opener() as link:
                try:
                    with lone_error(), LinkBelow(link, self._policy.silence_s) as below:
                        await self._speak_over(below)
                finally:
                    self._saying.link, self.next_due.at = None, None
        except SessionError as error:
            if self.opened.is_set() and not (self._unspoken or self._saying.pings):
                self._failures = 0
                return  # nobody has lost anything
            self._failures += 1
            can_go_on = all(utterance.can_go_on for utterance in self.utterances.values())
            if not (error.retryable and can_go_on):
                raise
            if self._failures >= self._policy.attempts:
                if self.turn.is_set() or not self.opened.is_set():
                    raise
                await self.turn.wait()  # nothing is lost before it: by then, there may be one to be had
                self._failures = 0
                return
            log.info("the session is opened anew: %s", error)
            if error.code not in IN_GOOD_ORDER:  # then somebody may be listening
                await self._policy.sleep(self._policy.pause_s(self._failures))

    async def _speak_over(self, below: LinkBelow) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(below.read)
            await self._saying.again(below, to_be_closed=self._to_be_closed, on_begin=self._begin_with_a_link)
            await self._end_here(*self.utterances.values())
            tasks.start_soon(self._close_when_done, tasks.cancel_scope)
            await self._listen(below, ClientSession(typed=below.typed))
            tasks.cancel_scope.cancel()

    def _begin_with_a_link(self) -> None:
        self.next_due.guess()
        if not self.opened.is_set():
            self._session.joined(self)
            self.opened.set()
        self._change()

    def _to_be_closed(self) -> bool:
        return self._session.closing and not self.retired

    async def _close_when_done(self, scope: anyio.CancelScope) -> None:
        """End a session that isn't needed any more in good order."""
        while self.is_wanted or not self.retired:
            await self.changed.wait()
        with anyio.move_on_after(self._policy.close_s):
            await self._saying.send(Close())
            await anyio.sleep_forever()
        scope.cancel()

    async def _listen(self, below: LinkBelow, protocol: ClientSession) -> None:
        while not protocol.complete and (frame := await self._next(below)) is not None:
            event = protocol.receive(frame)
            self._ends_in(event)  # which counts from now, whosever turn it is
            if not is_of_the_link(event):
                await self.turn.wait()
            await self._take(event)
            self._leave_what_is_given_back()
        if self._unspoken or (self._saying.pings and not (protocol.complete and self._session.closing)):
            raise below.failure

    async def _next(self, below: LinkBelow) -> str | bytes | None:
        """Return the next frame, or `None` when the link has ended.

        Raises:
            SessionTimeout: there is none, and no sign of life.
        """
        asked = False
        while True:
            with anyio.move_on_after(self._policy.silence_s):
                return await below.next()
            if not self.utterances:
                continue  # nobody waits for anything
            if asked:
                raise SessionTimeout("sign of life", self._policy.silence_s)
            asked = True
            await self._saying.ping()

    # --- what the server says

    async def _take(self, event: ClientEvent) -> None:
        match event:
            case SessionComplete():
                pass
            case Pong():
                self._saying.ponged()
                if event.request_id != OWN_PING and (ping := self._saying.pings.one_for(event)) is not None:
                    await self._session.tell(structs.replace(event, session_ends_in_s=UNSET))
                    self._saying.pings.answered(ping)
                    self._change()
            case Error(fatal=True):
                raise RequestFailed(event.code, event.message, retryable=event.retryable, request_id=event.request_id)
            case _:
                await self._take_of_utterance(event)

    async def _take_of_utterance(self, event: ClientEvent) -> None:
        if isinstance(event, Error) and event.code == InvalidLexicon.code:
            is_news = self._session.refuse_lexicon(event.request_id)
            if not is_news and event.request_id is not None:
                return  # another link's server has said so
        request_id = getattr(event, "request_id", None)
        utterance = None if request_id is None else self.utterances.get(request_id)
        if utterance is None:
            if isinstance(event, Error):
                await self._session.tell(event)
        elif isinstance(event, Error) and event.code == UnknownRequest.code:
            pass  # of one by the same name that has ended
        elif isinstance(event, Error) and event.code in GIVEN_BACK and self._may_be_asked_again(utterance):
            utterance.given_back = event
            self._saying.await_end_of(utterance)
            self._session.soon(self._end_here, utterance)  # if its cancel has crossed that
        else:
            if isinstance(event, Error | Cancelled):
                self._saying.await_end_of(utterance)
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
        if utterance.ended and self.utterances.get(utterance.request_id) is utterance:
            del self.utterances[utterance.request_id]
            self._session.ended(utterance)
            self._change()

    def _ending_here(self, utterance: ResumableUtterance) -> SynthesisComplete | Cancelled | None:
        if utterance.ended:
            return None
        return utterance.completed_here() or (None if self._saying.has(utterance) else utterance.cancelled_here())

    async def _end_here(self, *utterances: ResumableUtterance) -> None:
        """End those of which nothing more will come: all was delivered, or the client's cancel got lost."""
        async with self._ending:
            for utterance in utterances:
                if (ending := self._ending_here(utterance)) is not None:
                    await self._tell(utterance, *utterance.hear_here(ending))
        await self._saying.ask()  # for what has waited behind them

    def _ends_in(self, event: ClientEvent) -> None:
        seconds = event.session_ends_in_s if isinstance(event, Pong | SynthesisStart) else UNSET
        if seconds is not UNSET and self.next_due.tell(seconds):
            self._change()


def is_of_the_link(event: ClientEvent) -> bool:
    """Return whether ``event`` says something of the link itself, and is of no utterance, whosever turn it is."""
    return isinstance(event, Pong | SessionComplete) or (isinstance(event, Error) and event.fatal)
