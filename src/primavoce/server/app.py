"""The ASGI application: routes, and the engine's life."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from primavoce.protocol.server import Limits
from primavoce.server.http import InvocationRoute
from primavoce.server.lobby import Lobby
from primavoce.server.session import SessionPolicy, SessionShell
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine

SESSION_PATH = "/invocations-bidirectional-stream"

log = structlog.get_logger("primavoce.server")


@dataclass(slots=True)
class ServerState:
    """What the server knows of itself."""

    lobby: Lobby
    ready: anyio.Event = field(default_factory=anyio.Event)
    failure: Exception | None = None
    """Why the engine could not be loaded; the process is about to leave."""


def create_app(engine: Engine, settings: Settings, state: ServerState) -> Starlette:
    """Return the application that serves ``engine``.

    Sockets are accepted from the first moment; ``/ping`` turns 200 when the engine is loaded. If it can't be, the
    reason is left in ``state.failure`` and ``state.ready`` is set.

    Raises:
        InvalidLexicon: the file of names can't be used.
    """
    lexicon = settings.read_lexicon()
    policy = SessionPolicy(
        limits=Limits(
            max_queued_requests=settings.max_queued_requests,
            max_text_characters=settings.max_text_characters,
            max_request_age_s=settings.max_request_age_s,
            idle_s=settings.session_idle_s,
        ),
        default_voice=settings.voice,
        send_timeout_s=settings.send_timeout_s,
        max_ahead_s=settings.max_ahead_s,
        text_idle_s=settings.text_idle_s,
        lexicon=lexicon,
    )

    async def session(socket: WebSocket) -> None:
        await SessionShell(socket, engine, policy).run(state.lobby)

    async def ping(_: Request) -> Response:
        """Answer from what is known; never wait for the engine (SageMaker gives 2 s)."""
        if state.lobby.draining:
            return JSONResponse({"status": "draining"}, 503)
        if not engine.ready:
            return JSONResponse({"status": "loading"}, 503)
        if engine.overdue_s() > settings.stuck_s:
            return JSONResponse({"status": "stuck"}, 503)
        return JSONResponse({"status": "ready"})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with engine, anyio.create_task_group() as tasks:
            tasks.start_soon(_load, engine, state)
            yield
            tasks.cancel_scope.cancel()

    invocations = InvocationRoute(
        engine,
        state.lobby,
        default_voice=settings.voice,
        limit_bytes=settings.max_message_bytes,
        limit_characters=settings.max_text_characters,
        limit_age_s=settings.max_request_age_s,
        send_timeout_s=settings.send_timeout_s,
        lexicon=lexicon,
    )
    routes = [
        Route("/ping", ping, methods=["GET", "POST"]),
        Route("/invocations", invocations, methods=["POST"]),
        WebSocketRoute(SESSION_PATH, session),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


async def _load(engine: Engine, state: ServerState) -> None:
    try:
        await engine.load()
    except Exception as error:  # noqa: BLE001 - whatever it is, the process must say so and leave
        state.failure = error
    state.ready.set()
