"""A turn: a prompt is answered, and the answer is spoken while it is written.

The shell round `primavoce.agent.answer`: one task takes what the conversation writes, one gives it to the speech
session, one takes what is spoken. The session is opened before the first sentence exists.
"""

import logging
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from primavoce.agent.answer import Answer
from primavoce.agent.conversation import Conversation, Flush, Piece
from primavoce.client import SpeechSession
from primavoce.client.utterance import SpokenUtterance
from primavoce.errors import (
    AgentError,
    InvalidRequest,
    ModelFailed,
    PrimavoceError,
    RequestFailed,
    SpeechUnavailable,
    lone_error,
)
from primavoce.protocol.agent import ENDINGS, AnswerCancelled, AnswerFailed, AnyAgentEvent, Mode
from primavoce.protocol.client import Audio

EVENTS_AHEAD = 64
"""Events that wait to be read; a megabyte of audio at most. Whoever writes and whoever speaks wait then."""
PIECES_AHEAD = 256
"""Pieces of text that wait for the speech session to be open; it takes them as they come."""

log = logging.getLogger("primavoce.agent")

type OpenSpeech = Callable[[], SpeechSession]
"""Makes a session that is not yet entered; a new one for each turn, since an open one counts as load."""


@dataclass(frozen=True, slots=True)
class Speaking:
    """How an answer is spoken; the server's defaults unless given."""

    mode: Mode = "stream"
    voice: str | None = None
    speed: float | None = None
    language: str | None = None
    sample_rate: int | None = None
    """Hertz."""
    tells_words: bool = False
    """Whether the listener is told when each word is heard."""


class Turn:
    """An answer under way; iterate it for its events, the last of which ends it. It is to be had from `answering`."""

    def __init__(
        self, answer: Answer, conversation: Conversation, speech: OpenSpeech, how: Speaking, clock: Callable[[], float]
    ) -> None:
        self.answer = answer
        self._conversation = conversation
        self._speech = speech
        self._how = how
        self._clock = clock
        self._out, self._events = anyio.create_memory_object_stream[AnyAgentEvent](EVENTS_AHEAD)
        self._to_speak, self._pieces = anyio.create_memory_object_stream[Piece](PIECES_AHEAD)
        self._work = anyio.CancelScope()
        self._interruption: AnswerCancelled | AnswerFailed | None = None
        self._asked = False
        self._ending_read = False
        self._over = False

    # --- for whoever listens

    @property
    def unread(self) -> bool:
        """Whether its ending hasn't been read."""
        return not self._ending_read

    def __aiter__(self) -> AsyncIterator[AnyAgentEvent]:
        return self

    async def __anext__(self) -> AnyAgentEvent:
        """Return the next event; what is still queued when the answer is interrupted is left out."""
        event: AnyAgentEvent | None = None
        if self._interruption is None and not self._over:
            try:
                event = await self._events.receive()
            except anyio.EndOfStream:
                pass
        if self._over:
            raise StopAsyncIteration
        event = self._interruption or event
        if event is None:
            raise StopAsyncIteration
        if isinstance(event, ENDINGS):
            self._over = self._ending_read = True
            self._events.close()
        return event

    def cancel(self, *, played_s: float | None = None) -> AnswerCancelled | None:
        """Stop the answer: its next event is its last, and says what was heard.

        Args:
            played_s: Seconds of its audio that the listener has heard, if known.

        Returns:
            That event; `None` where the answer's ending has been read.
        """
        if self._over:
            return None
        event = self.answer.cancel(played_s=played_s, now=self._clock())
        self._stop(event)
        return event

    def cut(self, error: PrimavoceError) -> None:
        """Stop the answer because of ``error``: its next event is its last, and tells it."""
        if not self._over:
            self._stop(self.answer.fail(error))

    def _stop(self, ending: AnswerCancelled | AnswerFailed) -> None:
        self._interruption = ending
        self._conversation.interrupt()
        self._out.close()
        self._work.cancel()

    def close(self) -> None:
        """Say that nobody listens any more."""
        self._over = True
        self._events.close()

    def settle(self) -> None:
        """Have the conversation remember what was heard; once nothing of the answer is written any more."""
        if self._asked and self.answer.outcome != "complete":
            self._conversation.remember(self.answer.heard)

    # --- within

    async def run(self, prompt: str) -> None:
        """Answer ``prompt``, until the answer has ended and nothing writes any more."""
        failure: PrimavoceError | None = None
        try:
            with self._work, lone_error():
                async with anyio.create_task_group() as tasks:
                    await self._tell([self.answer.begin()])
                    tasks.start_soon(self._write, prompt)
                    await self._speak()
        except (AgentError, InvalidRequest, RequestFailed) as error:
            failure = error
        except PrimavoceError as error:
            # Its sentence is for the operator: it may name a server.
            log.error("speech failed: %s", error)  # noqa: TRY400 - a sentence of ours says all
            failure = SpeechUnavailable()
        finally:
            self._pieces.close()
            self._to_speak.close()
        if failure is not None and not self.answer.ended:
            await self._tell([self.answer.fail(failure)])
        self._out.close()

    async def _tell(self, events: Sequence[AnyAgentEvent]) -> None:
        for event in events:
            try:
                await self._out.send(event)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return  # it was interrupted, or nobody listens any more

    async def _write(self, prompt: str) -> None:
        """Tell what the conversation writes, and pass it on to be spoken."""
        async with self._to_speak:
            try:
                async with self._conversation.answering(prompt) as pieces:
                    self._asked = True
                    async for piece in pieces:
                        if isinstance(piece, str):
                            await self._tell(self.answer.write(piece, now=self._clock()))
                        if piece:
                            await self._to_speak.send(piece)
            except PrimavoceError:
                raise
            except Exception as error:  # whatever a conversation of somebody else's making may raise
                log.exception("the conversation failed")
                raise ModelFailed from error
            self.answer.text_complete(now=self._clock())

    async def _speak(self) -> None:
        how = self._how
        async with self._pieces, self._speech() as session:
            self.answer.speech_open(now=self._clock())
            async with session.utterance(
                voice=how.voice,
                speed=how.speed,
                language=how.language,
                sample_rate=how.sample_rate,
                events=("segments", "words"),
            ) as utterance:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._hear, utterance)
                    if not await self._say(utterance):
                        tasks.cancel_scope.cancel()  # nothing will come
            await self._tell([self.answer.complete(now=self._clock())])
            self._out.close()

    async def _say(self, utterance: SpokenUtterance) -> bool:
        """Give the pieces to ``utterance``, and return whether there was anything to say."""
        held, said = "", False
        async for piece in self._pieces:
            if isinstance(piece, Flush):
                if said and self._how.mode == "stream":
                    await utterance.flush()
                continue
            held += piece
            # White space alone can't be spoken, and mustn't be lost either: places in the text count from its start.
            if self._how.mode == "stream" and (said or held.strip()):
                await utterance.send(held)
                held, said = "", True
        if held.strip():
            await utterance.send(held)
            said = True
        if said:
            await utterance.end()
        return said

    async def _hear(self, utterance: SpokenUtterance) -> None:
        came_s = 0.0
        async for event in utterance:
            await self._tell(self.answer.spoken(event, now=self._clock()))
            if self._how.mode == "batch" and isinstance(event, Audio) and utterance.started is not None:
                # Kept, not played: the server mustn't wait for anybody to hear it.
                came_s += len(event.pcm) / utterance.started.sample_width / utterance.started.sample_rate
                await utterance.played(came_s)


@asynccontextmanager
async def answering(
    conversation: Conversation,
    prompt: str,
    speech: OpenSpeech,
    how: Speaking | None = None,
    *,
    request_id: str | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Turn]:
    """Answer ``prompt`` and speak the answer while the block runs; iterate the value for its events.

    Leaving the block before the answer has ended interrupts it; the conversation then remembers what was heard. The
    block ends when nothing of the answer is written any more.

    Args:
        conversation: Writes the answer.
        prompt: What was asked.
        speech: Opens what speaks it.
        how: How to speak it.
        request_id: What its events carry; made unless given.
        clock: Seconds.
    """
    how = Speaking() if how is None else how
    answer = Answer(request_id or uuid.uuid4().hex, how.mode, tells_words=how.tells_words, now=clock())
    turn = Turn(answer, conversation, speech, how, clock)
    try:
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(turn.run, prompt)
                try:
                    yield turn
                finally:
                    turn.cancel()
                    turn.close()
    finally:
        turn.settle()
