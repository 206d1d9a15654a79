"""Speech by an endpoint, as agents and scripts use it: sessions that go on."""

import threading
from pathlib import Path

import pytest

from primavoce.client.resuming import ResumePolicy
from primavoce.client.sagemaker import CredentialSource, EndpointAddress, SageMakerSpeech
from primavoce.errors import EndpointRefused, EndpointThrottled, InvalidSetting, SessionBroken, SessionTimeout
from primavoce.testing.aws.faults import Fault, Trouble
from tests.client.resuming.cutting import letters

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

TEXT = "Hello there, this is one. Here comes the second sentence of them all. And a third! Now the last of them."
LETTERS = "".join(character for character in TEXT.lower() if character.isalpha()).replace("g", "ɡ")
AT_ONCE = ResumePolicy(first_pause_s=0.0, silence_s=0.5)


def speech_by(loopback, **changes: object) -> SageMakerSpeech:
    how: dict = {
        "ca_file": str(loopback.front.ca_file),
        "credentials": loopback.credentials,
        "open_timeout_s": 2.0,
        "policy": AT_ONCE,
    }
    return SageMakerSpeech(EndpointAddress("speech", "us-east-1", url=loopback.front.url), **{**how, **changes})


async def heard(speech: SageMakerSpeech, text: str = TEXT) -> str:
    async with speech() as session, session.utterance(text) as utterance:
        return letters(b"".join([pcm async for pcm in utterance.audio()]))


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble.RESET_MID_STREAM,
        Trouble.DROP_MID_STREAM,
        Trouble.STALL_MID_STREAM,
        Trouble.TRUNCATION,
        Trouble.MODEL_STREAM_ERROR,
        Trouble.INTERNAL_STREAM_FAILURE,
    ],
)
async def test_what_breaks_off_is_heard_whole_and_once(fronting, trouble: Trouble) -> None:
    async with fronting(Fault(trouble, 70_000), Fault(trouble, 60_000)) as loopback:
        spoken = await heard(speech_by(loopback))

    assert spoken == LETTERS
    assert len(loopback.front.sessions) == 3


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble.THROTTLING,
        Trouble.MODEL_ERROR,
        Trouble.UNAVAILABLE,
        Trouble.RESET_BEFORE_HEADERS,
        Trouble.DROP_BEFORE_HEADERS,
    ],
)
async def test_what_may_pass_is_tried_again_before_anything_is_heard(fronting, trouble: Trouble) -> None:
    async with fronting(trouble, trouble) as loopback:
        assert await heard(speech_by(loopback)) == LETTERS


async def test_what_does_not_pass_is_told(fronting) -> None:
    async with fronting(*[Trouble.THROTTLING] * 9) as loopback:
        with pytest.raises(EndpointThrottled):
            await heard(speech_by(loopback))

        assert len(loopback.front.sessions) == AT_ONCE.attempts


async def test_what_will_not_pass_is_tried_once(fronting) -> None:
    async with fronting(Trouble.ACCESS_DENIED) as loopback:
        with pytest.raises(EndpointRefused):
            await heard(speech_by(loopback))

        assert len(loopback.front.sessions) == 1


async def test_a_stream_that_breaks_off_each_time_is_given_up(fronting) -> None:
    async with fronting(*[Fault(Trouble.TRUNCATION)] * 9) as loopback:
        with pytest.raises(SessionBroken):
            await heard(speech_by(loopback))


async def test_a_session_outlasts_the_time_that_the_platform_gives(fronting, serving) -> None:
    async with (
        serving(session_limit_s=0.6) as server,
        fronting(model_url=server.address, session_s=0.7) as loopback,
        speech_by(loopback)() as session,
    ):
        spoken = []
        while len(loopback.front.sessions) < 3:
            async with session.utterance("One, and two.") as utterance:
                spoken.append(letters(b"".join([pcm async for pcm in utterance.audio()])))

    assert set(spoken) == {"oneandtwo"}


async def test_it_is_prepared_and_warm_before_it_is_needed(fronting) -> None:
    async with fronting() as loopback:
        speech = speech_by(loopback)
        await speech.prepare()
        await speech.warm()

        assert [seen.signed_end for seen in loopback.front.sessions] == [True]


async def test_what_is_in_its_way_is_logged(fronting, caplog) -> None:
    async with fronting(Trouble.ACCESS_DENIED) as loopback:
        await speech_by(loopback).warm()

    assert "no session in advance" in caplog.text


async def test_a_file_without_certificates_is_told_before_and_never_later(fronting, tmp_path: Path, caplog) -> None:
    nobody = tmp_path / "nobody.pem"
    nobody.write_text("nobody")
    async with fronting() as loopback:
        speech = speech_by(loopback, ca_file=str(nobody))
        with pytest.raises(InvalidSetting, match="holds no certificates"):
            await speech.prepare()
        await speech.warm()

    assert "no session in advance" in caplog.text


async def test_credentials_that_never_come_are_not_waited_for(fronting) -> None:
    over = threading.Event()

    class Hanging:
        def get_credentials(self) -> None:
            over.wait(10)

    async with fronting() as loopback:
        with pytest.raises(SessionTimeout, match="credentials for endpoint speech"):
            await speech_by(loopback, credentials=CredentialSource(Hanging()), open_timeout_s=0.1).prepare()
    over.set()
