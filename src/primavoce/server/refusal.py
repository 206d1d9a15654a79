"""An error as an HTTP answer: its status, its body, and when to come back."""

from starlette.responses import JSONResponse

from primavoce.errors import (
    AccessRefused,
    AnswerTooLarge,
    Draining,
    HostRefused,
    InvalidRequest,
    MessageTooLarge,
    Overloaded,
    PrimavoceError,
    RequestIncomplete,
    RequestStale,
    SynthesisError,
    SynthesisFailed,
    TextTooLong,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UtteranceTooLong,
)

STATUS: tuple[tuple[type[PrimavoceError], int], ...] = (
    (RequestStale, 408),
    (RequestIncomplete, 408),
    (TextTooLong, 413),
    (MessageTooLarge, 413),
    (UtteranceTooLong, 413),
    (AnswerTooLarge, 413),
    (TooManyRequests, 429),
    (Overloaded, 503),
    (Draining, 503),
    (Unauthorized, 401),
    (HostRefused, 421),
    (AccessRefused, 403),
    (InvalidRequest, 400),
)
"""The status of an error: of the first class that it belongs to; 500 of any other."""
RETRY_AFTER_S = 1
QUEUE_SATURATED = "queue_saturated"
"""What clients of the published container know `Overloaded` as."""
MAY_TRAVEL = (InvalidRequest, AccessRefused, Unavailable, SynthesisError)
"""Errors whose sentence a client may read; of any other it hears that speaking failed."""


def told_instead_of(error: PrimavoceError) -> PrimavoceError:
    """Return the error that a client is told of when ``error`` has happened."""
    return error if isinstance(error, MAY_TRAVEL) else SynthesisFailed()


def status_of(kind: type[PrimavoceError]) -> int:
    """Return the status that an error of ``kind`` has over HTTP."""
    return next((status for each, status in STATUS if issubclass(kind, each)), 500)


def error_response(error: PrimavoceError, request_id: str | None = None) -> JSONResponse:
    """Return the answer that tells a client of ``error``."""
    status = status_of(type(error))
    told = told_instead_of(error)
    code = QUEUE_SATURATED if isinstance(told, Overloaded) else told.code
    body = {"error": code, "message": str(told), "request_id": request_id, "retryable": told.retryable}
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status in (429, 503) else None
    if isinstance(error, RequestIncomplete):
        headers = {"Connection": "close"}  # the rest of it may never come
    if status == 401:
        headers = {"WWW-Authenticate": "Bearer"}
    return JSONResponse(body, status, headers=headers)
