"""What is encoded is understood as well as what isn't: text → speech → each format → speech → text."""

import numpy as np
import pytest

from primavoce import Speaker
from primavoce.audio.encoders import encoder_for
from primavoce.audio.formats import FORMATS
from primavoce.bench.recogniser import word_errors, words_of
from tests.audio.test_encoders import decoded
from tests.quality.recogniser import Recogniser

pytestmark = [pytest.mark.quality, pytest.mark.model, pytest.mark.timeout(300)]

SENTENCES = (
    "She bought forty-two apples and paid seventeen dollars.",
    "The train to London leaves at half past nine from platform three.",
)
RATE = 24_000


@pytest.fixture(scope="module")
def spoken() -> list[bytes]:
    with Speaker() as speaker:
        return [b"".join(speaker.speak(sentence)) for sentence in SENTENCES]


@pytest.fixture(scope="module")
def heard(recogniser: Recogniser, spoken: list[bytes]) -> list[str]:
    return [recogniser.transcribe(pcm, RATE) for pcm in spoken]


def at_rate(pcm: bytes, rate: int) -> np.ndarray:
    import soxr

    samples = np.frombuffer(pcm, "<i2")
    return samples if rate == RATE else soxr.resample(samples, RATE, rate)


def test_what_is_not_encoded_is_understood(heard: list[str]) -> None:
    assert [word_errors(*pair)[0] for pair in zip(SENTENCES, heard, strict=True)] == [0, 0]


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "pcm"])
def test_after_decoding_the_same_words_are_heard(
    recogniser: Recogniser, spoken: list[bytes], heard: list[str], name: str
) -> None:
    rate = RATE if RATE in FORMATS[name].rates else FORMATS[name].rates[-1]

    found = []
    for pcm in spoken:
        samples = at_rate(pcm, rate)
        encoder = encoder_for(name, rate)
        data = encoder.push(samples.tobytes()) + encoder.flush()
        sound = decoded(name, rate, data, count=samples.size)
        found.append(recogniser.transcribe(sound.tobytes(), rate))

    assert [words_of(each) for each in found] == [words_of(each) for each in heard]
