import pytest

from tests.quality.recogniser import Recogniser

pytestmark = pytest.mark.quality


def test_nothing_is_heard_in_silence(recogniser: Recogniser) -> None:
    assert recogniser.transcribe(bytes(2 * 24_000), 24_000) == ""
