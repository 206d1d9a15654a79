"""What went wrong with a deployed runtime, in words that may travel: the service's own hold accounts and names."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from starlette.responses import Response

from primavoce.errors import (
    AgentError,
    RuntimeBusy,
    RuntimeFailed,
    RuntimeRefused,
    RuntimeThrottled,
    RuntimeUnavailable,
    Unavailable,
)
from primavoce.server.refusal import RETRY_AFTER_S, ErrorAnswer, error_response

NO_CREDENTIALS = "there are no valid credentials for it"
NOT_LET_IN = "it doesn't let this program in"
NOT_THERE = "there is no runtime of this name"
UNREACHABLE = "it can't be reached"
SILENT = "it has fallen silent"
BROKEN_OFF = "its answer broke off"
SERVICE_FAILED = "its service has failed"
OWN_ERROR = "it answered with an error of its own"
NOT_UNDERSTOOD = "its answer can't be understood"

MAX_REASON = 500
"""Characters of the service's words that are logged."""

type Make = Callable[[], AgentError]

MAY_HAVE_ARRIVED = {"ReadTimeoutError", "ConnectionClosedError", "ResponseStreamingError"}
"""Kinds of errors after which a message may be answered all the same."""
_BY_CODE: dict[str, Make] = {
    "AccessDeniedException": partial(RuntimeRefused, NOT_LET_IN),
    "ExpiredTokenException": partial(RuntimeRefused, NO_CREDENTIALS),
    "IncompleteSignatureException": partial(RuntimeRefused, NO_CREDENTIALS),
    "InvalidSignatureException": partial(RuntimeRefused, NO_CREDENTIALS),
    "MissingAuthenticationTokenException": partial(RuntimeRefused, NO_CREDENTIALS),
    "UnrecognizedClientException": partial(RuntimeRefused, NO_CREDENTIALS),
    "ResourceNotFoundException": partial(RuntimeRefused, NOT_THERE),
    "RetryableConflictException": RuntimeBusy,
    "RuntimeClientError": partial(RuntimeFailed, OWN_ERROR),
    "ServiceQuotaExceededException": RuntimeThrottled,
    "ThrottlingException": RuntimeThrottled,
}
"""By the service's code."""
_BY_STATUS: dict[int, Make] = {
    401: partial(RuntimeRefused, NOT_LET_IN),
    403: partial(RuntimeRefused, NOT_LET_IN),
    404: partial(RuntimeRefused, NOT_THERE),
    409: RuntimeBusy,
    424: partial(RuntimeFailed, OWN_ERROR),
    429: RuntimeThrottled,
}
"""By the status, where a proxy answers, or the code is new."""
_BY_KIND: dict[str, Make] = {
    "NoCredentialsError": partial(RuntimeRefused, NO_CREDENTIALS),
    "PartialCredentialsError": partial(RuntimeRefused, NO_CREDENTIALS),
    "CredentialRetrievalError": partial(RuntimeRefused, NO_CREDENTIALS),
    "ReadTimeoutError": partial(RuntimeUnavailable, SILENT),
    "ConnectionError": partial(RuntimeUnavailable, UNREACHABLE),
    "HTTPClientError": partial(RuntimeUnavailable, UNREACHABLE),
}
"""By the name of a kind of error of botocore's; the first that an error is."""
_STATUS: tuple[tuple[type[AgentError], HTTPStatus], ...] = (
    (RuntimeThrottled, HTTPStatus.TOO_MANY_REQUESTS),
    (RuntimeBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (RuntimeUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (AgentError, HTTPStatus.BAD_GATEWAY),
)


def runtime_error(error: Exception) -> AgentError | None:
    """Return the error that says of ``error``, a failed call's, what may be said; `None` of what is our bug."""
    if isinstance(error, AgentError):
        return error
    answer = getattr(error, "response", None)
    if isinstance(answer, dict):
        status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        known = _BY_CODE.get(answer.get("Error", {}).get("Code", "")) or _BY_STATUS.get(status)
        if known is not None:
            return known()
        return RuntimeUnavailable(SERVICE_FAILED) if status >= 500 else RuntimeFailed(OWN_ERROR)
    return next((_BY_KIND[kind]() for kind in kinds_of(error) if kind in _BY_KIND), None)


def reason_of(error: Exception) -> str:
    """Return what an operator may read of ``error``: the service's own words, or its kind; never what was sent."""
    answer = getattr(error, "response", None)
    if not isinstance(answer, dict):
        return type(error).__name__
    told = answer.get("Error", {})
    return f"{told.get('Code', '')}: {told.get('Message', '')}"[:MAX_REASON]


def kinds_of(error: BaseException) -> list[str]:
    """Return the names of what ``error`` is, nearest first."""
    return [kind.__name__ for kind in type(error).__mro__]


def refusal(error: AgentError | Unavailable, request_id: str | None = None) -> Response:
    """Return the answer that tells of ``error`` before anything has been sent."""
    if isinstance(error, Unavailable):
        return error_response(error, request_id)
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    headers = {"Retry-After": str(RETRY_AFTER_S)} if error.retryable else None
    return ErrorAnswer(error, error.code, status, request_id, headers)
