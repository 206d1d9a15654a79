"""Prompts and answers over one socket, interruptions included."""

import time
from collections.abc import Callable
from functools import partial

import anyio
import structlog
from anyio.abc import TaskGroup, TaskStatus
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from primavoce.agent.reporting import report
from primavoce.agent.sessions import AgentSession
from primavoce.agent.stream import failed
from primavoce.errors import InvalidRequest, MessageTooLarge, Unavailable, lone_error
from primavoce.protocol.agent import (
    AgentPing,
    AgentPong,
    AnyAgentEvent,
    AnyAgentMessage,
    AudioChunk,
    CancelAnswer,
    Played,
    Prompt,
)
from primavoce.protocol.agent_codec import decode_agent, encode_event
from primavoce.protocol.codec import Rejected
from primavoce.protocol.rate import TokenBucket
from primavoce.settings import Settings

CLOSE_S = 2.0
"""Seconds that the other side has to take part in the closing of the socket."""
REPLIES_AHEAD = 64
"""Replies that wait for the socket to be free; then no more messages are read."""

log = structlog.get_logger("primavoce.agent")


class ReaderLost(Exception):
    """The listener has left, or has taken nothing for too long."""


class AgentSocket:
    """One listener on a socket.

    Args:
        socket: Not yet accepted.
        session: Their conversation.
        session_id: For the log.
        settings: Patience, and how many messages are read, how large.
        clock: Seconds.
    """

    def __init__(
        self,
        socket: WebSocket,
        session: AgentSession,
        *,
        session_id: str,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._socket = socket
        self._session = session
        self._session_id = session_id
        self._settings = settings
        self._clock = clock
        self._sending = anyio.Lock()
        self._replies, self._to_reply = anyio.create_memory_object_stream[AnyAgentEvent | AgentPong](REPLIES_AHEAD)

    async def run(self) -> None:
        """Serve the listener until they leave, or have said and heard nothing for the idle time."""
        await self._socket.accept()
        try:
            with self._session.holding(), lone_error(), self._replies, self._to_reply:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._reply)
                    await self._read(tasks)
                    tasks.cancel_scope.cancel()  # what is being answered ends with its listener
        except ReaderLost:
            pass
        await self._close()

    async def _read(self, tasks: TaskGroup) -> None:
        """Take messages until there are no more."""
        settings = self._settings
        bucket = TokenBucket(per_s=settings.max_messages_per_s, burst=settings.max_messages_burst, now=self._clock())
        while True:
            event = None
            with anyio.move_on_after(settings.session_idle_s):
                event = await self._socket.receive()
            if event is None and self._session.busy:
                continue
            if event is None or event["type"] == "websocket.disconnect":
                return
            await self._take(self._decoded(event.get("bytes"), event.get("text")), tasks)
            if wait_s := bucket.take(now=self._clock()):
                await anyio.sleep(wait_s)

    def _decoded(self, frame: bytes | None, text: str | None) -> AnyAgentMessage | Rejected:
        if frame is None:
            frame = (text or "").encode("utf-8", "surrogatepass")  # whether it is text is told there
        if len(frame) > self._settings.max_message_bytes:
            return Rejected(MessageTooLarge(self._settings.max_message_bytes), None)
        return decode_agent(frame)

    async def _take(self, message: AnyAgentMessage | Rejected, tasks: TaskGroup) -> None:
        match message:
            case Rejected():
                await self._replies.send(failed(message.error, message.request_id))
            case Prompt():
                # Up to its first wait it runs now: prompts interrupt each other in the order in which they came.
                await tasks.start(self._answer, message)
            case CancelAnswer():
                try:
                    stopped = self._session.cancel(request_id=message.request_id, played_s=message.played_s)
                except InvalidRequest as error:
                    await self._replies.send(failed(error, message.request_id))
                else:
                    if not stopped.in_turn:
                        await self._replies.send(stopped.event)
            case Played():
                self._session.played(message.played_s, request_id=message.request_id)
            case AgentPing():
                await self._replies.send(AgentPong())

    async def _reply(self) -> None:
        """Send replies from a task of their own: a cancel mustn't wait behind them."""
        async for event in self._to_reply:
            await self._send(event)

    async def _answer(self, prompt: Prompt, *, task_status: TaskStatus[None]) -> None:
        try:
            entering = self._session.answering(prompt)
            task_status.started()
            async with entering as turn:
                try:
                    async for event in turn:
                        await self._send(event, binary=prompt.transport == "binary")
                finally:
                    report(turn, session_id=self._session_id)
        except Unavailable as error:
            await self._send(failed(error, prompt.request_id))

    async def _send(self, event: AnyAgentEvent | AgentPong, *, binary: bool = False) -> None:
        """Send ``event``.

        Raises:
            ReaderLost: nobody takes it.
        """
        if binary and isinstance(event, AudioChunk):
            sending = partial(self._socket.send_bytes, event.data)
        else:
            sending = partial(self._socket.send_text, encode_event(event).decode())
        with anyio.move_on_after(self._settings.send_timeout_s) as patience:
            async with self._sending:
                try:
                    await sending()
                except (WebSocketDisconnect, RuntimeError, OSError) as error:
                    raise ReaderLost from error
        if patience.cancelled_caught:
            log.warning("reader dropped", session=self._session_id, after_s=self._settings.send_timeout_s)
            raise ReaderLost

    async def _close(self) -> None:
        if self._socket.client_state is WebSocketState.CONNECTED:
            with anyio.move_on_after(CLOSE_S, shield=True):
                try:
                    await self._socket.close()
                except (WebSocketDisconnect, RuntimeError, OSError):
                    pass  # the listener has gone just now
