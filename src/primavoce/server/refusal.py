"""An error as an HTTP answer: its status, its body in the words of who asked, and when to come back."""

from collections.abc import Callable, Mapping

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from primavoce.errors import (
    AccessRefused,
    AgentError,
    AnswerTooLarge,
    Draining,
    HostRefused,
    InvalidRequest,
    MessageTooLarge,
    MethodNotAllowed,
    Overloaded,
    PrimavoceError,
    RequestIncomplete,
    RequestStale,
    RuntimeBusy,
    RuntimeFailed,
    RuntimeRefused,
    RuntimeThrottled,
    RuntimeUnavailable,
    SynthesisError,
    SynthesisFailed,
    TextTooLong,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnknownModel,
    UnknownRoute,
    UtteranceTooLong,
)
from primavoce.protocol.deepgram import deepgram_error
from primavoce.server.dialects.openai_errors import openai_error

STATUS: tuple[tuple[type[PrimavoceError], int], ...] = (
    (UnknownRoute, 404),
    (UnknownModel, 404),
    (MethodNotAllowed, 405),
    (RequestStale, 408),
    (RequestIncomplete, 408),
    (TextTooLong, 413),
    (MessageTooLarge, 413),
    (UtteranceTooLong, 413),
    (AnswerTooLarge, 413),
    (TooManyRequests, 429),
    (RuntimeThrottled, 429),
    (Overloaded, 503),
    (Draining, 503),
    (RuntimeBusy, 503),
    (RuntimeUnavailable, 503),
    (RuntimeRefused, 502),
    (RuntimeFailed, 502),
    (Unauthorized, 401),
    (HostRefused, 421),
    (AccessRefused, 403),
    (InvalidRequest, 400),
)
"""The status of an error: of the first class that it belongs to; 500 of any other."""
RETRY_AFTER_S = 1
QUEUE_SATURATED = "queue_saturated"
"""What clients of the published container know `Overloaded` as."""
OF_SPEECH = (InvalidRequest, AccessRefused, Unavailable, SynthesisError)
"""What clients of a speech server are told."""
MAY_TRAVEL = (*OF_SPEECH, AgentError)
"""Errors whose sentence a client may read; of any other it hears that speaking failed."""

type Shape = Callable[[PrimavoceError, str, int, str | None], dict[str, object]]
"""Makes a body of an error that may be told, its code over HTTP, its status, and the request's id."""


def plain_error(error: PrimavoceError, code: str, _: int, request_id: str | None) -> dict[str, object]:
    """Return the body of an error in our own words."""
    return {"error": code, "message": str(error), "request_id": request_id, "retryable": error.retryable}


SHAPES: tuple[tuple[str, Shape], ...] = (("/v1/speak", deepgram_error), ("/v1/", openai_error))
"""How errors are told under a path: by the first that it begins with; elsewhere by `plain_error`."""


def told_instead_of(error: PrimavoceError) -> PrimavoceError:
    """Return the error that a client is told of when ``error`` has happened; our bugs are errors of no kind."""
    return error if isinstance(error, MAY_TRAVEL) or type(error) is PrimavoceError else SynthesisFailed()


def code_of(told: PrimavoceError) -> str:
    """Return the code that an error has over HTTP."""
    return QUEUE_SATURATED if isinstance(told, Overloaded) else told.code


def status_of(kind: type[PrimavoceError]) -> int:
    """Return the status that an error of ``kind`` has over HTTP."""
    return next((status for each, status in STATUS if issubclass(kind, each)), 500)


class ErrorAnswer(JSONResponse):
    """The answer that tells of an error; its words are those of the path that was asked.

    Args:
        error: One that may be told.
        code: Its code over HTTP.
        status: Its status.
        request_id: The request's id.
        headers: Besides the usual ones.
    """

    def __init__(
        self, error: PrimavoceError, code: str, status: int, request_id: str | None, headers: Mapping[str, str] | None
    ) -> None:
        super().__init__(plain_error(error, code, status, request_id), status, headers=headers)
        self._told = error, code, status, request_id
        self._extra = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer ``scope``."""
        shape = next((shape for prefix, shape in SHAPES if scope["path"].startswith(prefix)), plain_error)
        if shape is plain_error:
            await super().__call__(scope, receive, send)
        else:
            answer = JSONResponse(shape(*self._told), self.status_code, headers=self._extra)
            await answer(scope, receive, send)


def error_response(error: PrimavoceError, request_id: str | None = None) -> JSONResponse:
    """Return the answer that tells a client of ``error``."""
    status = status_of(type(error))
    told = told_instead_of(error)
    code = code_of(told)
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status in (429, 503) else None
    if isinstance(error, RequestIncomplete):
        headers = {"Connection": "close"}  # the rest of it may never come
    if status == 401:
        headers = {"WWW-Authenticate": "Bearer"}
    if isinstance(error, MethodNotAllowed):
        headers = {"Allow": error.allowed}
    return ErrorAnswer(told, code, status, request_id, headers)
