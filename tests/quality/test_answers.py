"""Agents' answers, spoken with the real weights: as well understood as the same text written out plainly."""

import pytest

from primavoce import Speaker
from primavoce.bench.recogniser import word_errors
from tests.answers import answers, read_aloud
from tests.quality.recogniser import Recogniser

pytestmark = [pytest.mark.quality, pytest.mark.model, pytest.mark.timeout(900)]


def test_english_answers_are_understood_as_well_as_plain_text(recogniser: Recogniser) -> None:
    errors = {"written": 0, "plain": 0}
    words = 0
    heard: list[str] = []
    with Speaker() as speaker:
        for answer in answers("en-us"):
            for form, text in (("written", answer.written), ("plain", answer.plain)):
                heard.append(recogniser.transcribe(b"".join(speaker.speak(text)), 24_000))
                # The recogniser writes figures as it likes ("$9.99", "$9 and 99 cents"): both sides are read out.
                wrong, total = word_errors(read_aloud(answer.plain, "en-us"), read_aloud(heard[-1], "en-us"))
                errors[form] += wrong
            words += total

    print(f"\nof {words} words: {errors['written']} wrong as written, {errors['plain']} wrong written out")  # noqa: T201
    # Three words in 372: another processor rounds otherwise, and the recogniser hears a word otherwise for it.
    assert errors["written"] <= errors["plain"] + 0.01 * words, "\n".join(heard)
