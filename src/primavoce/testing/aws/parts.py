"""The events of SageMaker's streams: parts of what is said, and what went wrong."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from primavoce.testing.aws.event_stream import BadMessage, Message, TooLarge, encode

UTF8, BINARY = "UTF8", "BINARY"
PARTIAL, COMPLETE = "PARTIAL", "COMPLETE"


@dataclass(frozen=True, slots=True)
class Part:
    """A part, as a client sent it."""

    payload: bytes
    data_type: str | None
    state: str | None
    """Whether more of its message follows; one without is a message by itself."""

    @property
    def is_text(self) -> bool:
        """Whether its frame is a text; without a type, it isn't."""
        return self.data_type == UTF8

    @property
    def is_last(self) -> bool:
        """Whether its message ends with it."""
        return self.state != PARTIAL


def part_of(message: Message, most_bytes: int) -> Part:
    """Return the part that a client's ``message`` carries.

    Raises:
        BadMessage: it carries none, or names a type or a state that there isn't; `TooLarge` if it is too long.
    """
    told = message.headers
    if (told.get(":message-type"), told.get(":event-type")) != ("event", "PayloadPart"):
        raise BadMessage(f"an event of another kind: {dict(told)}")
    return Part(
        _within(message.payload, most_bytes),
        _one_of(told.get("DataType"), UTF8, BINARY),
        _one_of(told.get("CompletionState"), PARTIAL, COMPLETE),
    )


def _within(payload: bytes, most_bytes: int) -> bytes:
    if len(payload) > most_bytes:
        raise TooLarge(f"a part of {len(payload)} bytes; {most_bytes} are the most")
    return payload


def _one_of(found: object, *known: str) -> str | None:
    if found is None or found in known:
        return None if found is None else str(found)
    raise BadMessage(f"{found!r} is neither {' nor '.join(known)}")


def part(payload: bytes, data_type: str | None = None, state: str | None = None) -> bytes:
    """Return an event that carries ``payload``; parts of streams of responses have neither type nor state."""
    more = {"DataType": data_type, "CompletionState": state}
    return encode(
        {
            ":message-type": "event",
            ":event-type": "PayloadPart",
            ":content-type": "application/octet-stream",
            **{name: value for name, value in more.items() if value is not None},
        },
        payload,
    )


def exception(kind: str, told: Mapping[str, object]) -> bytes:
    """Return an event that says what went wrong, of those that the service's model knows."""
    return encode(
        {":message-type": "exception", ":exception-type": kind, ":content-type": "application/json"},
        json.dumps(told).encode(),
    )


def error(code: str, message: str) -> bytes:
    """Return an event that says what went wrong, of those that no model knows."""
    return encode({":message-type": "error", ":error-code": code, ":error-message": message})
