"""The agent's application: prompts in, answers out, written and spoken.

The routes here are those of Amazon Bedrock AgentCore's contract; `primavoce.agent.agentcore` gives them to its SDK.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field

import structlog
from starlette.applications import Starlette
from starlette.datastructures import Headers, QueryParams
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from primavoce.agent.identity import new_session_id, session_id_in
from primavoce.agent.sessions import AgentSession, AgentSessions
from primavoce.agent.socket import AgentSocket
from primavoce.agent.stream import AnswerStream, failed
from primavoce.errors import InvalidRequest, PrimavoceError, Unavailable, UnknownRequest, UnknownType
from primavoce.protocol.agent import CancelAnswer, Prompt
from primavoce.protocol.agent_codec import POSTED, decode_agent_object, encode_event
from primavoce.protocol.codec import Rejected
from primavoce.server.bodies import Bodies
from primavoce.server.boundary import ErrorBoundary, route_errors
from primavoce.server.gate import GatePolicy, gates
from primavoce.server.http import object_in
from primavoce.server.lobby import Lobby
from primavoce.server.refusal import error_response
from primavoce.server.voicing import owner_of
from primavoce.settings import Settings

log = structlog.get_logger("primavoce.agent")

INVOCATIONS, SOCKET, PING = "/invocations", "/ws", "/ping"
HEALTHY, BUSY = "Healthy", "HealthyBusy"
"""What AgentCore knows: it doesn't end a session that is busy."""


@dataclass(slots=True, eq=False)
class AgentService:
    """What answers, whoever routes."""

    sessions: AgentSessions
    settings: Settings
    wall_clock: Callable[[], float] = time.time
    sockets: Lobby = field(init=False)
    """Counts the sockets that are open; each holds a conversation."""
    _status: str = HEALTHY
    _changed_at: float | None = None

    def __post_init__(self) -> None:
        self.sockets = Lobby(self.sessions.max_conversations)

    def invocation(self, payload: object, scope: Scope) -> Response:
        """Return what answers one request; it does its work when it is called.

        Args:
            payload: The parsed body.
            scope: The request's.
        """
        headers, query = Headers(scope=scope), QueryParams(scope.get("query_string", b""))
        request_id: str | None = None
        try:
            asked = session_id_in(headers, query)
            found = decode_agent_object(payload if isinstance(payload, dict) else {})
            if isinstance(found, Rejected):
                request_id = found.request_id
                raise found.error
            if not isinstance(found, Prompt | CancelAnswer):
                raise UnknownType(POSTED)
            request_id = found.request_id
            owner = owner_of(scope)
            if isinstance(found, CancelAnswer):
                return Called(lambda: self._cancelled(found, asked, owner), request_id)
        except InvalidRequest as error:
            log.info("prompt refused", request_id=request_id, code=error.code)
            return error_response(error, request_id)
        session_id = asked or new_session_id()
        return AnswerStream(
            found,
            lambda: self._session(session_id, owner=owner, lasts=asked is not None),
            session_id=session_id,
            send_timeout_s=self.settings.send_timeout_s,
        )

    def _session(self, session_id: str, *, owner: str, lasts: bool) -> AgentSession:
        """Return a conversation; one that nobody can come back to isn't kept."""
        return self.sessions.session(session_id, owner=owner) if lasts else self.sessions.passing(owner=owner)

    def _cancelled(self, message: CancelAnswer, session_id: str | None, owner: str) -> Response:
        session = self.sessions.find(session_id, owner=owner)
        if session is None:
            raise UnknownRequest
        stopped = session.cancel(request_id=message.request_id, played_s=message.played_s)
        return Response(encode_event(stopped.event), media_type="application/json")

    async def socket(self, socket: WebSocket) -> None:
        """Serve one listener on a socket."""
        try:
            with self.sockets.visit():
                asked = session_id_in(socket.headers, socket.query_params)
                session_id = asked or new_session_id()
                session = self._session(session_id, owner=owner_of(socket.scope), lasts=asked is not None)
                await AgentSocket(socket, session, session_id=session_id, settings=self.settings).run()
        except (InvalidRequest, Unavailable) as error:
            # In the socket, for what stands before us may tell nothing of another answer.
            await socket.accept()
            with suppress(WebSocketDisconnect, RuntimeError):  # whoever was refused may have gone
                await socket.send_text(encode_event(failed(error, None)).decode())
                await socket.close()

    def status(self) -> str:
        """Return the state that ``/ping`` tells."""
        return BUSY if self.sessions.busy else HEALTHY

    def health(self) -> dict[str, object]:
        """Return what ``/ping`` answers: the state, and when it was last seen to change, in seconds since the epoch."""
        status = self.status()
        if status != self._status or self._changed_at is None:
            self._status, self._changed_at = status, self.wall_clock()
        return {"status": status, "time_of_last_update": int(self._changed_at)}


class Called(Response):
    """An answer that is made where it is sent, on the server's event loop.

    Args:
        make: Makes it.
        request_id: What an error is about.
    """

    def __init__(self, make: Callable[[], Response], request_id: str | None) -> None:
        super().__init__()
        self._make = make
        self._request_id = request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Make and send it."""
        try:
            answer = self._make()
        except PrimavoceError as error:
            answer = error_response(error, self._request_id)
        await answer(scope, receive, send)


class CheckedBodies:
    """An ASGI application round another one, that gets bodies of prompts only when they are whole JSON objects.

    Args:
        app: Answers.
        bodies: Reads them, and bounds them.
    """

    def __init__(self, app: ASGIApp, bodies: Bodies) -> None:
        self._app = app
        self._bodies = bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer why it can't be read."""
        if scope["type"] != "http" or scope["path"] != INVOCATIONS or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._bodies.read(Request(scope, receive))
            object_in(body)
        except ClientDisconnect:
            return
        except PrimavoceError as error:
            await error_response(error)(scope, receive, send)
            return
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)


def agent_middleware(service: AgentService, gate: GatePolicy) -> list[Middleware]:
    """Return what stands round the routes, outermost first."""
    settings = service.settings
    bodies = Bodies(settings.max_message_bytes, settings.receive_timeout_s)
    return [*gates(gate), Middleware(ErrorBoundary, told=gate.told), Middleware(CheckedBodies, bodies=bodies)]


def create_agent_app(
    service: AgentService,
    gate: GatePolicy,
    *,
    more: Sequence[BaseRoute] = (),
    lifespan: Callable[[Starlette], AbstractAsyncContextManager[None]] | None = None,
) -> Starlette:
    """Return the application without AgentCore's SDK; the same routes, by Starlette alone.

    Args:
        service: Answers.
        gate: Who is let in.
        more: Other routes: the page's.
        lifespan: What must be there while it serves.
    """

    async def invocations(request: Request) -> Response:
        return service.invocation(await request.json(), request.scope)

    async def ping(_: Request) -> Response:
        return JSONResponse(service.health())

    routes = [
        Route(INVOCATIONS, invocations, methods=["POST"]),
        Route(PING, ping),
        WebSocketRoute(SOCKET, service.socket),
        *more,
    ]
    return Starlette(
        routes=routes,
        middleware=agent_middleware(service, gate),
        lifespan=lifespan,
        exception_handlers=route_errors(gate.told),
    )
