"""Agents' answers, spoken with the real weights: as well understood as the same text written out plainly."""

import pytest

from primavoce import Speaker
from tests.answers import answers
from tests.quality.recogniser import Recogniser, word_errors

pytestmark = [pytest.mark.quality, pytest.mark.model, pytest.mark.timeout(900)]


def test_english_answers_are_understood_as_well_as_plain_text(recogniser: Recogniser) -> None:
    errors = {"written": 0, "plain": 0}
    words = 0
    heard: list[str] = []
    with Speaker() as speaker:
        for answer in answers("en-us"):
            for form, text in (("written", answer.written), ("plain", answer.plain)):
                heard.append(recogniser.transcribe(b"".join(speaker.speak(text)), 24_000))
                wrong, total = word_errors(answer.plain, heard[-1])
                errors[form] += wrong
            words += total

    print(f"\nof {words} words: {errors['written']} wrong as written, {errors['plain']} wrong written out")  # noqa: T201
    assert errors["written"] <= errors["plain"], "\n".join(heard)
