import binascii
import struct
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.testing.aws.event_stream import (
    MAX_HEADERS_BYTES,
    MAX_PAYLOAD_BYTES,
    MAX_VALUE_BYTES,
    BadMessage,
    MessageReader,
    TooLarge,
    check_size,
    decode,
    encode,
)
from tests.testing.aws.preludes import prelude

HEADERS = st.dictionaries(
    st.text(min_size=1, max_size=20).filter(lambda name: len(name.encode()) < 200),
    st.one_of(
        st.text(max_size=100),
        st.binary(max_size=100),
        st.integers(0, 7_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    ),
    max_size=5,
)


@given(HEADERS, st.binary(max_size=1000))
def test_what_is_encoded_is_decoded(headers: dict, payload: bytes) -> None:
    message = decode(encode(headers, payload))

    assert (dict(message.headers), message.payload) == (headers, payload)


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=5), st.data())
def test_blocks_may_end_anywhere(payloads: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(encode({":event-type": "PayloadPart"}, payload) for payload in payloads)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    reader = MessageReader()

    found = [
        message.payload
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        for message in reader.push(stream[start:end])
    ]

    assert found == payloads
    assert not reader.inside


def test_a_message_as_others_write_it() -> None:
    # The first message of the test vectors that the SDKs of AWS share: no headers, no payload.
    assert encode({}) == bytes.fromhex("00000010000000000" + "5c248eb7d98c8ff")
    assert dict(decode(encode({})).headers) == {}


def test_all_types_of_headers_can_be_read() -> None:
    block = (
        b"\x01a\x00\x01b\x01\x01c\x02\xff\x01d\x03\x01\x00\x01e\x04\x00\x00\x00\x05"
        b"\x01f\x05\x00\x00\x00\x00\x00\x00\x00\x06\x01g\x09" + b"\x01" * 16
    )
    prelude = struct.pack(">II", 16 + len(block), len(block))
    message = prelude + struct.pack(">I", binascii.crc32(prelude)) + block
    message += struct.pack(">I", binascii.crc32(message))

    found = decode(message).headers

    assert found == {"a": True, "b": False, "c": -1, "d": 256, "e": 5, "f": 6, "g": b"\x01" * 16}


@pytest.mark.parametrize("place", [0, 5, 9, 20, -1])
def test_a_changed_byte_is_noticed(place: int) -> None:
    message = bytearray(encode({"name": "value"}, b"payload"))
    message[place] ^= 1

    with pytest.raises(BadMessage):
        decode(bytes(message))


def test_more_than_one_message_is_not_one() -> None:
    with pytest.raises(BadMessage, match="not one whole message"):
        decode(encode({}, b"a") + encode({}, b"b"))


def test_the_limits_are_those_of_awss_own_library() -> None:
    events = pytest.importorskip("smithy_aws_event_stream.events")

    assert MAX_PAYLOAD_BYTES == events.MAX_PAYLOAD_LENGTH
    assert MAX_HEADERS_BYTES == events.MAX_HEADERS_LENGTH
    assert MAX_VALUE_BYTES == events.MAX_HEADER_VALUE_BYTE_LENGTH


@pytest.mark.parametrize(("payload_bytes", "headers_bytes"), [(MAX_PAYLOAD_BYTES, 0), (0, MAX_HEADERS_BYTES)])
def test_a_message_as_large_as_it_may_be_is_waited_for(payload_bytes: int, headers_bytes: int) -> None:
    reader = MessageReader()

    assert reader.push(prelude(payload_bytes, headers_bytes)) == []
    assert reader.inside
    check_size(headers_bytes, payload_bytes)


@pytest.mark.parametrize(
    ("payload_bytes", "headers_bytes", "said"),
    [(MAX_PAYLOAD_BYTES + 1, 0, "a payload of 16777217 bytes"), (0, MAX_HEADERS_BYTES + 1, "headers of 131073 bytes")],
)
def test_a_larger_message_is_refused_before_it_has_come(payload_bytes: int, headers_bytes: int, said: str) -> None:
    with pytest.raises(TooLarge, match=said):
        MessageReader().push(prelude(payload_bytes, headers_bytes))


def test_a_larger_message_is_not_sent() -> None:
    with pytest.raises(TooLarge, match="a payload of"):
        encode({}, bytes(MAX_PAYLOAD_BYTES + 1))
    with pytest.raises(TooLarge, match="headers of"):
        encode({str(number): "a" * 30_000 for number in range(5)})


def test_a_headers_value_is_limited_too() -> None:
    assert decode(encode({"a": "b" * MAX_VALUE_BYTES})).headers["a"] == "b" * MAX_VALUE_BYTES
    with pytest.raises(TooLarge, match="header a: a value of 32768 bytes"):
        encode({"a": "b" * (MAX_VALUE_BYTES + 1)})

    block = b"\x01a\x07" + struct.pack(">H", 32768) + b"b" * 32768
    message = prelude(0, len(block)) + block
    with pytest.raises(TooLarge, match="header a: a value of 32768 bytes"):
        decode(message + struct.pack(">I", binascii.crc32(message)))
