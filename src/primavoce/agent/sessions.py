"""Who is being talked with: a conversation for each session id, bounded, and forgotten when nobody comes back."""

import time
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from weakref import WeakSet

import anyio

from primavoce.agent.answer import Answer
from primavoce.agent.conversation import Conversation
from primavoce.agent.overtaken import OvertakenTurn
from primavoce.agent.settings import CONVERSATION_IDLE_S, MAX_CONVERSATIONS
from primavoce.agent.turn import Speaking, Turn, answering
from primavoce.client import SpeechSession
from primavoce.errors import Draining, Overloaded, UnknownRequest
from primavoce.protocol.agent import AnswerCancelled, Prompt
from primavoce.server.lobby import Lobby

type SpeechFor = Callable[[str], SpeechSession]
"""Makes a session that is not yet entered, for an owner: phrases that are remembered for one are never told another."""


@dataclass(frozen=True, slots=True)
class Interruption:
    """An answer was stopped."""

    event: AnswerCancelled
    in_turn: bool
    """Whether the answer was under way, or waiting to be: its own events end with this one."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """A prompt that waits for the answer before it to stop."""

    request_id: str
    wait: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    """Cancelled when it is overtaken by another prompt, or by a cancel: it isn't asked then."""

    @property
    def overtaken(self) -> bool:
        """Whether it was."""
        return self.wait.cancel_called


class AgentSession:
    """One conversation, with at most one answer at a time: a prompt interrupts the answer before it.

    Args:
        conversation: Writes the answers.
        speech: Opens what speaks them.
        lobby: Counts who is being answered.
        owner: Whose conversation it is.
        voice: Of prompts that name none.
        clock: Seconds.
    """

    def __init__(
        self,
        conversation: Conversation,
        speech: SpeechFor,
        lobby: Lobby,
        *,
        owner: str,
        voice: str | None,
        clock: Callable[[], float],
    ) -> None:
        self._conversation = conversation
        self._speech = speech
        self._lobby = lobby
        self._owner = owner
        self._voice = voice
        self._clock = clock
        self._turn: Turn | None = None
        self._last: Answer | None = None
        self._one = anyio.Lock()
        self._waiting: list[_Waiting] = []
        self._holders = 0
        self.used_at = clock()
        """When it was last of use, on ``clock``."""

    @property
    def busy(self) -> bool:
        """Whether an answer is under way, or about to be."""
        return self._one.locked() or bool(self._waiting)

    @property
    def held(self) -> bool:
        """Whether it must not be forgotten: it is busy, or a socket is open for it."""
        return self.busy or self._holders > 0

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Keep it from being forgotten while the block runs."""
        self._holders += 1
        try:
            yield
        finally:
            self._holders -= 1
            self.used_at = self._clock()

    @asynccontextmanager
    async def answering(self, prompt: Prompt) -> AsyncIterator[Turn | OvertakenTurn]:
        """Answer ``prompt`` while the block runs; what is being answered is interrupted, and its end waited for.

        A prompt that another one, or a cancel, overtakes meanwhile ends as cancelled at once, and isn't asked. When the
        process is to leave and there is no more time, the answer ends with `Draining`.

        Args:
            prompt: What is asked.

        Raises:
            Draining: the process is leaving; what is being answered goes on.
            Overloaded: as many are being answered as may be.
        """
        if self._lobby.draining:
            raise Draining
        self._interrupt(prompt.played_s)
        waiting = _Waiting(prompt.request_id or uuid.uuid4().hex)
        async with AsyncExitStack() as stack:
            with waiting.wait:
                await self._wait(waiting, stack)
            try:
                if waiting.overtaken:
                    yield OvertakenTurn(waiting.request_id, clock=self._clock)
                else:
                    # An answer's place in the lobby is free before the next one of its conversation needs it.
                    stack.enter_context(self._lobby.visit(cut=self._cut))
                    yield await stack.enter_async_context(self._turned(prompt, waiting.request_id))
            finally:
                self.used_at = self._clock()

    async def _wait(self, waiting: _Waiting, stack: AsyncExitStack) -> None:
        """Wait until ``waiting`` is the one that is answered; ``stack`` says when it has been."""
        self._waiting.append(waiting)
        try:
            await stack.enter_async_context(self._one)
        finally:
            self._waiting.remove(waiting)

    def _cut(self) -> None:
        if self._turn is not None:
            self._turn.cut(Draining())

    @asynccontextmanager
    async def _turned(self, prompt: Prompt, request_id: str) -> AsyncIterator[Turn]:
        how = Speaking(
            mode="stream" if prompt.mode == "bidi" else prompt.mode,
            voice=prompt.voice or self._voice,
            speed=prompt.speed,
            language=prompt.language,
            sample_rate=None if prompt.sample_rate is None else int(prompt.sample_rate),
            tells_words="words" in prompt.events,
        )
        async with answering(
            self._conversation,
            prompt.prompt,
            lambda: self._speech(self._owner),
            how,
            request_id=request_id,
            clock=self._clock,
        ) as turn:
            self._turn, self._last = turn, turn.answer
            try:
                yield turn
            finally:
                self._turn = None

    def cancel(self, *, request_id: str | None = None, played_s: float | None = None) -> Interruption:
        """Stop an answer: one that waits, the one under way, or the last, which may still be in the listener's ear.

        Args:
            request_id: The answer's; the one that was asked for last, unless given.
            played_s: Seconds of its audio that were heard, if known.

        Raises:
            UnknownRequest: there is no such answer, or it was interrupted before.
        """
        for waiting in reversed(self._waiting):
            if request_id in (None, waiting.request_id) and not waiting.overtaken:
                waiting.wait.cancel()
                return Interruption(_unheard(waiting.request_id), in_turn=True)
        last = self._last
        if last is None or request_id not in (None, last.request_id) or last.interrupted:
            raise UnknownRequest
        return self._stop(last, played_s)

    def played(self, played_s: float, *, request_id: str | None = None) -> None:
        """Note how many seconds of an answer's audio were heard; what is said of others is no longer of use."""
        if self._last is not None and request_id in (None, self._last.request_id):
            self._last.played(played_s, now=self._clock())

    def _stop(self, last: Answer, played_s: float | None) -> Interruption:
        turn = self._turn
        if turn is not None and turn.answer is last and (told := turn.cancel(played_s=played_s)) is not None:
            return Interruption(told, in_turn=True)
        told = last.cancel(played_s=played_s, now=self._clock())
        self._conversation.remember(told.spoken_characters)
        return Interruption(told, in_turn=False)

    def _interrupt(self, played_s: float | None) -> None:
        """Stop what is under way or waits; what has ended is cut short in memory where the listener says so."""
        for waiting in self._waiting:
            waiting.wait.cancel()
        last = self._last
        if last is None or last.interrupted:
            return
        under_way = self._turn is not None and self._turn.answer is last and self._turn.unread
        heard_s = last.reported_s(self._clock()) if played_s is None else played_s
        in_the_ear = heard_s is not None and heard_s < last.audio_s
        if under_way or in_the_ear:
            self._stop(last, played_s)


def _unheard(request_id: str) -> AnswerCancelled:
    return AnswerCancelled(request_id=request_id, spoken_text="", spoken_characters=0, audio_sent_s=0.0)


@dataclass(slots=True)
class AgentSessions:
    """All conversations of a process.

    A session id belongs to whoever began with it: others, by another API key, have a conversation of their own.
    """

    converse: Callable[[], Conversation]
    """Begins a conversation."""
    speech: SpeechFor
    lobby: Lobby
    """Counts who is being answered."""
    voice: str | None = None
    """Of prompts that name none; what speaks chooses unless given."""
    max_conversations: int = MAX_CONVERSATIONS
    idle_s: float = CONVERSATION_IDLE_S
    clock: Callable[[], float] = time.monotonic
    _sessions: OrderedDict[tuple[str, str], AgentSession] = field(default_factory=OrderedDict)
    """The one that was used last comes last."""
    _passing: WeakSet[AgentSession] = field(default_factory=WeakSet)
    """Those that end with their request or their socket."""

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def busy(self) -> bool:
        """Whether anybody is being answered."""
        return any(session.busy for session in (*self._sessions.values(), *self._passing))

    def session(self, session_id: str, *, owner: str = "") -> AgentSession:
        """Return the conversation of ``session_id``, a new one if there is none.

        Raises:
            Overloaded: there are as many as there may be, and somebody is there in each.
        """
        key = (owner, session_id)
        self._forget_idle()
        session = self._sessions.get(key)
        if session is None:
            self._make_room()
            session = self._sessions[key] = self._begin(owner)
        self._sessions.move_to_end(key)
        return session

    def find(self, session_id: str | None, *, owner: str = "") -> AgentSession | None:
        """Return the conversation of ``session_id`` if there is one."""
        return None if session_id is None else self._sessions.get((owner, session_id))

    def passing(self, *, owner: str = "") -> AgentSession:
        """Return a conversation that nobody can come back to, and that takes nobody's place."""
        session = self._begin(owner)
        self._passing.add(session)
        return session

    def _begin(self, owner: str) -> AgentSession:
        return AgentSession(self.converse(), self.speech, self.lobby, owner=owner, voice=self.voice, clock=self.clock)

    def _forget_idle(self) -> None:
        now = self.clock()
        idle = [key for key, each in self._sessions.items() if not each.held and now - each.used_at > self.idle_s]
        for key in idle:
            del self._sessions[key]

    def _make_room(self) -> None:
        if len(self._sessions) < self.max_conversations:
            return
        for key, session in self._sessions.items():
            if not session.held:
                del self._sessions[key]
                return
        raise Overloaded(self.max_conversations)
