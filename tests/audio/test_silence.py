import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.audio.pcm import Samples
from primavoce.audio.silence import KEEP_LEADING_S, KEEP_TRAILING_S, SilenceTrimmer, is_silent, silence

RATE = 24_000


def tone(seconds: float) -> Samples:
    return (0.3 * np.sin(np.arange(round(seconds * RATE)) * 0.1)).astype(np.float32)


def quiet(seconds: float) -> Samples:
    return silence(seconds, RATE)


def trim(samples: Samples, cuts: list[int] | None = None) -> Samples:
    trimmer = SilenceTrimmer(RATE)
    parts = np.split(samples, sorted(cut % (samples.size + 1) for cut in cuts or []))
    return np.concatenate([*[trimmer.push(part) for part in parts], trimmer.flush()])


def test_silence_before_and_after_is_trimmed_to_a_short_margin() -> None:
    trimmed = trim(np.concatenate([quiet(0.3), tone(0.5), quiet(0.4)]))

    assert trimmed.size / RATE == pytest.approx(0.5 + KEEP_LEADING_S + KEEP_TRAILING_S, abs=0.006)


def test_silence_inside_is_kept() -> None:
    samples = np.concatenate([tone(0.2), quiet(0.5), tone(0.2)])

    assert trim(samples).size == samples.size


def test_no_sample_of_sound_is_lost() -> None:
    sound = tone(0.333)

    trimmed = trim(np.concatenate([quiet(0.1), sound, quiet(0.1)]))

    at = int(np.flatnonzero(trimmed)[0])
    assert np.array_equal(trimmed[at : at + sound.size - 1], sound[1:])


def test_sound_up_to_the_last_sample_is_kept() -> None:
    samples = tone(0.2501)

    assert trim(samples).size == samples.size


def test_a_click_shorter_than_a_sound_is_silence() -> None:
    samples = quiet(0.2)
    samples[2000] = 0.02

    assert trim(samples).size == 0


def test_silence_alone_is_nothing() -> None:
    assert trim(quiet(1.0)).size == 0


def test_sound_goes_out_before_its_segment_ends() -> None:
    assert SilenceTrimmer(RATE).push(tone(0.5)).size >= 0.49 * RATE


@given(
    st.lists(st.tuples(st.booleans(), st.integers(1, 3000)), max_size=6),
    st.lists(st.integers(0, 10**6), max_size=8),
)
def test_the_same_comes_out_however_it_was_cut(stretches: list[tuple[bool, int]], cuts: list[int]) -> None:
    parts = [tone(n / RATE) if loud else quiet(n / RATE) for loud, n in stretches]
    samples = np.concatenate([np.zeros(0, np.float32), *parts])

    assert np.array_equal(trim(samples, cuts), trim(samples))


@pytest.mark.parametrize(
    ("level", "size", "silent"),
    [(0.0, 2400, True), (0.002, 2400, True), (0.01, 2400, False), (0.01, 100, True), (0.01, 0, True)],
    ids=["nothing", "below the threshold", "a sound", "less than a window", "empty"],
)
def test_what_is_silent(level: float, size: int, silent: bool) -> None:
    samples = level * np.random.default_rng(1).choice([-1, 1], size).astype(np.float32)

    assert is_silent(samples, 24_000) == silent


def test_one_audible_window_is_enough_for_a_sound() -> None:
    samples = np.zeros(2400, np.float32)
    samples[1200:1320] = 0.01

    assert not is_silent(samples, 24_000)
