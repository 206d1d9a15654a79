"""What a service of AWS answers instead of a stream."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from primavoce.testing.aws.faults import Trouble


@dataclass(frozen=True, slots=True)
class Refusal:
    """One answer that refuses."""

    status: int
    """Of HTTP."""
    kind: str
    """The error's name, as its service calls it; none where the service names none."""
    told: Mapping[str, object] = field(default_factory=dict)
    """The error's fields."""


class Answering(Protocol):
    """A request that can be answered, by whatever HTTP."""

    async def answer(self, status: int, headers: Mapping[str, str], body: bytes | None = None) -> None:
        """Begin the answer; with a body, give all of it."""


async def refuse(request: Answering, refusal: Refusal) -> None:
    """Answer ``request`` with ``refusal``."""
    headers = {"content-type": "application/json", "x-amzn-requestid": "of-the-front"}
    if refusal.kind:
        headers["x-amzn-errortype"] = refusal.kind
    await request.answer(refusal.status, headers, json.dumps(refusal.told).encode())


_BY_ALL: Mapping[Trouble, Refusal] = {
    Trouble.ACCESS_DENIED: Refusal(403, "AccessDeniedException", {"Message": "User is not authorized to perform this"}),
    Trouble.THROTTLING: Refusal(400, "ThrottlingException", {"Message": "Rate exceeded"}),
}
_NO_ENDPOINT = {"message": "Endpoint speech of account 000000000000 not found."}
_FAILED = {"Message": "The request processing has failed because of an unknown error"}
_UNAVAILABLE = {"Message": "The service is unavailable"}

OF_SESSIONS: Mapping[Trouble, Refusal] = {
    **_BY_ALL,
    Trouble.NO_ENDPOINT: Refusal(400, "InputValidationError", _NO_ENDPOINT),
    Trouble.MODEL_ERROR: Refusal(
        424, "ModelError", {"Message": "Failed to establish WebSocket connection", "OriginalStatusCode": 424}
    ),
    Trouble.INTERNAL_ERROR: Refusal(500, "InternalServerError", _FAILED),
    Trouble.UNAVAILABLE: Refusal(503, "ServiceUnavailableError", _UNAVAILABLE),
}
"""Of streams in both directions."""


def model_error(status: int, said: bytes) -> Refusal:
    """Return what a container's own refusal becomes, where only its answers are streamed; 0 for none in time."""
    return Refusal(
        424,
        "ModelError",
        {
            "Message": f"Received an error ({status}) from primary",
            "OriginalStatusCode": status,
            "OriginalMessage": said.decode("utf-8", "replace"),
            "LogStreamArn": "",
        },
    )


OF_RESPONSE_STREAMS: Mapping[Trouble, Refusal] = {
    **_BY_ALL,
    Trouble.NO_ENDPOINT: Refusal(400, "ValidationError", _NO_ENDPOINT),
    Trouble.MODEL_ERROR: model_error(500, b""),
    Trouble.INTERNAL_ERROR: Refusal(500, "InternalFailure", _FAILED),
    Trouble.UNAVAILABLE: Refusal(503, "ServiceUnavailable", _UNAVAILABLE),
}
"""Of streams of responses; the service calls some by other names."""
