import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.errors import ProtocolViolation
from primavoce.protocol.codec import CLIENT_MESSAGES, Rejected, classify, decode_client, decode_server, encode
from primavoce.protocol.messages import Cancel, Close, End, Flush, Ping, Pong, SessionComplete, Synthesize, Text

IDS = st.none() | st.text(min_size=1, max_size=20).filter(lambda text: text.isprintable())
OPTIONS = {
    "voice": st.none() | st.text(max_size=20),
    "speed": st.none() | st.floats(allow_nan=False, allow_infinity=False),
    "sample_rate": st.none() | st.integers(0, 2**31),
    "request_id": IDS,
    "events": st.none() | st.lists(st.sampled_from(["segments", "words"]), max_size=3).map(tuple),
}
MESSAGES = st.one_of(
    st.builds(Synthesize, text=st.text(), **OPTIONS),
    st.builds(Text, text=st.text(), **OPTIONS),
    st.builds(Flush, request_id=IDS),
    st.builds(End, request_id=IDS),
    st.builds(Cancel, request_id=IDS, played_s=st.none() | st.floats(0, 1e6)),
    st.builds(Ping, request_id=IDS),
    st.just(Close()),
)


@given(MESSAGES, st.booleans())
def test_decode_undoes_encode(message: object, as_bytes: bool) -> None:
    frame = encode(message)  # type: ignore[arg-type]

    assert decode_client(frame.encode() if as_bytes else frame) == message


def test_a_request_may_leave_out_its_type() -> None:
    assert decode_client('{"text": "Hi."}') == Synthesize(text="Hi.")


def test_what_the_published_samples_client_sends_is_a_request() -> None:
    frame = b'{"text": "Hi.", "voice": "af_heart", "request_timestamp": 1.5, "speed": 1.0, "sample_rate": 16000}'

    message = decode_client(frame)

    assert message == Synthesize(text="Hi.", voice="af_heart", request_timestamp=1.5, speed=1.0, sample_rate=16000)


@pytest.mark.parametrize(
    ("frame", "code", "request_id"),
    [
        ("", "empty_frame", None),
        (b"", "empty_frame", None),
        (b"\xff\xfe", "invalid_utf8", None),
        ("\ud800", "invalid_utf8", None),
        ("hello", "invalid_json", None),
        ('{"text": "a"', "invalid_json", None),
        ("[" * 100_000, "invalid_json", None),
        ('{"text": "\\ud800"}', "invalid_json", None),
        ('{"text": "a", "played_s": NaN}', "invalid_json", None),
        ("[1]", "invalid_message", None),
        ('"text"', "invalid_message", None),
        ("null", "invalid_message", None),
        ("3", "invalid_message", None),
        ('{"type": "shout", "request_id": "r"}', "unknown_type", "r"),
        ('{"type": 3}', "unknown_type", None),
        ('{"text": "a", "txet": "b", "request_id": "r"}', "unknown_field", "r"),
        ('{"request_id": "r"}', "invalid_field", "r"),
        ('{"text": 3, "request_id": "r"}', "invalid_field", "r"),
        ('{"text": "a", "request_id": 3}', "invalid_field", None),
        ('{"text": "a", "request_id": ""}', "invalid_field", None),
        ('{"text": "a", "sample_rate": "fast"}', "invalid_field", None),
        ('{"text": "a", "events": ["visemes"]}', "invalid_field", None),
        ('{"text": "a", "events": "segments"}', "invalid_field", None),
        ('{"text": "a", "speed": "fast", "request_id": "r"}', "invalid_speed", "r"),
        ('{"text": "a", "speed": true}', "invalid_speed", None),
        ('{"text": "a", "speed": NaN, "request_id": "r"}', "invalid_speed", "r"),
        ('{"text": "a", "speed": Infinity}', "invalid_speed", None),
        ('{"type": "cancel", "text": "a"}', "unknown_field", None),
    ],
)
def test_a_frame_that_is_no_message_is_rejected_with_its_code(
    frame: str | bytes, code: str, request_id: str | None
) -> None:
    found = decode_client(frame)

    assert isinstance(found, Rejected)
    assert (found.error.code, found.request_id) == (code, request_id)


def test_a_rejection_repeats_no_text_of_the_message() -> None:
    found = decode_client('{"text": 3, "voice": "secret"}')

    assert isinstance(found, Rejected)
    assert str(found.error) == "field 'text': must be a string"


@given(st.binary(max_size=60) | st.text(max_size=60) | st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "speed"]), inner),
    max_leaves=8,
).map(json.dumps))  # fmt: skip
def test_any_frame_is_a_message_or_rejected(frame: str | bytes) -> None:
    found = decode_client(frame)

    assert isinstance(found, (Rejected, *CLIENT_MESSAGES.values()))


def test_a_server_message_may_have_fields_that_are_not_known_yet() -> None:
    assert decode_server('{"type": "pong", "request_id": null, "later": 1}') == Pong()


@pytest.mark.parametrize("frame", ["", "x", "[]", "{}", '{"type": "shout"}', '{"type": "segment"}'])
def test_a_control_frame_that_is_no_message_breaks_the_protocol(frame: str) -> None:
    with pytest.raises(ProtocolViolation):
        decode_server(frame)


class TestClassify:
    """The one rule that tells control from audio."""

    def test_where_frames_have_types_binary_is_audio_even_if_it_reads_as_json(self) -> None:
        assert classify(b'{"type":"pong"}', typed=True) == b'{"type":"pong"}'

    def test_where_frames_have_no_types_a_json_object_is_control(self) -> None:
        assert classify(b'{"type":"session_complete"}', typed=False) == SessionComplete()

    @pytest.mark.parametrize("frame", [b"{\x00", b"{\x01\x02\x03", b"[1]", b'{"a":1}x', b"\x00{}", b"", b'{"a":\xff}'])
    def test_what_only_begins_like_json_is_audio(self, frame: bytes) -> None:
        assert classify(frame, typed=False) == frame
