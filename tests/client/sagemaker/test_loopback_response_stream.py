"""Utterances as calls of their own, by boto3, where streams in both directions can't be had."""

import json
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import anyio
import pytest
from botocore.session import Session

from primavoce.client import Opener, SpeechSession
from primavoce.client.resuming import ResumePolicy
from primavoce.client.sagemaker import CredentialSource, response_stream, response_stream_link
from primavoce.client.sagemaker.response_link import FRAMES_AHEAD, ResponseStreamLink
from primavoce.errors import EndpointRefused, RequestFailed, SessionBroken, SessionTimeout
from primavoce.protocol.client import Audio
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import Cancel, Close, Ping, Synthesize, Text
from primavoce.testing.aws.faults import Fault, Trouble
from tests.client.resuming.cutting import letters, until
from tests.client.sagemaker.conftest import credentials_of_the_front

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

TEXT = "Hello there, this is one. Here comes the second sentence of them all. " * 3


def link(front, **changes: object) -> Opener:
    how: dict = {
        "endpoint": "speech",
        "region": "us-east-1",
        "url": front.url,
        "credentials": credentials_of_the_front(),
        "silence_s": 1.0,
        "policy": ResumePolicy(chance=lambda: 0.0),
    }
    return response_stream_link(**{**how, **changes})


async def take_texts(opened: ResponseStreamLink, count: int) -> AsyncIterator[str]:
    async for frame in opened:
        if isinstance(frame, str):
            yield frame
            count -= 1
        if not count:
            return


async def heard(session: SpeechSession, text: str, **options: object) -> str:
    async with session.utterance(text, **options) as utterance:  # type: ignore[arg-type]
        return letters(b"".join([pcm async for pcm in utterance.audio()]))


async def test_utterances_are_spoken_one_after_another(response_fronting) -> None:
    async with response_fronting() as front, SpeechSession.over(link(front)) as session:
        spoken = [await heard(session, text) for text in ("One.", "And two.")]

    assert spoken == ["one", "andtwo"]
    assert front.calls == 2


@pytest.mark.parametrize("part_bytes", [5, 1000, 1 << 20])
async def test_wherever_the_parts_are_cut_the_audio_is_the_same(response_fronting, part_bytes: int) -> None:
    async with response_fronting(part_bytes=part_bytes) as front, SpeechSession.over(link(front)) as session:
        assert await heard(session, "One.") == "one"


async def test_text_that_comes_in_deltas_is_sent_when_it_is_complete(response_fronting) -> None:
    async with response_fronting() as front, SpeechSession.over(link(front)) as session:
        async with session.utterance() as utterance:
            await utterance.send("One, ")
            await utterance.flush()
            calls_before = front.calls
            await utterance.send("and two.")
            await utterance.end()
            spoken = letters(b"".join([pcm async for pcm in utterance.audio()]))

    assert (calls_before, spoken) == (0, "oneandtwo")
    assert utterance.completed is not None
    assert utterance.completed.characters == len("One, and two.")


async def test_options_and_names_go_along(response_fronting) -> None:
    async with response_fronting() as front, SpeechSession.over(link(front)) as session:
        await session.set_lexicon({"Okafor": "/aaa/"})
        async with session.utterance("Okafor.", voice="af_bella", sample_rate=8000) as utterance:
            events = [event async for event in utterance]

    assert utterance.started is not None
    assert (utterance.started.voice, utterance.started.sample_rate) == ("af_bella", 8000)
    assert sum(len(event.pcm) for event in events if isinstance(event, Audio)) < 8000


async def test_the_containers_own_refusal_is_told(response_fronting) -> None:
    async with response_fronting() as front, SpeechSession.over(link(front)) as session:
        with pytest.raises(RequestFailed, match="unknown voice 'nobody'") as refused:
            await heard(session, "One.", voice="nobody")

        assert await heard(session, "One.") == "one"
    assert refused.value.code == "unknown_voice"


@pytest.mark.parametrize(
    ("trouble", "code", "said"),
    [
        (Trouble.ACCESS_DENIED, "endpoint_refused", "sagemaker:InvokeEndpointWithResponseStream"),
        (Trouble.NO_ENDPOINT, "endpoint_refused", "there is no endpoint of this name"),
        (Trouble.RESET_MID_STREAM, "session_broken", "the connection was lost"),
        (Trouble.STALL_MID_STREAM, "session_timeout", "no byte of endpoint speech within 1 s"),
        (Trouble.TRUNCATION, "session_broken", "the events ended before the audio did"),
        (Trouble.MODEL_STREAM_ERROR, "session_broken", "the endpoint's answer broke off (ModelStreamError)"),
        (Trouble.INTERNAL_STREAM_FAILURE, "session_broken", "broke off (InternalStreamFailure)"),
    ],
)
async def test_what_goes_wrong_ends_the_utterance_and_not_the_session(
    response_fronting, trouble: Trouble, code: str, said: str
) -> None:
    async with response_fronting(Fault(trouble, 100_000)) as front, SpeechSession.over(link(front)) as session:
        with pytest.raises(RequestFailed) as failed:
            await heard(session, TEXT)

        assert await heard(session, "One.") == "one"
    assert failed.value.code == code
    assert said in str(failed.value)


async def test_audio_that_came_before_a_late_error_is_heard(response_fronting) -> None:
    fault = Fault(Trouble.MODEL_STREAM_ERROR, 100_000)
    async with response_fronting(fault) as front, SpeechSession.over(link(front)) as session:
        pcm = b""
        with pytest.raises(RequestFailed):
            async with session.utterance(TEXT) as utterance:
                async for piece in utterance.audio():
                    pcm += piece

    assert len(pcm) > 50_000  # of 100,000 in base64, of which the last piece isn't whole


@pytest.mark.parametrize(
    "trouble", [Trouble.THROTTLING, Trouble.MODEL_ERROR, Trouble.UNAVAILABLE, Trouble.DROP_BEFORE_HEADERS]
)
async def test_what_may_pass_is_tried_again_before_anything_is_heard(response_fronting, trouble: Trouble) -> None:
    async with response_fronting(trouble, trouble) as front, SpeechSession.over(link(front)) as session:
        assert await heard(session, "One.") == "one"

    assert front.calls == 3


async def test_how_often_and_with_what_pauses_is_the_policys(response_fronting) -> None:
    slept = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    policy = ResumePolicy(attempts=3, first_pause_s=2.0, longest_pause_s=3.0, sleep=sleep, chance=lambda: 0.5)
    async with response_fronting(*[Trouble.UNAVAILABLE] * 3) as front:
        async with SpeechSession.over(link(front, policy=policy)) as session:
            with pytest.raises(RequestFailed):
                await heard(session, "One.")

    assert slept == [1.0, 1.5]
    assert front.calls == 3


async def test_sessions_that_open_at_once_share_a_client(response_fronting, monkeypatch) -> None:
    made = []

    class Counted(response_stream.ResponseStreams):
        def __init__(self, *told: object, **more: object) -> None:
            made.append(1)
            super().__init__(*told, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(response_stream, "ResponseStreams", Counted)
    async with response_fronting() as front:
        opener = link(front)

        async def speak() -> None:
            async with SpeechSession.over(opener) as session:
                assert await heard(session, "One.") == "one"

        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(speak)

    assert len(made) == 1


async def test_a_client_whose_session_of_botocore_hung_is_replaced(response_fronting, monkeypatch) -> None:
    sessions: list[object] = []

    class Noting(response_stream.ResponseStreams):
        def __init__(self, *told: object, **more: object) -> None:
            super().__init__(*told, **more)  # type: ignore[arg-type]
            sessions.append(self.session)

    monkeypatch.setattr(response_stream, "ResponseStreams", Noting)
    source, after = credentials_of_the_front(), credentials_of_the_front()
    async with response_fronting() as front:
        opener = link(front, credentials=source)
        for _ in range(2):
            async with SpeechSession.over(opener) as session:
                assert await heard(session, "One.") == "one"
        source._session = after._session  # as a search does that found something when one before it did not end
        async with SpeechSession.over(opener) as session:
            assert await heard(session, "One.") == "one"

    assert len(sessions) == 2
    assert sessions[1] is after.session


async def test_who_closes_the_session_ends_the_text_of_what_is_open(response_fronting) -> None:
    async with response_fronting() as front, link(front)() as opened:
        assert isinstance(opened, ResponseStreamLink)
        await opened.send(encode(Text(text="One.", request_id="1")))
        await opened.send(encode(Close()))
        await opened.send(encode(Text(text="Two.", request_id="2")))
        with anyio.fail_after(5):
            told = [json.loads(frame) async for frame in opened if isinstance(frame, str)]

    assert [each["type"] for each in told] == ["error", "synthesis_start", "synthesis_complete", "session_complete"]
    assert told[0]["code"] == "session_closing"


async def test_an_id_that_is_in_use_is_refused(response_fronting) -> None:
    async with response_fronting() as front, link(front)() as opened:
        assert isinstance(opened, ResponseStreamLink)
        await opened.send(encode(Text(text="One.", request_id="1")))
        await opened.send(encode(Synthesize(text="Two.", request_id="1")))
        await opened.send(encode(Close()))
        with anyio.fail_after(5):
            told = [json.loads(frame) async for frame in opened if isinstance(frame, str)]

    assert [each["type"] for each in told] == ["error", "synthesis_start", "synthesis_complete", "session_complete"]
    assert told[0]["code"] == "duplicate_request"
    assert told[2]["characters"] == len("One.")


class Hanging:
    """Stands for calls of an endpoint that never come back."""

    endpoint = "speech"
    patience_s = 0.1

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.called_in: list[threading.Thread] = []

    async def ready(self) -> None:
        pass

    def call(self, body: object) -> None:
        self.called_in.append(threading.current_thread())
        self.go_on.wait(10)
        raise SessionBroken("it was told to")


async def test_a_call_that_never_comes_back_is_given_up_and_keeps_no_process() -> None:
    hanging = Hanging()
    opened = ResponseStreamLink(hanging, ResumePolicy(attempts=2, chance=lambda: 0.0))  # type: ignore[arg-type]
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(opened.speak_all)
        await opened.send(encode(Synthesize(text="One.", request_id="1")))
        with anyio.move_on_after(3):
            told = json.loads(await anext(aiter(opened)))
        hanging.go_on.set()
        tasks.cancel_scope.cancel()
        opened.close()

    assert (told["code"], told["message"]) == ("session_timeout", "no answer of endpoint speech within 0.1 s")
    assert [thread.daemon for thread in hanging.called_in] == [True, True]


async def test_credentials_that_never_come_again_are_told_without_a_call(response_fronting) -> None:
    over = threading.Event()
    session = Session()
    session.set_credentials("id", "secret")
    asked = []

    class Once:
        def get_credentials(self) -> object:
            asked.append(1)
            if len(asked) > 1:
                over.wait(10)
            found = session.get_credentials()
            found._expiry_time = datetime.now(UTC)
            return found

        def __getattr__(self, name: str) -> object:
            return getattr(session, name)

    source = CredentialSource(Once(), keep_s=0.0)
    policy = ResumePolicy(attempts=1)
    async with response_fronting() as front:
        how = {"credentials": source, "connect_timeout_s": 0.5, "silence_s": 0.1, "policy": policy}
        async with SpeechSession.over(link(front, **how), timeout_s=5) as opened:
            with pytest.raises(RequestFailed, match="no credentials for endpoint speech") as failed:
                await heard(opened, "One.")
        over.set()

    assert front.calls == 0
    assert failed.value.code == "session_timeout"


async def test_a_cancel_ends_the_call(response_fronting) -> None:
    async with response_fronting() as front, SpeechSession.over(link(front)) as session:
        async with session.utterance("A long one. " * 200) as utterance:
            await anext(utterance.audio())
            await utterance.cancel()
            async for _ in utterance:
                pass

        assert utterance.cancelled is not None
        assert utterance.cancelled.audio_sent_s > 0
        assert await heard(session, "One.") == "one"
        await until(lambda: not front.open_calls)


async def test_whoever_says_something_while_much_is_to_be_read_waits_for_nobody(response_fronting) -> None:
    async with response_fronting() as front, link(front)() as opened:
        assert isinstance(opened, ResponseStreamLink)
        for request_id in "12":
            await opened.send(encode(Synthesize(text=TEXT * 5, request_id=request_id)))
        await until(lambda: opened._push.statistics().current_buffer_used >= FRAMES_AHEAD)
        with anyio.fail_after(10):
            await opened.send(encode(Ping("1", 0.0)))
            await opened.send(encode(Cancel("2")))
            told = [json.loads(frame) async for frame in take_texts(opened, 3)]

    assert [each["type"] for each in told] == ["synthesis_start", "pong", "cancelled"]


async def test_credentials_that_never_come_are_not_waited_for(response_fronting) -> None:
    over = threading.Event()

    class Hanging:
        def get_credentials(self) -> None:
            over.wait(10)

    async with response_fronting() as front:
        with pytest.raises(SessionTimeout, match="endpoint speech"):
            async with SpeechSession.over(
                link(front, credentials=CredentialSource(Hanging()), connect_timeout_s=0.1), timeout_s=5
            ):
                pass
    over.set()


async def test_no_credentials_are_told_when_it_is_opened(response_fronting) -> None:
    class Without:
        def get_credentials(self) -> None:
            return None

    async with response_fronting() as front:
        with pytest.raises(EndpointRefused, match="there are no credentials"):
            async with SpeechSession.over(link(front, credentials=CredentialSource(Without()))):
                pass
