"""What can be heard of bytes that have come."""

import pytest

from primavoce.audio.encoders import encoder_for
from primavoce.audio.formats import FORMATS
from primavoce.audio.wav import HEADER_BYTES
from primavoce.bench.aac import Aac
from primavoce.bench.decoding import can_be_heard, decode, first_heard
from primavoce.errors import SynthesisFailed
from tests.bench.clips import tone_clip

HEARD = [name for name in FORMATS if name not in {"mulaw", "alaw"}]
CLIP = tone_clip("One.", seconds=2.0)


def stream(name: str) -> list[bytes]:
    """Return `CLIP` as an encoder gives it out, in steps of 10 ms."""
    encoder = Aac() if name == "aac" else encoder_for(name, 24_000)
    steps = [CLIP.pcm[start : start + 480] for start in range(0, len(CLIP.pcm), 480)]
    return [*map(encoder.push, steps), encoder.flush()]


@pytest.mark.parametrize("name", HEARD)
def test_the_first_sample_is_heard_with_the_first_whole_frame_and_not_before(name: str) -> None:
    pieces = stream(name)

    first = first_heard(name, pieces)

    assert can_be_heard(name, b"".join(pieces[: first + 1]))
    assert can_be_heard(name, b"".join(pieces))
    assert not can_be_heard(name, b"".join(pieces[:first]))
    assert first * 0.01 < 0.25


@pytest.mark.parametrize(("name", "header"), [("wav", HEADER_BYTES), ("flac", 86), ("opus", 200)])
def test_there_is_nothing_to_hear_in_a_header(name: str, header: int) -> None:
    assert not can_be_heard(name, b"".join(stream(name))[:header])


@pytest.mark.parametrize("name", HEARD)
def test_nothing_is_never_heard(name: str) -> None:
    assert not can_be_heard(name, b"")
    with pytest.raises(SynthesisFailed):
        first_heard(name, [b"", b""])


@pytest.mark.parametrize("name", ["pcm", "wav"])
def test_samples_that_are_sent_as_they_are_come_out_as_they_were(name: str) -> None:
    decoded = decode(name, b"".join(stream(name)))

    assert (decoded * 32767).round().astype("<i2").tobytes() == CLIP.pcm


@pytest.mark.quality
@pytest.mark.parametrize("name", [*HEARD, "aac"])
def test_each_format_is_decoded_as_long_as_it_was(name: str) -> None:
    decoded = decode(name, b"".join(stream(name)))

    assert decoded.size / 24_000 == pytest.approx(2.0, abs=0.12)
    assert abs(decoded).max() == pytest.approx(8000 / 32767, rel=0.2)


@pytest.mark.quality
def test_aac_is_heard_with_its_first_frame() -> None:
    assert first_heard("aac", stream("aac")) < 25
