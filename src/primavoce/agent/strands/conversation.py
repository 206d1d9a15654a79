"""Any Strands agent as a conversation: `StrandsConversation`."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from strands.types.exceptions import ConcurrencyException, MaxTokensReachedException

from primavoce.agent.conversation import FLUSH, Piece
from primavoce.agent.strands.failures import agent_error, what_it_was
from primavoce.agent.strands.history import WrittenMessage, keep, mend, written
from primavoce.errors import AgentBusy, AgentError, ModelFailed, lone_error

if TYPE_CHECKING:
    from strands import Agent

STOP_WITHIN_S = 5.0
"""Seconds that a model may take to stop; after that, what runs it is cancelled and what it does is its own affair."""
PIECES_AHEAD = 256
"""Pieces that wait to be taken; an agent that is further ahead waits."""
PAUSED = frozenset({"interrupt", "checkpoint"})
"""Why an agent stops in order to go on later, from a history that has no ending yet."""

log = logging.getLogger("primavoce.agent")


class StrandsConversation:
    """A Strands agent whose answers can be spoken; see `primavoce.agent.conversation.Conversation`.

    Of what the agent tells, the text of its answer leaves, and nothing else: no reasoning, no tools, no prompts.

    One agent writes one answer at a time: while one is being written, `answering` raises `AgentBusy` at once, as it
    does when somebody else is using the agent. So each session needs an agent of its own.

    An answer that reaches the model's limit of tokens ends there like any other. After an interruption or a failure,
    the history is put in order in `Agent.messages`; a session manager of Strands' has stored each message as it was
    when it was added.

    Args:
        agent: It; made with ``callback_handler=None``, or else Strands prints what it writes.
        stop_within_s: Seconds that its model may take to stop.
    """

    def __init__(self, agent: "Agent", *, stop_within_s: float = STOP_WITHIN_S) -> None:
        self._agent = agent
        self._stop_within_s = stop_within_s
        self._writing: _Writing | None = None

    @asynccontextmanager
    async def answering(self, prompt: str) -> AsyncIterator[AsyncIterator[Piece]]:
        """Answer ``prompt`` while the block runs; iterate the value for the answer's pieces.

        The block ends when the agent has stopped, which leaving it early makes it do.

        Raises:
            AgentBusy: the agent is writing already.
            AgentError: it fails; from the iteration.
        """
        if self._writing is not None and self._writing.is_live:
            raise AgentBusy
        writing = self._writing = _Writing(self._agent)
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(writing.run, prompt)
                try:
                    yield writing
                finally:
                    # Strands' stream is never closed half-way: the prompt would stay without an answer.
                    with anyio.CancelScope(shield=True):
                        await writing.stop(self._stop_within_s)

    def interrupt(self) -> None:
        """Have the answer that is being written stop; its iteration ends at once."""
        if self._writing is not None:
            self._writing.interrupt()

    def remember(self, characters: int) -> None:
        """Keep in the history the first ``characters`` of all deltas of the last answer, also after it has ended.

        Where nothing was heard, a note says so. Tools that were called stay.
        """
        if self._writing is not None:
            self._writing.remember(characters)


class _Writing:
    """An answer that is being written, as the iterator of its pieces."""

    def __init__(self, agent: "Agent") -> None:
        self.is_live = True
        self._agent = agent
        self._send, self._pieces = anyio.create_memory_object_stream[Piece](PIECES_AHEAD)
        # Shielded, so that it is left to `stop` when and how the agent stops.
        self._scope = anyio.CancelScope(shield=True)
        self._ended = anyio.Event()
        self._has_begun = False
        self._interrupted = False
        self._failure: AgentError | None = None
        self._stop_reason = ""
        self._before = agent.messages[-1] if agent.messages else None
        self._written: list[WrittenMessage] = []
        self._unkept = ""
        """What was written since the last message of the history."""
        self._unspoken = False
        """Whether something was written since the last flush."""
        self._taken = 0
        """Characters that the iteration has given out."""
        self._heard: int | None = None

    # --- for whoever speaks it

    def __aiter__(self) -> AsyncIterator[Piece]:
        return self

    async def __anext__(self) -> Piece:
        try:
            piece = await self._pieces.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            piece = None
        if self._interrupted:
            raise StopAsyncIteration
        if piece is None:
            if self._failure is not None:
                raise self._failure
            raise StopAsyncIteration
        self._taken += len(piece) if isinstance(piece, str) else 0
        return piece

    def interrupt(self) -> None:
        if self.is_live and not self._interrupted:
            self._interrupted = True
            self._send.close()
            if self._has_begun:  # or else whoever is using the agent now would be stopped
                self._agent.cancel()

    async def stop(self, within_s: float) -> None:
        """Return when nothing is written any more."""
        self.interrupt()
        self._pieces.close()
        with anyio.move_on_after(within_s):
            await self._ended.wait()
        if not self._ended.is_set():
            log.warning("the model did not stop within %g s and is left alone", within_s)
            self._scope.cancel()

    def remember(self, characters: int) -> None:
        self._heard = characters
        if not self.is_live:
            keep(self._written, characters)

    # --- for the agent's task

    async def run(self, prompt: str) -> None:
        """Have the agent write, all in one task: its traces are bound to it."""
        try:
            with self._scope:
                async for event in self._agent.stream_async(prompt):
                    if not self._has_begun:
                        self._has_begun = True
                        if self._interrupted:
                            self._agent.cancel()
                    await self._take(event)
        except MaxTokensReachedException:
            log.info("the answer ends at the model's limit of tokens")
        except ConcurrencyException as error:
            self._stop_reason = "interrupt"  # the history is somebody else's now
            self._failure = agent_error(error)
        except Exception as error:  # the agent's model, tools and hooks may raise anything
            self._failure = agent_error(error)
            if isinstance(self._failure, ModelFailed):
                log.exception("the agent failed")
            else:  # nobody's bug: no trace
                log.error("%s (%s)", self._failure, what_it_was(error))  # noqa: TRY400
        finally:
            # Without a pause in which an interruption could reach an agent that has ended: it would stop the next one.
            self.is_live = False
            self._tidy()
            self._send.close()
            self._ended.set()

    async def _take(self, event: Mapping[str, Any]) -> None:
        """Pass on what an event says to a listener; events hold much more, the system prompt for example."""
        match event:
            case {"data": str(text)} if text:
                self._unkept += text
                self._unspoken = True
                await self._tell(text)
            case {"event": {"contentBlockStop": _} | {"messageStop": _}} if self._unspoken:
                self._unspoken = False
                await self._tell(FLUSH)
            case {"message": {"role": "assistant"} as message}:
                self._written.append(written(message, self._unkept))
                self._unkept = ""
            case {"result": result}:
                self._stop_reason = str(getattr(result, "stop_reason", ""))
            case _:
                pass

    async def _tell(self, piece: Piece) -> None:
        try:
            await self._send.send(piece)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # nobody listens any more; the agent is stopping

    def _tidy(self) -> None:
        """Put the history in order."""
        messages = self._agent.messages
        if self._stop_reason in PAUSED or not messages or messages[-1] is self._before:
            return
        if self._stop_reason == "cancelled" and self._written and messages[-1] is self._written[-1].message:
            last = self._written.pop()  # its text is Strands' own: "Cancelled by user"
            self._written.append(written(last.message, last.text, is_note=True))
        if (added := mend(messages, self._unkept)) is not None:
            self._written.append(added)
        heard = self._heard
        if heard is None:
            heard = self._taken if self._interrupted else sum(len(each.text) for each in self._written)
        keep(self._written, heard)
