"""What went wrong in an agent, in words that may travel: a client's own hold addresses, accounts and names."""

from collections.abc import Callable, Iterator
from functools import partial

from strands.types.exceptions import (
    ConcurrencyException,
    ContextWindowOverflowException,
    EventLoopException,
    ModelThrottledException,
)

from primavoce.errors import (
    AgentBusy,
    AgentError,
    ModelContextFull,
    ModelFailed,
    ModelRefused,
    ModelThrottled,
    ModelUnavailable,
)

MAX_REASON = 500
"""Characters of a client's words that are logged."""

type Make = Callable[[], AgentError]

_NO_CREDENTIALS = partial(ModelRefused, "there are no credentials for it")
_NO_REGION = partial(ModelRefused, "there is no region for it")
_REFUSED = partial(ModelRefused, "it doesn't let this agent in")
_NO_MODEL = partial(ModelRefused, "there is no model of this name")
_UNREACHABLE = partial(ModelUnavailable, "it can't be reached")
_FAILED_THERE = partial(ModelUnavailable, "its service has failed")

_BY_KIND: dict[str, Make] = {
    # botocore
    "NoCredentialsError": _NO_CREDENTIALS,
    "PartialCredentialsError": _NO_CREDENTIALS,
    "CredentialRetrievalError": _NO_CREDENTIALS,
    "TokenRetrievalError": _NO_CREDENTIALS,
    "SSOError": _NO_CREDENTIALS,
    "NoRegionError": _NO_REGION,
    "ConnectionClosedError": _UNREACHABLE,
    "HTTPClientError": _UNREACHABLE,
    # openai, httpx, and Python's own
    "APIConnectionError": _UNREACHABLE,
    "TransportError": _UNREACHABLE,
    "ConnectionError": _UNREACHABLE,
    "TimeoutError": _UNREACHABLE,
}
"""By the name of a kind of error: which clients are installed depends."""
_BY_CODE: dict[str, Make] = {
    "AccessDeniedException": _REFUSED,
    "ExpiredTokenException": _REFUSED,
    "InvalidSignatureException": _REFUSED,
    "UnrecognizedClientException": _REFUSED,
    "ResourceNotFoundException": _NO_MODEL,
    "InternalServerException": _FAILED_THERE,
    "ModelErrorException": _FAILED_THERE,
    "ModelNotReadyException": _FAILED_THERE,
    "ModelTimeoutException": _FAILED_THERE,
    "ServiceUnavailableException": _FAILED_THERE,
}
"""By Bedrock's code."""
_BY_STATUS: dict[int, Make] = {401: _REFUSED, 403: _REFUSED, 404: _NO_MODEL}


def agent_error(error: BaseException) -> AgentError:
    """Return the error that says of ``error`` what may be said."""
    for each in _chain(error):
        match each:
            case AgentError():
                return each
            case ConcurrencyException():
                return AgentBusy()
            case ModelThrottledException():
                return ModelThrottled()
            case ContextWindowOverflowException():
                return ModelContextFull()
        if _status(each) == 429:
            return ModelThrottled()
        if (known := _known(each)) is not None:
            return known()
    return ModelFailed()


def what_it_was(error: BaseException) -> str:
    """Return what an operator may read of ``error``: the kind and the words of what began it, in one line."""
    *_, first = _chain(error)
    return f"{type(first).__name__}: {' '.join(str(first).split())}"[:MAX_REASON].removesuffix(": ")


def _known(error: BaseException) -> Make | None:
    status = _status(error)
    if status is not None and (status in _BY_STATUS or status >= 500):
        return _BY_STATUS.get(status, _FAILED_THERE)
    if (code := _code(error)) in _BY_CODE:
        return _BY_CODE[code]
    kinds = (kind.__name__ for kind in type(error).__mro__)
    return next((_BY_KIND[kind] for kind in kinds if kind in _BY_KIND), None)


def _status(error: BaseException) -> int | None:
    """Return the status that openai's, ollama's and httpx's errors carry, each in its way."""
    status = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) else None


def _code(error: BaseException) -> str:
    """Return the code of a botocore ``ClientError``, or nothing."""
    answer = getattr(error, "response", None)
    return str(answer.get("Error", {}).get("Code", "")) if isinstance(answer, dict) else ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    each: BaseException | None = error
    seen: set[int] = set()
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.original_exception if isinstance(each, EventLoopException) else each.__cause__
