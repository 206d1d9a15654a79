"""What is spoken is understood: text → speech with the real weights → text."""

import pytest

from primavoce import Speaker
from primavoce.bench.recogniser import word_errors
from tests.quality.recogniser import Recogniser

pytestmark = [pytest.mark.quality, pytest.mark.model, pytest.mark.timeout(300)]

SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "She bought forty-two apples and paid seventeen dollars.",
    "I read it yesterday, and I will read it again tomorrow.",
    "The train to London leaves at half past nine from platform three.",
    "Please remember to close the window before you leave the house tonight.",
)


@pytest.mark.parametrize("voice", ["af_heart", "bm_george"])
def test_nine_words_of_ten_are_understood(recogniser: Recogniser, voice: str) -> None:
    with Speaker() as speaker:
        heard = [
            recogniser.transcribe(b"".join(speaker.speak(sentence, voice=voice)), 24_000) for sentence in SENTENCES
        ]

    counts = [word_errors(*pair) for pair in zip(SENTENCES, heard, strict=True)]
    errors, words = (sum(count) for count in zip(*counts, strict=True))
    assert errors <= 0.1 * words, heard
