"""What a listener hears, and when."""

from array import array

import pytest

from primavoce.bench.hearing import SAMPLE_RATE, Figures, Heard, Hearing
from primavoce.bench.spread import Spread
from primavoce.errors import SynthesisFailed


def silence(seconds: float) -> bytes:
    return bytes(2 * round(seconds * SAMPLE_RATE))


def sound(seconds: float) -> bytes:
    return array("h", [8000, -8000] * round(seconds * SAMPLE_RATE / 2)).tobytes()


def test_silence_before_the_first_sound_counts_as_waiting() -> None:
    hearing = Hearing()

    hearing.take(silence(0.3) + sound(0.2), 2.0)

    heard = hearing.end(2.1)
    assert heard.first_audio_s == 2.0
    assert heard.first_sound_s == pytest.approx(2.3)
    assert (heard.total_s, heard.audio_s) == (2.1, pytest.approx(0.5))


def test_sound_that_comes_after_its_silence_was_played_is_heard_when_it_comes() -> None:
    hearing = Hearing()

    hearing.take(silence(0.1), 1.0)
    hearing.take(sound(0.1), 5.0)

    assert hearing.first_sound_s == 5.0


def test_the_first_sound_stays_the_first() -> None:
    hearing = Hearing()

    hearing.take(sound(0.1), 1.0)
    hearing.take(sound(0.1), 2.0)

    assert hearing.end(2.0).first_sound_s == 1.0


def test_bytes_that_never_sound_are_a_failure() -> None:
    hearing = Hearing()
    hearing.take(silence(1.0), 1.0)

    with pytest.raises(SynthesisFailed):
        hearing.end(1.0)


def test_the_real_time_factor_is_all_the_time_by_all_the_audio() -> None:
    assert Heard(1.0, 1.0, total_s=3.0, audio_s=4.0).real_time_factor == 0.75


def test_figures_are_the_spread_of_each_measure() -> None:
    figures = Figures.of([Heard(1.0, 2.0, 4.0, 8.0), Heard(3.0, 4.0, 6.0, 8.0)])

    assert figures.first_audio_s == Spread(2.0, 1.0, 3.0, 2)
    assert figures.first_sound_s == Spread(3.0, 2.0, 4.0, 2)
    assert figures.real_time_factor == Spread(0.625, 0.5, 0.75, 2)
