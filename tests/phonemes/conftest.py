"""One phonemizer for all tests: English takes seconds to load."""

import pytest

from primavoce.phonemes.phonemizer import Phonemizer


@pytest.fixture(scope="session")
def phonemizer() -> Phonemizer:
    return Phonemizer()
