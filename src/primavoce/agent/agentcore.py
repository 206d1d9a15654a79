"""The agent's application on the SDK of Amazon Bedrock AgentCore Runtime.

The SDK keeps the contract's routes, the request's context and its tracing. What it is given does no work of its own
where the SDK runs it, on another thread's event loop: it returns what answers, which is run by the server's.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.websockets import WebSocket

from primavoce.agent.app import AgentService, agent_middleware
from primavoce.errors import ExtraMissing
from primavoce.server.boundary import route_errors
from primavoce.server.gate import GatePolicy

NO_NEWS = "Invocation returned HTTP "
"""How the SDK's line of an answer begins that refuses something: ours says what, and why."""


def is_news(record: logging.LogRecord) -> bool:
    """Return whether a line of the SDK's is to be written."""
    return not record.getMessage().startswith(NO_NEWS)


def create_agentcore_app(
    service: AgentService,
    gate: GatePolicy,
    *,
    more: Sequence[BaseRoute] = (),
    lifespan: Callable[[Starlette], AbstractAsyncContextManager[None]] | None = None,
) -> Starlette:
    """Return the application; see `primavoce.agent.app.create_agent_app`, which takes the same.

    Raises:
        ExtraMissing: the extra ``agent`` isn't installed.
    """
    try:
        from bedrock_agentcore import BedrockAgentCoreApp, RequestContext
    except ModuleNotFoundError:
        raise ExtraMissing("an agent", "agent") from None
    app = BedrockAgentCoreApp(lifespan=lifespan, middleware=agent_middleware(service, gate))
    # It brings a handler of its own, which would write each line twice, and a line for each request.
    app.logger.handlers.clear()
    app.logger.setLevel(logging.WARNING)
    app.logger.addFilter(is_news)

    @app.entrypoint
    def invocation(payload: object, context: RequestContext) -> Response:
        assert context.request is not None  # the SDK's own routes always have one
        return service.invocation(payload, context.request.scope)

    @app.ping
    def ping() -> str:
        return service.status()

    @app.websocket
    async def socket(socket: WebSocket, context: RequestContext) -> None:
        del context
        await service.socket(socket)

    app.router.routes += more
    for status, answer in route_errors(gate.told).items():
        app.add_exception_handler(status, answer)
    return app
