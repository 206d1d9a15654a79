"""One message of the page's, relayed to a deployed runtime."""

from collections.abc import Callable
from dataclasses import dataclass

import anyio
import anyio.lowlevel
import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from primavoce.agent.identity import SESSION_HEADER
from primavoce.agent.runtime.calls import EVENTS, OBJECT, RuntimeCall, cancel_answer
from primavoce.agent.runtime.deployed import DeployedRuntime
from primavoce.agent.runtime.events import PassingEvents
from primavoce.agent.runtime.failures import BROKEN_OFF, NOT_UNDERSTOOD, refusal
from primavoce.agent.runtime.threads import CallThread, CallThreads
from primavoce.agent.stream import failed, line
from primavoce.errors import AgentError, Draining, RuntimeUnavailable, Unavailable, lone_error
from primavoce.server.deliveries import body, start
from primavoce.server.event_stream import HEADERS
from primavoce.server.lobby import Lobby

log = structlog.get_logger("primavoce.agent")


@dataclass(frozen=True, slots=True)
class Relay:
    """What all relayed messages share."""

    runtime: DeployedRuntime
    threads: CallThreads
    lobby: Lobby
    send_timeout_s: float
    """Seconds that a reader may take nothing."""


class RelayedAnswer(Response):
    """The answer to a prompt, as it comes from the runtime.

    A reader who has left, or takes nothing for too long, cancels it: a runtime doesn't notice that nobody reads.

    Args:
        relay: Where to.
        message: The prompt, a JSON object.
        session_id: The runtime's.
        asked_id: The session id that the reader knows; told in a header.
        request_id: The prompt's.
    """

    def __init__(self, relay: Relay, message: bytes, *, session_id: str, asked_id: str, request_id: str) -> None:
        super().__init__()
        self._relay = relay
        self._call = RuntimeCall(relay.runtime, message, session_id, accept=EVENTS)
        self._events = PassingEvents(not_understood=NOT_UNDERSTOOD)
        self._session_id = session_id
        self._asked_id = asked_id
        self._request_id = request_id
        self._started = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        failure: AgentError | Unavailable | None = None
        with anyio.CancelScope() as reading:
            try:
                with anyio.CancelScope() as stay, self._relay.lobby.visit(cut=stay.cancel), lone_error():
                    with self._relay.threads.one() as thread:
                        await self._relayed(thread, receive, send, reading)
                if stay.cancelled_caught:
                    failure = Draining()
            except (AgentError, Unavailable) as error:
                failure = error
            if failure is not None and not self._started:
                await refusal(failure, self._request_id)(scope, receive, send)
                return
            if failure is not None and not self._events.ended:
                await self._write(send, line(failed(failure, self._request_id)), reading)
            await body(send, b"", more=False)

    async def _relayed(self, thread: CallThread, receive: Receive, send: Send, reading: anyio.CancelScope) -> None:
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_leave_with, receive, reading)
                await thread.run(self._call.open)
                self._started = True
                await start(send, {**HEADERS, SESSION_HEADER.lower(): self._asked_id})
                while block := await thread.run(self._call.read):
                    if whole := self._events.push(block):
                        await self._write(send, whole, reading)
                tasks.cancel_scope.cancel()
            if not self._events.ended:
                raise RuntimeUnavailable(BROKEN_OFF)
        finally:
            self._call.leave()
            thread.leave(self._end)

    def _end(self) -> None:
        """Do what is left to do, in the call's own thread."""
        self._call.end()
        if self._call.goes_on and not self._events.ended:
            cancel_answer(self._relay.runtime, self._session_id, self._request_id)

    async def _write(self, send: Send, content: bytes, reading: anyio.CancelScope) -> None:
        """Send, unless the reader takes nothing: then nobody reads."""
        with anyio.move_on_after(self._relay.send_timeout_s) as patience:
            await body(send, content)
        if patience.cancelled_caught:
            log.warning("reader dropped", session=self._session_id, after_s=self._relay.send_timeout_s)
            reading.cancel()
            await anyio.lowlevel.checkpoint()


async def relayed_object(relay: Relay, message: bytes, session_id: str, request_id: str | None) -> Response:
    """Return the runtime's answer, one JSON object, or why there is none."""
    call = RuntimeCall(relay.runtime, message, session_id, accept=OBJECT)

    def ask() -> bytes:
        try:
            call.open()
            return call.read_object()
        finally:
            call.end()

    content = await in_thread(relay, ask, request_id, leave=call.leave)
    return content if isinstance(content, Response) else Response(content, media_type=OBJECT)


async def in_thread[Result](
    relay: Relay, work: Callable[[], Result], request_id: str | None = None, *, leave: Callable[[], None] = lambda: None
) -> Result | Response:
    """Return what ``work``, which asks the runtime or its SDK, returns, or the answer that tells of its failure.

    Args:
        relay: Who is counted where.
        work: Blocks.
        request_id: For the failure.
        leave: Hurries ``work`` when there is no time for it any more.
    """
    try:
        with anyio.CancelScope() as stay, relay.lobby.visit(cut=stay.cancel), relay.threads.one() as thread:
            try:
                return await thread.run(work)
            finally:
                leave()
    except (AgentError, Unavailable) as error:
        return refusal(error, request_id)
    return refusal(Draining(), request_id)


async def _leave_with(receive: Receive, reading: anyio.CancelScope) -> None:
    """Stop when the reader leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass
    reading.cancel()
