"""Messages to frames and back.

A frame of control is a JSON object, in a text frame or, where the transport types nothing, in a binary one.
Audio is everything else: `classify` is the one place that tells them apart.
"""

import json
import math
import re
from dataclasses import dataclass

import msgspec

from primavoce.audio.framing import is_json_object
from primavoce.errors import (
    EmptyFrame,
    InvalidField,
    InvalidJson,
    InvalidMessage,
    InvalidRequest,
    InvalidSpeed,
    InvalidUtf8,
    ProtocolViolation,
    UnknownField,
    UnknownType,
)
from primavoce.protocol.messages import (
    AnyClientMessage,
    AnyServerMessage,
    Cancel,
    Close,
    End,
    Flush,
    Ping,
    SetLexicon,
    Synthesize,
    Text,
)

CLIENT_MESSAGES: dict[str, type[AnyClientMessage]] = {
    "synthesize": Synthesize,
    "text": Text,
    "flush": Flush,
    "end": End,
    "cancel": Cancel,
    "ping": Ping,
    "lexicon": SetLexicon,
    "close": Close,
}
NAME_LENGTH = 80
"""Characters of a stranger's own name (a field, an id) that an error repeats."""
MAX_ID_LENGTH = 200
"""Characters of a request id."""

_JSON_NAMES = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
_encoder = msgspec.json.Encoder()
_server_decoder = msgspec.json.Decoder(AnyServerMessage)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A client's frame that is no message."""

    error: InvalidRequest
    request_id: str | None
    """The id it carried, if that much could be read."""


def encode(message: AnyClientMessage | AnyServerMessage) -> str:
    """Return ``message`` as the text of a frame."""
    return _encoder.encode(message).decode()


def decode_client(frame: str | bytes) -> AnyClientMessage | Rejected:
    """Return the message in a client's text or binary ``frame``, or why there is none."""
    found = decode_json(frame)
    return found if isinstance(found, Rejected) else decode_object(found)


def decode_json(frame: str | bytes) -> dict[str, object] | Rejected:
    """Return the JSON object in ``frame``, or why there is none."""
    if not frame:
        return Rejected(EmptyFrame(), None)
    try:
        text = frame.decode() if isinstance(frame, bytes) else frame
        text.encode()  # a lone surrogate in a text frame is as unsendable as a broken byte
    except UnicodeError:
        return Rejected(InvalidUtf8(), None)
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        return _not_json(text, str(error) if isinstance(error, msgspec.DecodeError) else "too deeply nested")
    if not isinstance(found, dict):
        return Rejected(InvalidMessage(_JSON_NAMES.get(type(found), "null")), None)
    return found


def decode_object(found: dict[str, object]) -> AnyClientMessage | Rejected:
    """Return the message that a parsed JSON object is, or why it is none."""
    given = found.get("request_id")
    request_id = usable_id(given)
    tag = found.get("type", "synthesize")
    kind = CLIENT_MESSAGES.get(tag) if isinstance(tag, str) else None
    if kind is None:
        return Rejected(UnknownType(tuple(CLIENT_MESSAGES)), request_id)
    if given is not None and request_id is None:
        return Rejected(invalid_id(), None)
    try:
        return msgspec.convert({**found, "type": tag}, kind)
    except msgspec.ValidationError as error:
        return Rejected(explain(str(error)), request_id)


def decode_server(text: str | bytes) -> AnyServerMessage:
    """Return the message in a server's control frame.

    Raises:
        ProtocolViolation: it is not one.
    """
    try:
        return _server_decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ProtocolViolation(f"a control frame that is no message ({type(error).__name__})") from error


def classify(frame: str | bytes, *, typed: bool) -> AnyServerMessage | bytes:
    """Tell a server's control from its audio.

    Args:
        frame: What arrived; ``str`` only where the transport knows text from binary.
        typed: Whether the transport carries a frame's type. If so the type decides. If not, a frame is control
            only when the whole of it parses as a JSON object; the server never emits audio for which that holds.

    Raises:
        ProtocolViolation: a control frame that is no message.
    """
    if isinstance(frame, str):
        return decode_server(frame)
    if not typed and is_json_object(frame):
        return decode_server(frame)
    return frame


def usable_id(given: object) -> str | None:
    """Return ``given`` if it may be a request id."""
    return given if isinstance(given, str) and 0 < len(given) <= MAX_ID_LENGTH else None


def invalid_id() -> InvalidField:
    """Return the error that says what a request id is."""
    return InvalidField("request_id", f"must be a string of 1 to {MAX_ID_LENGTH} characters")


def _not_json(text: str, reason: str) -> Rejected:
    """Say why ``text`` is not JSON, and pick out the one mistake that Python's and JavaScript's writers make.

    Many writers put ``NaN`` and ``Infinity`` where JSON has no word for them; as a speed, that is an invalid speed.
    """
    try:
        lenient = json.loads(text)
    except (ValueError, RecursionError):
        lenient = None
    if isinstance(lenient, dict):
        speed, given = lenient.get("speed"), lenient.get("request_id")
        if isinstance(speed, float) and not math.isfinite(speed):
            return Rejected(InvalidSpeed(), usable_id(given))
    return Rejected(InvalidJson(reason), None)


def explain(reason: str) -> InvalidRequest:
    """Return the error that a `msgspec.ValidationError`'s sentence stands for; its wording is pinned by tests."""
    if unknown := re.match(r"Object contains unknown field `(.*)`", reason, re.DOTALL):
        return UnknownField(unknown[1][:NAME_LENGTH])
    if missing := re.match(r"Object missing required field `(\w+)`", reason):
        return InvalidField(missing[1], "is required")
    place = re.search(r" - at `\$\.(\w+)", reason)
    if place and place[1] == "speed":
        return InvalidSpeed()
    if place and place[1] == "events":
        return InvalidField("events", "must be a list of 'segments' and 'words'")
    expected = re.match(r"Expected `([^`]+)`", reason)
    wanted = {"str | null": "a string", "str": "a string", "int | float | null": "a number", "float | null": "a number"}
    return InvalidField(
        place[1] if place else "message",
        f"must be {wanted.get(expected[1], expected[1])}" if expected else "is invalid",
    )
