import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.audio.framing import FRAME_BYTES, Framer, is_json_object

TRICKY = st.lists(st.sampled_from([b"{", b"}", b'"', b":", b"a", b"0", b" ", b"\n", b"\x00", b"{}", b'{"a":0}']))
PIECES = st.lists(TRICKY.map(b"".join) | st.binary(max_size=20))


def frames_of(pieces: list[bytes], **options: int) -> list[bytes]:
    framer = Framer(**options)
    return [frame for piece in pieces for frame in framer.push(piece)] + framer.flush()


@given(PIECES, st.integers(2, 9))
def test_framing_loses_no_byte(pieces: list[bytes], samples: int) -> None:
    pcm = b"".join(pieces)
    whole = pcm[: len(pcm) // 2 * 2]

    frames = frames_of(pieces, frame_bytes=samples * 2)

    joined = b"".join(frames)
    extra = len(joined) - len(whole)
    if extra == 0:
        assert joined == whole
    else:  # only where an empty object could not be helped, and only silence
        assert extra % 2 == 0
        assert b"{}" in whole
        assert joined.replace(b"\x00", b"") == whole.replace(b"\x00", b"")


@given(PIECES, st.integers(2, 9))
def test_no_frame_is_a_message_or_too_long_or_half_a_sample(pieces: list[bytes], samples: int) -> None:
    frames = frames_of(pieces, frame_bytes=samples * 2)

    assert [frame for frame in frames if is_json_object(frame)] == []
    assert [frame for frame in frames if len(frame) > samples * 2 or len(frame) % 2 or not frame] == []


def test_audio_goes_out_at_once() -> None:
    framer = Framer()

    assert framer.push(b"\x01\x00\x02\x00") == [b"\x01\x00\x02\x00"]
    assert framer.flush() == []


def test_half_a_sample_waits_for_its_other_half() -> None:
    framer = Framer()

    assert framer.push(b"\x01\x00\x02") == [b"\x01\x00"]
    assert framer.push(b"\x03") == [b"\x02\x03"]


def test_a_long_part_is_cut_into_full_frames() -> None:
    sizes = [len(frame) for frame in Framer().push(bytes(2 * FRAME_BYTES + 10))]

    assert sizes == [FRAME_BYTES, FRAME_BYTES, 10]


def test_pcm_that_begins_with_a_brace_is_untouched() -> None:
    assert Framer().push(b"{\x00\x01\x02") == [b"{\x00\x01\x02"]


def test_pcm_that_is_a_json_object_is_cut_in_two() -> None:
    assert Framer().push(b'{"a": 1}') == [b'{"', b'a": 1}']


def test_an_empty_object_is_joined_with_what_follows() -> None:
    framer = Framer()

    assert framer.push(b"{}") == []
    assert framer.push(b"\x01\x02") == [b"{}\x01\x02"]


def test_an_empty_object_at_the_end_gets_a_sample_of_silence() -> None:
    framer = Framer()

    assert framer.push(b"{}  ") == []
    assert framer.flush() == [b"{}  \x00\x00"]
    assert framer.flush() == []


@pytest.mark.parametrize(
    ("frame", "is_object"),
    [
        (b"{}", True),
        (b' \n{"a": [1, {}]}\t', True),
        (b"[]", False),
        (b'"{}"', False),
        (b"{} {}", False),
        (b"{\x00}\x00", False),
        (b'{"a": "\xff"}', False),
        (b"", False),
        (b'{"a":' * 10_000, False),
    ],
)
def test_only_a_whole_json_object_in_utf_8_is_one(frame: bytes, is_object: bool) -> None:
    assert is_json_object(frame) is is_object
