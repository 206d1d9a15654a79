"""An utterance of a response stream's, and what is told of its end."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import anyio

from primavoce.errors import PrimavoceError, RequestFailed
from primavoce.protocol.messages import Cancelled, Error


@dataclass(slots=True, eq=False)
class CalledUtterance:
    """An utterance that is, or will be, a call of its own."""

    request_id: str
    options: Mapping[str, object]
    text: str
    complete: bool
    is_started: bool = False
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    sent_bytes: int = 0
    bytes_a_second: int = 48_000


def error_of(request_id: str | None, error: PrimavoceError) -> Error:
    """Return how the client is told of ``error``."""
    message = error.message if isinstance(error, RequestFailed) else str(error)
    return Error(request_id=request_id, code=error.code, message=message, retryable=error.retryable)


def cancelled(utterance: CalledUtterance) -> Cancelled:
    """Return how the client is told that ``utterance`` was stopped; of what was heard, nothing is known."""
    return Cancelled(
        request_id=utterance.request_id,
        audio_sent_s=round(utterance.sent_bytes / utterance.bytes_a_second, 6),
        spoken_text="",
        spoken_characters=0,
    )
