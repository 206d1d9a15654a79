import binascii
import struct
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.testing.aws.event_stream import BadMessage, MessageReader, decode, encode

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
