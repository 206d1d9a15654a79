"""A whole request in a dialect's words: put into one of ``POST /invocations``, whose answer is put back into them.

So limits, patience, draining, what is logged and counted are those of that route, and nothing but words is left to a
dialect.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec
import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from primavoce.errors import PrimavoceError
from primavoce.server.bodies import Bodies
from primavoce.server.http import object_in
from primavoce.server.observation import Observer
from primavoce.server.refusal import error_response, told_instead_of

log = structlog.get_logger("primavoce.http")


def as_it_is(send: Send) -> Send:
    """Return ``send``."""
    return send


@dataclass(frozen=True, slots=True)
class Translated:
    """A request in our words."""

    invocation: Mapping[str, object]
    """The body that says the same."""
    answered: Callable[[Send], Send] = as_it_is
    """Makes, of what sends an answer in the dialect's words, what sends ours."""


type Translate = Callable[[Request, Mapping[str, object], str], Translated]
"""Translates a request, given its parsed body and its id; raises `InvalidRequest` if it can't be done."""


class InvokingRoute:
    """A route for whole requests in a dialect's words.

    Args:
        invocations: Answers ``POST /invocations``.
        bodies: Reads what is asked; the server's.
        observer: Is told what happens before that is asked.
        translate: Knows the words.
        make_id: Makes a request's id.
        id_header: The header in which the dialect's clients look for it.
    """

    def __init__(
        self,
        invocations: ASGIApp,
        bodies: Bodies,
        observer: Observer,
        *,
        translate: Translate,
        make_id: Callable[[], str],
        id_header: str,
    ) -> None:
        self._invocations = invocations
        self._bodies = bodies
        self._observer = observer
        self._translate = translate
        self._make_id = make_id
        self._id_header = id_header

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request_id = self._make_id()
        told = with_headers(send, {self._id_header: request_id})
        request = Request(scope, receive)
        try:
            translated = self._translate(request, object_in(await self._bodies.read(request)), request_id)
        except ClientDisconnect:
            log.info("client left before it had asked", request_id=request_id)
        except PrimavoceError as error:
            self._observer.error_told(told_instead_of(error).code)
            await error_response(error, request_id)(scope, receive, told)
        else:
            body = msgspec.json.encode(translated.invocation)
            await self._invocations(scope, given_first(body, receive), translated.answered(told))


def given_first(body: bytes, receive: Receive) -> Receive:
    """Return what receives ``body`` for a request's, and then what ``receive`` does."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


def with_headers(send: Send, headers: Mapping[str, str]) -> Send:
    """Return what sends an answer with ``headers`` besides its own."""
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *raw]}
        await send(message)

    return sending
