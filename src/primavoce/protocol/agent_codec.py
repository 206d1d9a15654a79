"""The agent's messages to frames and back."""

import msgspec

from primavoce.errors import InvalidField, InvalidRequest, UnknownType
from primavoce.protocol.agent import (
    AgentPing,
    AgentPong,
    AnyAgentEvent,
    AnyAgentMessage,
    CancelAnswer,
    Played,
    Prompt,
)
from primavoce.protocol.codec import Rejected, decode_json, explain, invalid_id, usable_id

AGENT_MESSAGES: dict[str, type[AnyAgentMessage]] = {
    "prompt": Prompt,
    "cancel": CancelAnswer,
    "played": Played,
    "ping": AgentPing,
}
POSTED = ("prompt", "cancel")
"""What a request over HTTP may be."""
_FIELDS = {
    "played_s": InvalidField("played_s", "must be a number of seconds, 0 or more"),
    "events": InvalidField("events", "must be a list of 'words'"),
    "mode": InvalidField("mode", "must be 'stream' (or 'bidi'), 'batch' or 'text_complete'"),
    "transport": InvalidField("transport", "must be 'events' or 'binary'"),
}
_encoder = msgspec.json.Encoder()


def encode_event(event: AnyAgentEvent | AgentPong) -> bytes:
    """Return ``event`` as a JSON object, in UTF-8; audio in it is base64."""
    return _encoder.encode(event)


def decode_agent(frame: str | bytes) -> AnyAgentMessage | Rejected:
    """Return the message in a listener's text or binary ``frame``, or why there is none."""
    found = decode_json(frame)
    return found if isinstance(found, Rejected) else decode_agent_object(found)


def decode_agent_object(found: dict[str, object]) -> AnyAgentMessage | Rejected:
    """Return the message that a parsed JSON object is, or why it is none."""
    given = found.get("request_id")
    request_id = usable_id(given)
    tag = found.get("type", "prompt")
    kind = AGENT_MESSAGES.get(tag) if isinstance(tag, str) else None
    if kind is None:
        return Rejected(UnknownType(tuple(AGENT_MESSAGES)), request_id)
    if given is not None and request_id is None:
        return Rejected(invalid_id(), None)
    try:
        message = msgspec.convert({**found, "type": tag}, kind)
    except msgspec.ValidationError as error:
        return Rejected(_explain(error), request_id)
    if isinstance(message, Prompt):
        if not message.prompt.strip():
            return Rejected(InvalidField("prompt", "must have something in it"), request_id)
        if message.sample_rate is not None and not float(message.sample_rate).is_integer():
            return Rejected(InvalidField("sample_rate", "must be a whole number"), request_id)
    return message


def _explain(error: msgspec.ValidationError) -> InvalidRequest:
    told = explain(str(error))
    return _FIELDS.get(told.field, told) if isinstance(told, InvalidField) else told
