"""Every answer counted, by its route and its status."""

from collections.abc import Awaitable, Callable, Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from primavoce.server.metrics import Metrics

OTHER_ROUTE = "other"
"""The route of a request for a path that isn't ours."""
LEFT = "499"
"""The status of a request whose client left before there was an answer."""


class Counted:
    """An ASGI application round another one, whose answers it counts.

    Args:
        app: Answers.
        metrics: Counts.
        paths: The routes', as Starlette writes them (``/a/{b}``); a path that is none of theirs is `OTHER_ROUTE`.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: Iterable[str]) -> None:
        self._app = app
        self._metrics = metrics
        self._routes = [(path, compile_path(path)[0]) for path in paths]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the application answer, and count the status: that of a handshake when it is known, too."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        route = next((path for path, pattern in self._routes if pattern.match(scope["path"])), OTHER_ROUTE)
        answered = False

        def count(status: str) -> None:
            nonlocal answered
            if not answered:
                answered = True
                self._metrics.request_answered(route, status)

        async def counting(message: Message) -> None:
            match message["type"]:
                case "http.response.start" | "websocket.http.response.start":
                    count(str(message["status"]))
                case "websocket.accept":
                    count("101")
                case "websocket.close":
                    count("403")  # before it was accepted; after that, this counts nothing
            await send(message)

        try:
            await self._app(scope, receive, counting)
        except Exception:
            count("500")
            raise
        finally:
            count(LEFT)


def metrics_route(metrics: Metrics) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers ``GET /metrics``."""

    async def answer(request: Request) -> Response:
        body, media_type = metrics.render(request.headers.get("accept", ""))
        return Response(body, headers={"content-type": media_type, "cache-control": "no-store"})

    return answer
