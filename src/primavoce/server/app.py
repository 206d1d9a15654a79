"""The ASGI application: routes, and the engine's life."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread
import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from primavoce.server.bodies import Bodies
from primavoce.server.boundary import ErrorBoundary, route_errors
from primavoce.server.counting import Counted, metrics_route
from primavoce.server.dialects.deepgram import deepgram_routes
from primavoce.server.dialects.openai import openai_routes
from primavoce.server.gate import gates
from primavoce.server.http import InvocationRoute
from primavoce.server.metrics import Metrics
from primavoce.server.observation import Observer
from primavoce.server.openapi import OPENAPI_PATH, openapi_route
from primavoce.server.page import MODEL, page_info, page_routes
from primavoce.server.policies import gate_policy, http_policy, session_policy
from primavoce.server.session import SessionShell
from primavoce.server.stages import LISTENING, READY, WARM, log_stage, process_began_at
from primavoce.server.state import ServerState
from primavoce.server.tracing import tracing_to
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine

SESSION_PATH = "/invocations-bidirectional-stream"

log = structlog.get_logger("primavoce.server")


def create_app(engine: Engine, settings: Settings, state: ServerState, *, on_loopback: bool = False) -> Starlette:
    """Return the application that serves ``engine``.

    Sockets are accepted from the first moment; ``/ping`` turns 200 when the engine is loaded. If it can't be, the
    reason is left in ``state.failure`` and ``state.ready`` is set.

    Args:
        engine: Not yet entered.
        settings: What an operator has chosen.
        state: What is learnt while it serves.
        on_loopback: Whether only this machine reaches it: then it answers by this machine's own names alone, unless
            it asks for keys.

    Raises:
        InvalidLexicon: the file of names can't be used.
        InvalidSetting: the file of keys can't be used.
        ExtraMissing: spans are to be sent, and what sends them is not installed.
    """
    metrics = Metrics(engine.report) if settings.metrics else None
    observer = state.observer = Observer(metrics, tracing_to(settings.tracing_endpoint))
    gate = gate_policy(settings, on_loopback=on_loopback, told=observer.error_told)
    lexicon = settings.read_lexicon()
    policy = session_policy(settings, lexicon)

    async def session(socket: WebSocket) -> None:
        with observer.session(socket.headers) as watching:
            await SessionShell(socket, engine, policy, watching).run(state.lobby)

    async def ping(_: Request) -> Response:
        """Answer from what is known; never wait for the engine (SageMaker gives 2 s)."""
        if state.lobby.draining:
            return JSONResponse({"status": "draining"}, 503)
        if not engine.ready:
            return JSONResponse({"status": "loading"}, 503)
        if engine.lateness() > settings.stuck_factor:
            return JSONResponse({"status": "stuck"}, 503)
        model = engine.report().model
        where = {} if model is None else {"device": model.device, "provider": model.provider}
        return JSONResponse({"status": "ready", **where})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        began_at = process_began_at()
        log_stage(LISTENING, began_at=began_at)
        async with engine, anyio.create_task_group() as tasks:
            tasks.start_soon(_load, engine, state, began_at)
            yield
            tasks.cancel_scope.cancel()
        await anyio.to_thread.run_sync(observer.close)

    http = http_policy(settings, lexicon)
    bodies = Bodies(http.max_message_bytes, http.receive_timeout_s)
    invocations = InvocationRoute(engine, state.lobby, bodies, observer, http)
    routes = [
        Route("/ping", ping, methods=["GET", "POST"]),
        Route("/invocations", invocations, methods=["POST"]),
        Route(OPENAPI_PATH, openapi_route(metrics=metrics is not None, keys=gate.keys.asks, page=settings.page)),
        WebSocketRoute(SESSION_PATH, session),
        *openai_routes(invocations, bodies, observer),
        *deepgram_routes(engine, state.lobby, observer, invocations, bodies, policy),
    ]
    if settings.page:
        routes += page_routes(lambda: page_info(settings, kind="speech", model=MODEL, key_required=gate.keys.asks))
    middleware = [*gates(gate), Middleware(ErrorBoundary, told=observer.error_told)]
    if metrics is not None:
        routes.append(Route("/metrics", metrics_route(metrics)))
        # Outside of the gate: what it refuses is counted, too.
        paths = [route.path for route in routes if isinstance(route, Route | WebSocketRoute)]
        middleware = [Middleware(Counted, metrics=metrics, paths=paths), *middleware]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=middleware,
        exception_handlers=route_errors(observer.error_told),
    )


async def _load(engine: Engine, state: ServerState, began_at: float) -> None:
    try:
        await engine.load()
    except Exception as error:  # noqa: BLE001 - whatever it is, the process must say so and leave
        state.failure = error
    else:
        for stage in (WARM, READY):
            log_stage(stage, began_at=began_at, model=engine.report().model)
    state.ready.set()
