import io
import math
import struct
import wave
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.audio.formats import ALL_RATES
from primavoce.audio.loudness import SoundDetector, first_sound_s, rms_dbfs
from primavoce.audio.pcm import from_pcm, to_pcm
from primavoce.audio.resample import Resampler
from primavoce.audio.wav import HEADER_BYTES, UNKNOWN_SIZE, WavWriter, header, streaming_header


@pytest.mark.parametrize(
    ("sample", "number"),
    [(0.0, 0), (1.0, 32767), (-1.0, -32767), (1.05, 32767), (-3.0, -32767), (math.nan, 0), (math.inf, 32767)],
)
def test_samples_beyond_full_scale_are_clipped_and_never_wrapped(sample: float, number: int) -> None:
    assert to_pcm(np.array([sample], np.float32)) == struct.pack("<h", number)


@given(st.lists(st.integers(-32767, 32767)))
def test_to_pcm_undoes_from_pcm(numbers: list[int]) -> None:
    pcm = struct.pack(f"<{len(numbers)}h", *numbers)

    assert to_pcm(from_pcm(pcm)) == pcm


@pytest.mark.parametrize("rate", ALL_RATES)
def test_resampling_in_parts_is_resampling_the_whole(rate: int) -> None:
    samples = np.sin(np.arange(24_000) * 0.05).astype(np.float32)
    whole, cut = Resampler(24_000, rate), Resampler(24_000, rate)

    one = np.concatenate([whole.push(samples), whole.flush()])
    parts = np.concatenate([*[cut.push(part) for part in np.array_split(samples, 7)], cut.flush()])

    assert one.size == pytest.approx(rate, abs=1)
    assert np.abs(one - parts).max() < 1e-6


def test_an_equal_rate_changes_nothing() -> None:
    samples = np.ones(10, np.float32)

    assert Resampler(24_000, 24_000).push(samples) is samples


def test_a_wav_file_has_true_sizes(tmp_path: Path) -> None:
    with (tmp_path / "a.wav").open("wb") as file:
        writer = WavWriter(file, 16_000)
        writer.write(b"\x01\x00" * 100)
        writer.write(b"\x02\x00" * 100)
        writer.close()

    with wave.open(str(tmp_path / "a.wav")) as found:
        assert (found.getframerate(), found.getnframes(), found.getnchannels()) == (16_000, 200, 1)
        assert found.readframes(200) == b"\x01\x00" * 100 + b"\x02\x00" * 100


def test_a_pipe_keeps_the_streaming_header() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    pipe = Pipe()
    writer = WavWriter(pipe, 24_000)
    writer.write(b"\x01\x00")
    writer.close()

    assert pipe.getvalue() == streaming_header(24_000) + b"\x01\x00"


def test_a_streaming_header_says_that_its_sizes_are_unknown() -> None:
    made = streaming_header(24_000)

    assert len(made) == HEADER_BYTES
    assert struct.unpack_from("<I", made, 4) == struct.unpack_from("<I", made, 40) == (UNKNOWN_SIZE,)


def test_sizes_that_do_not_fit_are_unknown() -> None:
    assert header(2**32, 24_000) == streaming_header(24_000)


TONE = to_pcm((0.3 * np.sin(np.arange(2400) * 0.1)).astype(np.float32))


def test_sound_is_found_after_silence() -> None:
    assert first_sound_s(bytes(9600) + TONE, 24_000) == pytest.approx(0.2, abs=0.005)


def test_silence_has_no_sound() -> None:
    assert first_sound_s(bytes(48_000), 24_000) is None
    assert rms_dbfs(bytes(100)) == -math.inf


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=10))
def test_sound_is_found_at_the_same_place_however_pcm_was_cut(sizes: list[int]) -> None:
    pcm = bytes(7000) + TONE
    detector = SoundDetector(24_000)
    at = 0
    while at < len(pcm):
        for size in sizes:
            detector.push(pcm[at : at + size])
            at += size

    assert detector.first_sound_s == first_sound_s(pcm, 24_000)


def test_level_is_told_in_decibels_of_full_scale() -> None:
    assert rms_dbfs(TONE) == pytest.approx(20 * math.log10(0.3 / math.sqrt(2)), abs=0.1)
