"""Prompts and answers over one socket, interruptions included."""

import time
from collections.abc import Callable
from functools import partial

import anyio
import structlog
from anyio.abc import TaskGroup
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from primavoce.agent.reporting import report
from primavoce.agent.sessions import AgentSession
from primavoce.agent.stream import failed
from primavoce.errors import Draining, InvalidRequest, Unavailable, lone_error
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
from primavoce.server.lobby import Lobby

CLOSE_S = 2.0
"""Seconds that the other side has to take part in the closing of the socket."""

log = structlog.get_logger("primavoce.agent")


class ReaderLost(Exception):
    """The listener has left, or has taken nothing for too long."""


class AgentSocket:
    """One listener on a socket.

    Args:
        socket: Not yet accepted.
        session: Their conversation.
        session_id: For the log.
        lobby: Counts who is being answered.
        send_timeout_s: Seconds that the listener may take nothing.
        messages_per_s: How many messages are read in a second, once ``messages_burst`` have been.
        messages_burst: How many are read as fast as they come.
        clock: Seconds.
    """

    def __init__(
        self,
        socket: WebSocket,
        session: AgentSession,
        *,
        session_id: str,
        lobby: Lobby,
        send_timeout_s: float,
        messages_per_s: float,
        messages_burst: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._socket = socket
        self._session = session
        self._session_id = session_id
        self._lobby = lobby
        self._send_timeout_s = send_timeout_s
        self._bucket = TokenBucket(per_s=messages_per_s, burst=messages_burst, now=clock())
        self._clock = clock
        self._sending = anyio.Lock()

    async def run(self) -> None:
        """Serve the listener until they leave."""
        await self._socket.accept()
        try:
            with lone_error():
                async with anyio.create_task_group() as tasks:
                    await self._read(tasks)
        except ReaderLost:
            pass
        await self._close()

    async def _read(self, tasks: TaskGroup) -> None:
        """Take messages until there are no more; what is being answered ends with them."""
        while True:
            event = await self._socket.receive()
            if event["type"] == "websocket.disconnect":
                tasks.cancel_scope.cancel()
                return
            frame: bytes | None = event.get("bytes")
            message = decode_agent(event.get("text") or "" if frame is None else frame)
            if isinstance(message, Rejected):
                await self._send(failed(message.error, message.request_id))
            else:
                await self._take(message, tasks)
            if wait_s := self._bucket.take(now=self._clock()):
                await anyio.sleep(wait_s)

    async def _take(self, message: AnyAgentMessage, tasks: TaskGroup) -> None:
        match message:
            case Prompt():
                # Up to its first wait it runs now: prompts interrupt each other in the order in which they came.
                await tasks.start(self._answer, message)
            case CancelAnswer():
                try:
                    stopped = self._session.cancel(request_id=message.request_id, played_s=message.played_s)
                except InvalidRequest as error:
                    await self._send(failed(error, message.request_id))
                else:
                    if not stopped.in_turn:
                        await self._send(stopped.event)
            case Played():
                self._session.played(message.played_s, request_id=message.request_id)
            case AgentPing():
                await self._send(AgentPong())

    async def _answer(self, prompt: Prompt, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        request_id = prompt.request_id
        try:
            with anyio.CancelScope() as stay, self._lobby.visit(cut=stay.cancel):
                entering = self._session.answering(prompt)
                task_status.started()
                async with entering as turn:
                    request_id = turn.answer.request_id
                    async for event in turn:
                        await self._send(event, binary=prompt.transport == "binary")
                    report(turn.answer, session_id=self._session_id)
            if stay.cancelled_caught:
                await self._send(failed(Draining(), request_id))
        except Unavailable as error:
            task_status.started()
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
        with anyio.move_on_after(self._send_timeout_s) as patience:
            async with self._sending:
                try:
                    await sending()
                except (WebSocketDisconnect, RuntimeError, OSError) as error:
                    raise ReaderLost from error
        if patience.cancelled_caught:
            log.warning("reader dropped", session=self._session_id, after_s=self._send_timeout_s)
            raise ReaderLost

    async def _close(self) -> None:
        if self._socket.client_state is WebSocketState.CONNECTED:
            with anyio.move_on_after(CLOSE_S, shield=True):
                try:
                    await self._socket.close()
                except (RuntimeError, OSError):
                    pass
