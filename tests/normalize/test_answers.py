"""Whole answers: what is read is said as the same text written out by hand."""

import re

import pytest
from phonemizer.backend import EspeakBackend

from primavoce.phonemes.phonemizer import ESPEAK_NAMES, Phonemizer
from tests.answers import Answer, answers, read_aloud

NOT_ENGLISH = answers("it", "es", "fr")


@pytest.fixture(scope="module")
def phonemizer() -> Phonemizer:
    return Phonemizer()


def test_there_are_forty_answers() -> None:
    assert len(answers("en-us")) + len(NOT_ENGLISH) == 40
    assert {answer.language for answer in NOT_ENGLISH} == {"it", "es", "fr"}


@pytest.mark.parametrize("answer", NOT_ENGLISH, ids=lambda answer: answer.id)
def test_an_answer_sounds_as_it_does_written_out(answer: Answer, phonemizer: Phonemizer) -> None:
    read = read_aloud(answer.written, answer.language)

    said = phonemizer.phonemize(read, answer.language)

    assert said == phonemizer.phonemize(read_aloud(answer.plain, answer.language), answer.language), read


@pytest.mark.parametrize("answer", NOT_ENGLISH, ids=lambda answer: answer.id)
def test_nothing_in_it_is_said_in_english(answer: Answer) -> None:
    """espeak flags the words that it takes to be another language's."""
    backend = EspeakBackend(ESPEAK_NAMES[answer.language], language_switch="keep-flags")

    (said,) = backend.phonemize([read_aloud(answer.written, answer.language)])

    assert "(" not in said, said


@pytest.mark.model
@pytest.mark.parametrize("answer", answers("en-us"), ids=lambda answer: answer.id)
def test_an_english_answer_sounds_as_it_does_written_out(answer: Answer, phonemizer: Phonemizer) -> None:
    """Stress and marks aside: a hyphen in "forty-eight" moves the one, a comma more or less is no other word."""
    read = read_aloud(answer.written, "en-us")

    assert sounds(phonemizer.phonemize(read, "en-us")) == sounds(phonemizer.phonemize(answer.plain, "en-us")), read


def sounds(phonemes: str) -> str:
    """Return the sounds of ``phonemes``, without stress, marks and spaces."""
    return re.sub(r"[^\w]|[ˈˌ]", "", phonemes)
