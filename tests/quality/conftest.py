"""Fixtures of the tests that listen to what was spoken; all of those are marked ``quality``."""

import pytest

from tests.quality.recogniser import Recogniser


@pytest.fixture(scope="session")
def recogniser() -> Recogniser:
    return Recogniser()
