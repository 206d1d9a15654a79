"""AWS's event stream (``application/vnd.amazon.eventstream``): messages to bytes, and back.

A message is a prelude of two lengths and their checksum, headers, a payload, and a checksum of it all.
"""

import binascii
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

type HeaderValue = bool | int | bytes | str | datetime

MEDIA_TYPE = "application/vnd.amazon.eventstream"
MAX_PAYLOAD_BYTES = 16 * 1024 * 1024
MAX_HEADERS_BYTES = 128 * 1024
MAX_VALUE_BYTES = 32 * 1024 - 1
"""Of one header's value. All three are the encoding's own, as AWS's libraries keep them."""
PRELUDE_BYTES = 12
AROUND_BYTES = PRELUDE_BYTES + 4
"""Of a message, what is neither headers nor payload."""

_INTEGERS = {2: 1, 3: 2, 4: 4, 5: 8}
"""Bytes of a header's value, by its type."""
_BYTES, _TEXT, _TIME, _UUID = 6, 7, 8, 9


class BadMessage(Exception):
    """What came is no message; its text says why."""


class TooLarge(BadMessage):
    """A message, or a part of one, is larger than it may be."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message."""

    headers: Mapping[str, HeaderValue]
    payload: bytes
    raw_headers: bytes = b""
    """The headers as they came; empty for a message of our own."""


def encode(headers: Mapping[str, HeaderValue], payload: bytes = b"") -> bytes:
    """Return a message as bytes.

    Raises:
        TooLarge: it may not be so large.
    """
    block = encode_headers(headers)
    check_size(len(block), len(payload))
    prelude = struct.pack(">II", AROUND_BYTES + len(block) + len(payload), len(block))
    message = prelude + struct.pack(">I", binascii.crc32(prelude)) + block + payload
    return message + struct.pack(">I", binascii.crc32(message))


def encode_headers(headers: Mapping[str, HeaderValue]) -> bytes:
    """Return headers as bytes: texts, bytes and times, which are all that is sent here.

    Raises:
        TooLarge: one of them may not be so large.
    """
    block = b""
    for name, value in headers.items():
        encoded = name.encode()
        block += bytes([len(encoded)]) + encoded
        match value:
            case str():
                block += bytes([_TEXT]) + _measured(name, value.encode())
            case bytes():
                block += bytes([_BYTES]) + _measured(name, value)
            case datetime():
                block += bytes([_TIME]) + struct.pack(">q", int(value.timestamp() * 1000))
            case _:
                raise BadMessage(f"header {name}: a {type(value).__name__} isn't sent here")
    return block


def _measured(name: str, value: bytes) -> bytes:
    if len(value) > MAX_VALUE_BYTES:
        raise TooLarge(f"header {name}: a value of {len(value)} bytes; {MAX_VALUE_BYTES} are the most")
    return struct.pack(">H", len(value)) + value


def check_size(headers_bytes: int, payload_bytes: int) -> None:
    """See that a message may be so large.

    Raises:
        TooLarge: it may not.
    """
    if headers_bytes > MAX_HEADERS_BYTES:
        raise TooLarge(f"headers of {headers_bytes} bytes; {MAX_HEADERS_BYTES} are the most")
    if payload_bytes > MAX_PAYLOAD_BYTES:
        raise TooLarge(f"a payload of {payload_bytes} bytes; {MAX_PAYLOAD_BYTES} are the most")


class MessageReader:
    """Reads messages from blocks that may end anywhere: push what was read, take what is whole by now."""

    def __init__(self) -> None:
        self._rest = b""

    def push(self, block: bytes) -> list[Message]:
        """Take ``block``, and return the messages that are now whole.

        Raises:
            BadMessage: what came is none; `TooLarge` as soon as it says how large it will be.
        """
        self._rest += block
        found = []
        while len(self._rest) >= PRELUDE_BYTES:
            total, headers_bytes, checksum = struct.unpack_from(">III", self._rest)
            if checksum != binascii.crc32(self._rest[:8]):
                raise BadMessage("the prelude's checksum is another")
            if total < AROUND_BYTES + headers_bytes:
                raise BadMessage(f"a message of {total} bytes, {headers_bytes} of them headers")
            check_size(headers_bytes, total - AROUND_BYTES - headers_bytes)
            if len(self._rest) < total:
                break
            found.append(_message(self._rest[:total], headers_bytes))
            self._rest = self._rest[total:]
        return found

    @property
    def inside(self) -> bool:
        """Whether a message has begun that isn't whole."""
        return bool(self._rest)


def decode(block: bytes) -> Message:
    """Return the one message that ``block`` is.

    Raises:
        BadMessage: it is none, or something follows.
    """
    reader = MessageReader()
    found = reader.push(block)
    if len(found) != 1 or reader.inside:
        raise BadMessage("not one whole message")
    return found[0]


def _message(whole: bytes, headers_bytes: int) -> Message:
    if struct.unpack(">I", whole[-4:])[0] != binascii.crc32(whole[:-4]):
        raise BadMessage("the message's checksum is another")
    block = whole[PRELUDE_BYTES : PRELUDE_BYTES + headers_bytes]
    try:
        headers = dict(_headers(block))
    except (IndexError, struct.error, UnicodeDecodeError, OverflowError) as error:
        raise BadMessage("headers that can't be read") from error
    return Message(headers, whole[PRELUDE_BYTES + headers_bytes : -4], block)


def _headers(block: bytes) -> Iterator[tuple[str, HeaderValue]]:
    at = 0
    while at < len(block):
        name_bytes = block[at]
        name = block[at + 1 : at + 1 + name_bytes].decode()
        kind = block[at + 1 + name_bytes]
        at += 2 + name_bytes
        size = _size(block, at, kind)
        at += 2 if kind in {_BYTES, _TEXT} else 0
        value = block[at : at + size]
        if size > MAX_VALUE_BYTES:
            raise TooLarge(f"header {name}: a value of {size} bytes; {MAX_VALUE_BYTES} are the most")
        if len(value) < size:
            raise IndexError
        at += size
        yield name, _value(kind, value)


def _size(block: bytes, at: int, kind: int) -> int:
    if kind in {_BYTES, _TEXT}:
        (size,) = struct.unpack_from(">H", block, at)
        return int(size)
    if kind in {0, 1}:
        return 0
    return {_TIME: 8, _UUID: 16, **_INTEGERS}[kind] if kind <= _UUID else -1


def _value(kind: int, value: bytes) -> HeaderValue:
    if kind in {0, 1}:
        return kind == 0
    if kind in _INTEGERS:
        return int.from_bytes(value, signed=True)
    if kind == _TEXT:
        return value.decode()
    if kind == _TIME:
        return datetime.fromtimestamp(int.from_bytes(value, signed=True) / 1000, UTC)
    return value
