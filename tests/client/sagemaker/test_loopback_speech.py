"""Speech by an endpoint, as agents and scripts use it: sessions that go on."""

import threading
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path

import anyio
import pytest

from primavoce.client import SpeechSession
from primavoce.client.resuming import ResumePolicy
from primavoce.client.sagemaker import CredentialSource, EndpointAddress, SageMakerSpeech
from primavoce.errors import (
    EndpointRefused,
    EndpointThrottled,
    InvalidSetting,
    RequestFailed,
    SessionBroken,
    SessionTimeout,
)
from primavoce.testing.aws.faults import Fault, Trouble
from tests.client.resuming.cutting import letters, until
from tests.client.sagemaker.conftest import credentials_of_the_front

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


async def test_the_policy_and_the_patience_are_the_other_transports_too(response_fronting) -> None:
    over = threading.Event()

    class Hanging:
        def get_credentials(self) -> None:
            over.wait(10)

    async with response_fronting(*[Trouble.UNAVAILABLE] * 9) as front:
        address = EndpointAddress("speech", "us-east-1", transport="response-stream", url=front.url)
        how = {"credentials": credentials_of_the_front(), "policy": ResumePolicy(attempts=2, first_pause_s=0.0)}
        with pytest.raises(RequestFailed):
            await heard(SageMakerSpeech(address, **how), "One.")
        hanging = SageMakerSpeech(address, credentials=CredentialSource(Hanging()), open_timeout_s=0.1)
        with anyio.fail_after(5), pytest.raises(SessionTimeout, match="credentials for endpoint speech within 0.1 s"):
            await heard(hanging, "One.")
        over.set()

        assert front.calls == 2


async def test_the_next_session_is_open_before_the_last_one_ends_and_nothing_pauses(fronting, serving) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    policy = ResumePolicy(sleep=sleep, silence_s=5.0)
    ended_when_the_next_was_open = []
    async with (
        serving(session_limit_s=2.0) as server,
        fronting(model_url=server.address, session_s=2.5) as loopback,
        speech_by(loopback, policy=policy)() as session,
    ):
        spoken, opened_at = [], [time.monotonic()]
        sessions = loopback.front.sessions
        while len(sessions) < 3:
            known = len(sessions)
            async with session.utterance("One, and two.") as utterance:
                spoken.append(b"".join([pcm async for pcm in utterance.audio()]))
            if len(sessions) > known:
                ended_when_the_next_was_open.append(sessions[known - 1].over.is_set())
                opened_at.append(time.monotonic())

    assert {letters(pcm) for pcm in spoken} == {"oneandtwo"}
    assert len(set(spoken)) == 1  # to the sample
    assert ended_when_the_next_was_open == [False, False]
    assert max(after - before for before, after in pairwise(opened_at)) < 2.0  # half of the time, in quiet
    assert slept == []


async def test_an_utterance_that_crosses_the_end_of_a_session_has_no_gap(fronting, serving) -> None:
    async def said(session: SpeechSession, between: Callable[[], Awaitable[None]]) -> bytes:
        before = b""
        async with session.utterance() as utterance:
            audio = utterance.audio()
            await utterance.send("One, and two. Three. ")
            await utterance.flush()
            while letters(before) != "oneandtwothree":
                before += await anext(audio)
            await between()
            await utterance.send("And this is four.")
            await utterance.end()
            return before + b"".join([pcm async for pcm in audio])

    async def nothing() -> None:
        pass

    async with (
        serving(session_limit_s=1.6) as server,
        fronting(model_url=server.address, session_s=2.0) as loopback,
        speech_by(loopback)() as session,
    ):
        sessions = loopback.front.sessions

        async def end_of_the_first() -> None:
            await until(lambda: len(sessions) == 2)
            assert not sessions[0].over.is_set()
            await until(sessions[0].over.is_set)

        crossing = await said(session, end_of_the_first)

    async with fronting() as loopback, speech_by(loopback)() as session:
        whole = await said(session, nothing)

    assert letters(crossing) == "oneandtwothreeandthisisfour"
    same = next((at for at, (ours, theirs) in enumerate(zip(crossing, whole, strict=False)) if ours != theirs), 0)
    left_out = len(whole) - len(crossing)
    assert left_out >= 0
    assert not any(whole[same : same + left_out])  # at most the pause between two sentences
    assert whole[same + left_out :] == crossing[same:]


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
