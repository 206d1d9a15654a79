"""What went wrong with a SageMaker endpoint, as errors of ours."""

import json
from collections.abc import Mapping

from primavoce.errors import ConnectFailed, EndpointFailed, EndpointRefused, EndpointThrottled, SessionError

MAX_MESSAGE = 300
"""Characters of the service's own words that a sentence repeats."""
PERMISSION = "sagemaker:InvokeEndpointWithBidirectionalStream"
NOT_LET_IN = {
    "AccessDenied",
    "AccessDeniedException",
    "ExpiredToken",
    "ExpiredTokenException",
    "IncompleteSignature",
    "IncompleteSignatureException",
    "InvalidClientTokenId",
    "InvalidSignatureException",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
    "UnrecognizedClientException",
}
THROTTLED = {
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
}
NOT_THERE = {"ResourceNotFound", "ResourceNotFoundException"}
MODEL_FAILED = {"ModelError", "ModelErrorException"}
INVALID = {"InputValidationError", "ValidationError", "ValidationException", "BadRequestException"}

_NETWORK = {
    "AWS_IO_DNS_INVALID_NAME": "its name can't be resolved",
    "AWS_IO_DNS_NO_ADDRESS_FOR_HOST": "its name can't be resolved",
    "AWS_IO_DNS_QUERY_FAILED": "its name can't be resolved",
    "AWS_IO_SOCKET_CLOSED": "the connection was closed",
    "AWS_IO_SOCKET_CONNECTION_REFUSED": "the connection was refused",
    "AWS_IO_SOCKET_NETWORK_DOWN": "there is no network",
    "AWS_IO_SOCKET_NO_ROUTE_TO_HOST": "there is no route to it",
    "AWS_IO_SOCKET_TIMEOUT": "the connection wasn't answered",
    "AWS_IO_TLS_ERROR_NEGOTIATION_FAILURE": "TLS failed",
    "AWS_IO_TLS_NEGOTIATION_TIMEOUT": "TLS wasn't answered",
}
"""What the run time of AWS calls it."""
AT_PORT = " (port 8443 must be open in security groups and interface endpoints)"


def refusal(endpoint: str, status: int, headers: Mapping[str, str], body: bytes) -> SessionError:
    """Return the error that an answer without a stream is.

    Args:
        endpoint: Its name.
        status: Of HTTP.
        headers: By their names in lower case.
        body: As far as it was read.
    """
    told = _told(body)
    code = headers.get("x-amzn-errortype") or str(told.get("__type") or told.get("code") or "")
    code = code.partition(":")[0].rpartition("#")[2]
    message = str(told.get("Message") or told.get("message") or "")
    return by_code(endpoint, code, message, status=status, original_status=told.get("OriginalStatusCode"))


def by_code(
    endpoint: str,
    code: str,
    message: str,
    *,
    status: int,
    original_status: object = None,
    permission: str = PERMISSION,
) -> SessionError:
    """Return the error that the service's ``code`` and ``message`` mean.

    Args:
        endpoint: Its name.
        code: As the service calls it.
        message: In its words.
        status: Of HTTP.
        original_status: What the container answered, if the service said so.
        permission: That the credentials need.
    """
    said = _said(code, message)
    if code in THROTTLED or status == 429:
        return EndpointThrottled(endpoint)
    if code in NOT_LET_IN or status in {401, 403}:
        return EndpointRefused(endpoint, f"these credentials may not use it; they need {permission}{said}")
    if code in NOT_THERE or status == 404 or (code in INVALID and "not found" in message.lower()):
        return EndpointRefused(endpoint, f"there is no endpoint of this name in this account and region{said}")
    if code in MODEL_FAILED or status == 424:
        answered = "" if original_status is None else f", and answered {original_status}"
        return EndpointFailed(endpoint, f"its container took no session{answered}{said}")
    if status >= 500:
        return EndpointFailed(endpoint, f"the service failed{said}")
    return EndpointRefused(endpoint, f"the service refuses the request with {status}{said}")


def network_error(url: str, name: str) -> ConnectFailed:
    """Return the error that the run time of AWS calls ``name``, met while connecting to ``url``."""
    return ConnectFailed(url, _NETWORK.get(name, name) + AT_PORT)


def untrusted(endpoint: str, url: str, why: str) -> EndpointRefused:
    """Return the error that a certificate of ``url`` is which isn't trusted: asking again would not mend that."""
    whom = "AWS_CA_BUNDLE or ca_file names who may have signed it"
    return EndpointRefused(endpoint, f"TLS failed: the certificate of {url} isn't trusted ({why.rstrip('.')}); {whom}")


def unanswered(endpoint: str, url: str, waited_s: float, obstacle: str) -> SessionError:
    """Return the error that a connection is which nobody answers.

    Args:
        endpoint: Its name.
        url: Of the service.
        waited_s: For how long it was waited for.
        obstacle: What is in the way: another attempt may help, unless it is the ``port``.
    """
    within = f"within {round(waited_s, 1):g} s"
    if obstacle == "name":
        return ConnectFailed(url, f"its name can't be resolved {within}")
    reason = f"no connection {within}{AT_PORT}"
    return EndpointRefused(endpoint, f"{url}: {reason}") if obstacle == "port" else ConnectFailed(url, reason)


def _told(body: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _said(code: str, message: str) -> str:
    words = ": ".join(part for part in (code, message[:MAX_MESSAGE]) if part)
    return f" ({words})" if words else ""
