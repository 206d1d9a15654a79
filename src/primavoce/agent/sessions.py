"""Who is being talked with: a conversation for each session id, bounded, and forgotten when nobody comes back."""

import time
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from weakref import WeakSet

import anyio

from primavoce.agent.answer import Answer
from primavoce.agent.conversation import Conversation
from primavoce.agent.turn import OpenSpeech, Speaking, Turn, answering
from primavoce.errors import Overloaded, UnknownRequest
from primavoce.protocol.agent import AnswerCancelled, Prompt

MAX_CONVERSATIONS = 256
CONVERSATION_IDLE_S = 900.0
"""Seconds after which a conversation that nobody has come back to may be forgotten."""


@dataclass(frozen=True, slots=True)
class Interruption:
    """An answer was stopped."""

    event: AnswerCancelled
    in_turn: bool
    """Whether the answer was under way, and its own events end with this one."""


class AgentSession:
    """One conversation, with at most one answer at a time: a prompt interrupts the answer before it.

    Args:
        conversation: Writes the answers.
        speech: Opens what speaks them.
        voice: Of prompts that name none.
        clock: Seconds.
    """

    def __init__(
        self, conversation: Conversation, speech: OpenSpeech, voice: str | None, clock: Callable[[], float]
    ) -> None:
        self._conversation = conversation
        self._voice = voice
        self._speech = speech
        self._clock = clock
        self._turn: Turn | None = None
        self._last: Answer | None = None
        self._one = anyio.Lock()
        self._prompts = 0
        self._waiting = 0
        self.used_at = clock()
        """When it was last of use, on ``clock``."""

    @property
    def busy(self) -> bool:
        """Whether an answer is under way, or about to be."""
        return self._waiting > 0

    @asynccontextmanager
    async def answering(self, prompt: Prompt) -> AsyncIterator[Turn]:
        """Answer ``prompt`` while the block runs; what is being answered is interrupted, and its end waited for."""
        self._prompts += 1
        ticket = self._prompts
        self._waiting += 1
        try:
            self._interrupt(prompt.played_s)
            async with self._one:
                how = Speaking(
                    mode="stream" if prompt.mode == "bidi" else prompt.mode,
                    voice=prompt.voice or self._voice,
                    speed=prompt.speed,
                    language=prompt.language,
                    sample_rate=None if prompt.sample_rate is None else int(prompt.sample_rate),
                    tells_words="words" in prompt.events,
                )
                request_id = prompt.request_id or uuid.uuid4().hex
                async with answering(
                    self._conversation, prompt.prompt, self._speech, how, request_id=request_id, clock=self._clock
                ) as turn:
                    self._turn, self._last = turn, turn.answer
                    if ticket != self._prompts:  # another prompt came while this one waited for its turn
                        turn.cancel()
                    try:
                        yield turn
                    finally:
                        self._turn = None
        finally:
            self._waiting -= 1
            self.used_at = self._clock()

    def cancel(self, *, request_id: str | None = None, played_s: float | None = None) -> "Interruption":
        """Stop an answer: the one under way, or the last, which may still be in the listener's ear.

        Args:
            request_id: The answer's; the last one's unless given.
            played_s: Seconds of its audio that were heard, if known.

        Raises:
            UnknownRequest: there is no such answer, or it was interrupted before.
        """
        last = self._last
        if last is None or (request_id is not None and request_id != last.request_id) or last.interrupted:
            raise UnknownRequest
        cancelled = None if self._turn is None else self._turn.cancel(played_s=played_s)
        if cancelled is not None:
            return Interruption(cancelled, in_turn=True)
        cancelled = last.cancel(played_s=played_s, now=self._clock())
        self._conversation.remember(cancelled.spoken_characters)
        return Interruption(cancelled, in_turn=False)

    def played(self, played_s: float, *, request_id: str | None = None) -> None:
        """Note how many seconds of an answer's audio were heard; what is said of others is no longer of use."""
        if self._last is not None and request_id in (None, self._last.request_id):
            self._last.played_s = played_s

    def _interrupt(self, played_s: float | None) -> None:
        """Stop the answer under way; one that has ended is cut short in memory where the listener says so."""
        last = self._last
        if self._turn is not None:
            self._turn.cancel(played_s=played_s)
        elif last is not None and not last.interrupted and played_s is not None and played_s < last.audio_s:
            self.cancel(played_s=played_s)


@dataclass(slots=True)
class AgentSessions:
    """All conversations of a process.

    A session id belongs to whoever began with it: others, by another API key, have a conversation of their own.
    """

    converse: Callable[[], Conversation]
    """Begins a conversation."""
    speech: OpenSpeech
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
            Overloaded: there are as many as there may be, and all are being answered.
        """
        key = (owner, session_id)
        self._forget_idle()
        session = self._sessions.get(key)
        if session is None:
            self._make_room()
            session = self._sessions[key] = self._begin()
        self._sessions.move_to_end(key)
        return session

    def passing(self) -> AgentSession:
        """Return a conversation that nobody can come back to, and that takes nobody's place."""
        session = self._begin()
        self._passing.add(session)
        return session

    def _begin(self) -> AgentSession:
        return AgentSession(self.converse(), self.speech, self.voice, self.clock)

    def _forget_idle(self) -> None:
        now = self.clock()
        for key in [
            key for key, session in self._sessions.items() if not session.busy and now - session.used_at > self.idle_s
        ]:
            del self._sessions[key]

    def _make_room(self) -> None:
        if len(self._sessions) < self.max_conversations:
            return
        for key, session in self._sessions.items():
            if not session.busy:
                del self._sessions[key]
                return
        raise Overloaded(self.max_conversations)
