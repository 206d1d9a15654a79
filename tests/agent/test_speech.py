"""What speaks for an agent, when it is an endpoint: what is prepared, and what its errors look like."""

import anyio
import pytest

from primavoce.agent.speech import speech_by
from primavoce.assets.locations import AssetLocations
from primavoce.client.sagemaker import SageMakerSpeech
from primavoce.errors import EndpointRefused, SessionBroken
from primavoce.settings import Settings

pytestmark = pytest.mark.anyio

SPEC = "sagemaker:speech?region=us-east-1"


@pytest.fixture
def settings() -> Settings:
    return Settings(assets=AssetLocations(cache_dir="/nonexistent"))  # type: ignore[arg-type]


@pytest.fixture
def warmed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What becomes of the session in advance; nothing is asked of AWS."""
    found: list[str] = []

    async def prepare(self: SageMakerSpeech) -> None:
        found.append(f"prepared {self.address.endpoint}")

    async def warm(self: SageMakerSpeech) -> None:
        found.append("warming")
        try:
            await anyio.sleep_forever()
        finally:
            found.append("left")

    monkeypatch.setattr(SageMakerSpeech, "prepare", prepare)
    monkeypatch.setattr(SageMakerSpeech, "warm", warm)
    return found


async def test_a_session_in_advance_is_left_with_the_block(settings, warmed) -> None:
    async with speech_by(SPEC, settings):
        await anyio.wait_all_tasks_blocked()
        warmed_inside = list(warmed)

    assert warmed_inside == ["prepared speech", "warming"]
    assert warmed == [*warmed_inside, "left"]


async def test_an_error_of_the_block_comes_as_it_was_raised(settings, warmed) -> None:
    with pytest.raises(SessionBroken, match="it was lost"):
        async with speech_by(SPEC, settings):
            await anyio.wait_all_tasks_blocked()
            raise SessionBroken("it was lost")


async def test_what_the_session_in_advance_meets_comes_as_it_was_raised(settings, warmed, monkeypatch) -> None:
    async def warm(self: SageMakerSpeech) -> None:
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr(SageMakerSpeech, "warm", warm)
    with pytest.raises(ZeroDivisionError, match="a bug of ours"):
        async with speech_by(SPEC, settings):
            await anyio.sleep_forever()


async def test_an_endpoint_that_cannot_be_had_is_told_before_the_block(settings, warmed, monkeypatch) -> None:
    async def prepare(self: SageMakerSpeech) -> None:
        raise EndpointRefused("speech", "there are no credentials of AWS here")

    monkeypatch.setattr(SageMakerSpeech, "prepare", prepare)
    with pytest.raises(EndpointRefused):
        async with speech_by(SPEC, settings):
            pytest.fail("it was begun")

    assert warmed == []
