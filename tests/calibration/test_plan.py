from collections import Counter

import pytest

from primavoce.calibration.heldout import held_out
from primavoce.calibration.plan import FASTEST, SLOWEST, samples, texts_in

VOICES = [("af_heart", "en-us"), ("jf_alpha", "ja"), ("af_heart:0.5+af_bella:0.5", "en-us")]


def test_the_same_is_planned_every_time() -> None:
    assert list(samples(VOICES, 5)) == list(samples(VOICES, 5))


def test_a_plan_that_is_cut_short_is_the_beginning_of_the_longer_one() -> None:
    assert list(samples(VOICES, 7))[: 3 * 2 * len(VOICES)] == list(samples(VOICES, 3))


def test_every_round_has_a_text_and_a_fragment_of_it_for_each_voice() -> None:
    planned = list(samples(VOICES, 4))

    assert Counter(each.voice for each in planned) == {voice: 8 for voice, _ in VOICES}
    for whole, part in zip(planned[::2], planned[1::2], strict=True):
        assert part.text in whole.text
        assert (whole.line, whole.voice) == (part.line, part.voice)
        assert whole.text == texts_in(whole.language)[whole.line]


def test_no_text_is_planned_twice_for_a_voice() -> None:
    lines = [each.line for each in samples(VOICES[:1], 100)][::2]

    assert sorted(lines) == list(range(100))


def test_more_rounds_than_there_are_texts_add_nothing() -> None:
    assert len(list(samples(VOICES, 200))) == 100 * 2 * len(VOICES)


def test_speeds_cover_all_that_may_be_asked_for() -> None:
    speeds = [each.speed for each in samples(VOICES, 60)]

    assert all(SLOWEST <= speed <= FASTEST for speed in speeds)
    assert 0.4 < sum(speed == 1 for speed in speeds) / len(speeds) < 0.6
    assert min(speeds) < 0.6
    assert max(speeds) > 1.8


@pytest.mark.parametrize("language", ["en", "es", "fr", "hi", "it", "ja", "pt", "zh"])
def test_at_least_sixty_texts_of_a_language_are_learnt_and_some_are_held_out(language: str) -> None:
    kept = [held_out(number) for number in range(len(texts_in(language)))]

    assert kept.count(False) >= 60
    assert kept.count(True) >= 10
