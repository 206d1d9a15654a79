import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.kokoro.inverse_stft import (
    BINS,
    EDGE,
    HOP,
    LEVEL,
    MOST_LOG_MAGNITUDE,
    SIZE,
    InverseBasis,
    InverseStft,
)

CHANCE = np.random.default_rng(5)
WAVES = CHANCE.standard_normal((2 * BINS, 1, SIZE)).astype(np.float32)
WINDOW_SUM = np.concatenate([[0.0], CHANCE.uniform(0.2, 1.5, SIZE - 1)]).astype(np.float32)
BASIS = InverseBasis(WAVES, WINDOW_SUM)
SPECTRUM = CHANCE.standard_normal((2 * BINS, 40)).astype(np.float32)


def published(spectrum: np.ndarray) -> np.ndarray:
    """What the export does: a transposed convolution, its first 20 samples divided, both ends dropped."""
    magnitude, phase = np.exp(spectrum[:BINS]), np.sin(spectrum[BINS:])
    channels = np.concatenate([magnitude * np.cos(phase), magnitude * np.sin(phase)])
    samples = np.zeros(HOP * (spectrum.shape[1] - 1) + SIZE)
    for frame in range(spectrum.shape[1]):
        samples[HOP * frame : HOP * frame + SIZE] += channels[:, frame] @ WAVES[:, 0]
    samples[:SIZE] /= np.where(WINDOW_SUM > 0, WINDOW_SUM, 1)
    return LEVEL * samples[EDGE:-EDGE]


@given(st.lists(st.integers(1, 7), min_size=1, max_size=20))
def test_frames_pushed_in_any_portions_make_the_samples_that_the_export_makes(sizes: list[int]) -> None:
    count = min(SPECTRUM.shape[1], sum(sizes))
    inverse = InverseStft(BASIS)
    parts, at = [], 0
    for size in sizes:
        if at < count:
            parts.append(inverse.push(SPECTRUM[:, at : min(count, at + size)]))
            at += size
    parts.append(inverse.flush())

    np.testing.assert_allclose(np.concatenate(parts), published(SPECTRUM[:, :count]), rtol=1e-4, atol=1e-4)


def test_after_a_flush_the_next_segment_begins_afresh() -> None:
    inverse = InverseStft(BASIS)
    first = np.concatenate([inverse.push(SPECTRUM), inverse.flush()])

    second = np.concatenate([inverse.push(SPECTRUM), inverse.flush()])

    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("frames", [4, 40])
def test_a_frame_lasts_five_samples(frames: int) -> None:
    inverse = InverseStft(BASIS)

    samples = np.concatenate([inverse.push(SPECTRUM[:, :frames]), inverse.flush()])

    assert samples.size == HOP * (frames - 1)


def test_a_graphs_metadata_brings_the_basis_back_to_the_last_bit() -> None:
    again = InverseBasis.from_text(BASIS.as_text())

    np.testing.assert_array_equal(again.waves, WAVES)
    np.testing.assert_array_equal(again.window_sum, WINDOW_SUM)


def test_a_graph_that_carries_no_basis_is_told_from_ours() -> None:
    with pytest.raises(KeyError):
        InverseBasis.from_text({"author": "someone"})


def spoken(spectrum: np.ndarray) -> np.ndarray:
    inverse = InverseStft(BASIS)
    return np.concatenate([inverse.push(spectrum), inverse.flush()])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("level", [100.0, 1e30, np.inf])
def test_magnitudes_that_no_speech_reaches_make_numbers_and_no_warning(level: float) -> None:
    spectrum = SPECTRUM.copy()
    spectrum[:BINS, 7] = level

    samples = spoken(spectrum)

    assert np.isfinite(samples).all()
    assert np.abs(samples).max() > 1e6


def test_what_speech_reaches_is_not_changed() -> None:
    """Eight and more times as loud as any voice, in every bin."""
    spectrum = SPECTRUM.copy()
    spectrum[:BINS] += 5.0

    np.testing.assert_allclose(spoken(spectrum), published(spectrum), rtol=1e-4, atol=1e-2)


def test_up_to_the_bound_louder_is_louder() -> None:
    levels = [np.abs(spoken(SPECTRUM + np.float32(added))).max() for added in (0, MOST_LOG_MAGNITUDE - 5)]

    assert levels[1] > 1e5 * levels[0]
