"""Speech in windows is understood, and sounds, as well as whole runs; `scripts/bench quality` takes all sentences."""

import os
from importlib.resources import files

import numpy as np
import pytest

from tests.quality.listening import (
    LEAST_WORDS,
    MOST_OPINION_LOST,
    MOST_WORDS_LOST,
    SENTENCES,
    VOICES,
    Judged,
    Listened,
    Rates,
    listen,
)
from tests.quality.opinion import opinion
from tests.quality.recogniser import Recogniser

pytestmark = pytest.mark.quality

SAMPLE = SENTENCES[1::5]
"""One in five, of every kind: what two cores can speak and hear in three minutes."""


@pytest.mark.model
@pytest.mark.timeout(900)
def test_windows_are_understood_and_sound_as_well_as_whole_runs(recogniser: Recogniser) -> None:
    from primavoce.bench.quality import BothWays
    from primavoce.settings import Settings
    from primavoce.voices.blend import parse_voice

    both = BothWays.load(Settings.from_env(os.environ), map(parse_voice, VOICES))

    listened = list(listen(both, recogniser, SAMPLE))

    rates = Rates.of(listened)
    print(f"\n{rates}")  # noqa: T201
    worse = [each for each in listened if each.windowed.errors > each.whole.errors]
    assert rates.words >= LEAST_WORDS
    assert rates.in_windows >= 0.8 * rates.sentences
    assert rates.words_lost <= MOST_WORDS_LOST, worse
    assert rates.opinion_lost <= MOST_OPINION_LOST


def test_there_are_fifty_sentences_that_calibration_has_not_seen() -> None:
    seen = files("primavoce.calibration").joinpath("texts", "en.txt").read_text(encoding="utf-8").splitlines()

    assert len(set(SENTENCES)) == 50
    assert not set(SENTENCES) & set(seen)
    assert not any(character.isdigit() for sentence in SENTENCES for character in sentence)


def test_what_is_lost_is_the_difference_and_counts_every_word_once() -> None:
    good, bad = Judged(0, 3.5), Judged(2, 3.0)
    listened = [Listened("v", "t", 30, "stream", good, bad, None), Listened("v", "t", 10, "short", good, good, None)]

    rates = Rates.of(listened)

    assert (rates.sentences, rates.words, rates.in_windows) == (2, 40, 1)
    assert rates.words_lost == pytest.approx(0.05)
    assert rates.opinion_lost == pytest.approx(0.25)


def test_noise_is_thought_worse_of_than_the_same_tone_without() -> None:
    rng = np.random.default_rng(1)
    seconds = np.arange(4 * 24_000) / 24_000
    syllables = 0.3 * np.sin(2 * np.pi * 150 * seconds) * (np.sin(2 * np.pi * 2 * seconds) > 0)
    noise = 0.1 * rng.standard_normal(seconds.size)

    assert opinion(syllables + noise, 24_000) < opinion(syllables, 24_000) - 0.1
