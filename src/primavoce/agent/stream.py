"""One prompt over HTTP: its answer as server-sent events."""

from collections.abc import Callable

import anyio
import anyio.lowlevel
import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from primavoce.agent.identity import SESSION_HEADER
from primavoce.agent.overtaken import OvertakenTurn
from primavoce.agent.reporting import report
from primavoce.agent.sessions import AgentSession
from primavoce.agent.turn import Turn
from primavoce.errors import PrimavoceError, Unavailable, lone_error
from primavoce.protocol.agent import AnswerFailed, AnyAgentEvent, Prompt
from primavoce.protocol.agent_codec import encode_event
from primavoce.server.deliveries import body, start
from primavoce.server.event_stream import HEADERS, HEARTBEAT, HEARTBEAT_S
from primavoce.server.refusal import error_response

log = structlog.get_logger("primavoce.agent")


class AnswerStream(Response):
    """The answer to ``prompt``, as it is written and spoken.

    All of its work is done where it is sent: on the server's event loop, whoever made it on whichever.
    A reader who has left, or takes nothing for ``send_timeout_s`` seconds, interrupts the answer.

    Args:
        prompt: What was asked.
        session: Finds the conversation; called when the answer begins.
        session_id: Told in a header.
        send_timeout_s: Seconds that the reader may take nothing.
    """

    heartbeat_s = HEARTBEAT_S
    """Seconds of silence after which a comment is sent."""

    def __init__(
        self,
        prompt: Prompt,
        session: Callable[[], AgentSession],
        *,
        session_id: str,
        send_timeout_s: float,
    ) -> None:
        super().__init__()
        self._prompt = prompt
        self._session = session
        self._session_id = session_id
        self._send_timeout_s = send_timeout_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        with lone_error(), anyio.CancelScope() as reading:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_leave_with, receive, reading)
                try:
                    await self._serve(send, reading)
                except Unavailable as error:
                    await error_response(error, self._prompt.request_id)(scope, receive, send)
                tasks.cancel_scope.cancel()

    async def _serve(self, send: Send, reading: anyio.CancelScope) -> None:
        async with self._session().answering(self._prompt) as turn:
            try:
                await start(send, {**HEADERS, SESSION_HEADER.lower(): self._session_id})
                await self._tell(turn, send, reading)
                # Not after the block: what is still being written has some seconds to stop.
                await body(send, b"", more=False)
            finally:
                report(turn, session_id=self._session_id)

    async def _tell(self, turn: Turn | OvertakenTurn, send: Send, reading: anyio.CancelScope) -> None:
        while True:
            event: AnyAgentEvent | None = None
            with anyio.move_on_after(self.heartbeat_s) as patience:
                event = await anext(turn, None)
            if patience.cancelled_caught:
                await self._write(send, HEARTBEAT, reading)
            elif event is None:
                return
            else:
                await self._write(send, line(event), reading)

    async def _write(self, send: Send, content: bytes, reading: anyio.CancelScope) -> None:
        """Send, unless the reader takes nothing: then nobody reads, and the work ends."""
        with anyio.move_on_after(self._send_timeout_s) as patience:
            await body(send, content)
        if patience.cancelled_caught:
            log.warning("reader dropped", session=self._session_id, after_s=self._send_timeout_s)
            reading.cancel()
            await anyio.lowlevel.checkpoint()


async def _leave_with(receive: Receive, reading: anyio.CancelScope) -> None:
    """End the work when the reader leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass
    reading.cancel()


def line(event: AnyAgentEvent) -> bytes:
    """Return ``event`` as it stands in a stream of events."""
    return b"data: " + encode_event(event) + b"\n\n"


def failed(error: PrimavoceError, request_id: str | None) -> AnswerFailed:
    """Return the event that tells of ``error``, one that may be told."""
    return AnswerFailed(request_id=request_id, code=error.code, message=str(error), retryable=error.retryable)
