"""Where what no route has answered becomes an answer: paths and methods that there aren't, and bugs of ours."""

from collections.abc import Awaitable, Callable, Mapping

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from primavoce.errors import MethodNotAllowed, PrimavoceError, UnknownRoute
from primavoce.server.refusal import error_response

type Told = Callable[[str], None]
"""Is told the code of an error that a client is told."""

log = structlog.get_logger("primavoce.http")


class ErrorBoundary:
    """An ASGI application round another one, whose bugs it tells as `PrimavoceError`.

    Sessions have a boundary of their own.

    Args:
        app: Answers, or fails.
        told: Told of what clients are told.
    """

    def __init__(self, app: ASGIApp, told: Told) -> None:
        self._app = app
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the application answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception:
            if started:  # breaking off is the only way left to say that it isn't whole; Uvicorn logs it
                raise
            log.exception("request failed")
            self._told(PrimavoceError.code)
            await error_response(PrimavoceError())(scope, receive, send)


def route_errors(told: Told) -> Mapping[int, Callable[[Request, Exception], Awaitable[Response]]]:
    """Return what answers where there is no route, by the status that Starlette gives it.

    Args:
        told: Told of what clients are told.
    """

    async def unknown(_: Request, __: Exception) -> Response:
        return _answer(UnknownRoute())

    async def not_allowed(_: Request, refused: Exception) -> Response:
        headers = refused.headers if isinstance(refused, HTTPException) else None
        return _answer(MethodNotAllowed((headers or {}).get("Allow", "")))

    def _answer(error: PrimavoceError) -> Response:
        told(error.code)
        return error_response(error)

    return {404: unknown, 405: not_allowed}
