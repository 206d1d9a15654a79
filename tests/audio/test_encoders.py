"""Encoders: what comes out can be decoded, is as long as what went in, and comes early."""

import io
from dataclasses import dataclass

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from primavoce.audio.encoders import encoder_for, with_true_length
from primavoce.audio.flac import with_length
from primavoce.audio.formats import FORMATS
from primavoce.audio.wav import HEADER_BYTES

COMBINATIONS = [(each.name, rate) for each in FORMATS.values() for rate in each.rates]
SMALL = {"pcm": 0.0, "wav": 0.0, "mulaw": 0.0, "alaw": 0.0, "flac": 0.5, "opus": 0.1, "mp3": 0.08}
"""Seconds of audio after which the first audio comes, at most: of MP3 at low rates."""
MP3_PADDING_S = 0.3
"""LAME's own delay, and what fills its last frame: at 8 kHz a frame has 72 ms."""


def tone(rate: int, seconds: float = 2.0) -> np.ndarray:
    """Return a tone that rises, as 16-bit samples: no two stretches of it are alike."""
    time_s = np.arange(round(rate * seconds)) / rate
    return (9000 * np.sin(2 * np.pi * (200 + 150 * time_s) * time_s)).astype("<i2")


@dataclass(frozen=True)
class Encoded:
    """A tone, encoded in pieces."""

    data: bytes
    first_audio_s: float
    """Seconds of audio that were pushed when the first came out."""


def encoded(name: str, rate: int, samples: np.ndarray, pieces: int = 100) -> Encoded:
    encoder = encoder_for(name, rate)
    data, first, pushed = b"", None, 0
    for piece in np.array_split(samples, pieces):
        data += encoder.push(piece.tobytes())
        pushed += piece.size
        if first is None and len(data) > encoder.header_bytes:
            first = pushed / rate
    return Encoded(data + encoder.flush(), first or 0.0)


def whole(name: str, rate: int, pcm: bytes) -> bytes:
    encoder = encoder_for(name, rate)
    return with_true_length(name, encoder.push(pcm) + encoder.flush(), samples=len(pcm) // 2, sample_rate=rate)


def decoded(name: str, rate: int, data: bytes, *, count: int) -> np.ndarray:
    """Return the samples, of which there should be ``count``."""
    if name == "flac":
        data = with_length(data, count)
    if name == "pcm":
        return np.frombuffer(data, "<i2")
    if name in {"mulaw", "alaw"}:
        subtype = "ULAW" if name == "mulaw" else "ALAW"
        found, _ = soundfile.read(
            io.BytesIO(data), dtype="int16", format="RAW", subtype=subtype, samplerate=rate, channels=1
        )
    elif name == "wav":
        return np.frombuffer(data[HEADER_BYTES:], "<i2")
    else:
        found, found_rate = soundfile.read(io.BytesIO(data), dtype="int16")
        assert found_rate == rate
    return found


@pytest.mark.parametrize(("name", "rate"), COMBINATIONS)
def test_what_is_encoded_can_be_decoded_and_is_as_long(name: str, rate: int) -> None:
    samples = tone(rate)

    found = decoded(name, rate, encoded(name, rate, samples).data, count=samples.size)

    missing_s = (found.size - samples.size) / rate
    assert 0 <= missing_s <= (MP3_PADDING_S if name == "mp3" else 0.0)
    spectra = [np.abs(np.fft.rfft(each.astype(float), n=found.size)) for each in (samples, found)]
    likeness = np.dot(*spectra) / np.prod([np.linalg.norm(each) for each in spectra])
    assert likeness > 0.99


@pytest.mark.parametrize(("name", "rate"), COMBINATIONS)
def test_the_first_audio_comes_early(name: str, rate: int) -> None:
    assert encoded(name, rate, tone(rate)).first_audio_s <= SMALL[name] + 0.021


@pytest.mark.parametrize("name", ["pcm", "wav", "flac"])
def test_what_loses_nothing_gives_the_same_samples_back(name: str) -> None:
    samples = tone(24_000)

    found = decoded(name, 24_000, encoded(name, 24_000, samples).data, count=samples.size)

    np.testing.assert_array_equal(found, samples)


@pytest.mark.parametrize(("name", "rate"), COMBINATIONS)
@settings(max_examples=5)
@given(cuts=st.lists(st.integers(0, 4000), max_size=6))
def test_it_makes_no_difference_where_the_audio_is_cut(name: str, rate: int, cuts: list[int]) -> None:
    samples = tone(rate, 0.5)
    in_pieces, whole = encoder_for(name, rate), encoder_for(name, rate)

    pieces = np.split(samples, sorted(cut % samples.size for cut in cuts))
    data = b"".join(in_pieces.push(piece.tobytes()) for piece in pieces) + in_pieces.flush()
    once = whole.push(samples.tobytes()) + whole.flush()

    found, expected = (decoded(name, rate, each, count=samples.size) for each in (data, once))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("name", "rate"), COMBINATIONS)
def test_no_audio_is_an_empty_stream(name: str, rate: int) -> None:
    encoder = encoder_for(name, rate)

    data = encoder.push(b"") + encoder.flush()

    assert len(data) == (HEADER_BYTES if name == "wav" else 0)


def test_an_unknown_format_has_no_encoder() -> None:
    with pytest.raises(KeyError):
        encoder_for("aac", 24_000)


@pytest.mark.parametrize(("name", "rate"), COMBINATIONS)
def test_what_is_encoded_whole_tells_its_true_length(name: str, rate: int) -> None:
    samples = tone(rate)

    data = whole(name, rate, samples.tobytes())

    if name in {"wav", "flac", "opus", "mp3"}:
        found, found_rate = soundfile.read(io.BytesIO(data), dtype="int16")
        assert found_rate == rate
        assert 0 <= found.size - samples.size <= (MP3_PADDING_S * rate if name == "mp3" else 0)
    else:
        assert decoded(name, rate, data, count=samples.size).size == samples.size


@pytest.mark.parametrize("name", FORMATS)
def test_no_audio_whole_is_nothing_but_a_wavs_header(name: str) -> None:
    assert len(whole(name, FORMATS[name].rates[0], b"")) == (HEADER_BYTES if name == "wav" else 0)
