"""One phonemizer for all tests of the languages that espeak speaks."""

import pytest

from primavoce.phonemes.phonemizer import Phonemizer


@pytest.fixture(scope="session")
def phonemizer() -> Phonemizer:
    return Phonemizer()
