"""What goes wrong when it is told to, at every frame; and that a session which goes on is heard whole all the same."""

import itertools
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.session import Session
from websockets.asyncio.server import ServerConnection

from primavoce.client import SpeechSession
from primavoce.client.resuming import ResumePolicy
from primavoce.client.sagemaker import CredentialSource, EndpointAddress, SageMakerSpeech
from primavoce.errors import SessionTimeout
from primavoce.testing.aws.faults import Fault, Trouble
from primavoce.testing.aws.sagemaker_front import (
    ACCESS_KEY,
    SECRET_KEY,
    Answered,
    FrontSettings,
    SageMakerFront,
    sagemaker_front,
)
from tests.client.resuming.cutting import letters
from tests.testing.aws.bare_client import bare_stream
from tests.testing.aws.fronting import front_before

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

FRAMES = ["a text", b"audio", "another", b"more", "the end"]


async def five_frames(socket: ServerConnection) -> None:
    for frame in FRAMES:
        await socket.send(frame)
    await socket.wait_closed()


@pytest.mark.parametrize("after", range(len(FRAMES)))
@pytest.mark.parametrize(
    ("trouble", "is_reset", "last", "is_inside"),
    [
        (Trouble.RESET_MID_STREAM, True, None, False),
        (Trouble.DROP_MID_STREAM, True, None, False),
        (Trouble.TRUNCATION, False, None, False),
        (Trouble.HALF_AN_EVENT, False, None, True),
        (Trouble.MODEL_STREAM_ERROR, False, "ModelStreamError", False),
        (Trouble.INTERNAL_STREAM_FAILURE, False, "InternalStreamFailure", False),
    ],
)
async def test_a_stream_is_cut_at_every_frame_of_whatever_kind(
    trouble: Trouble, is_reset: bool, last: str | None, is_inside: bool, after: int
) -> None:
    async with front_before(five_frames, Fault(trouble, after_frames=after)) as front, bare_stream(front) as stream:
        assert await stream.status() == 200
        events = []
        while (event := await stream.receive()) is not None:
            events.append(event)

        assert (stream.was_reset, stream.begun) == (is_reset, is_inside)

    told = [event for event in events if ":exception-type" in event.headers]
    came = [event.payload for event in events if event not in told]
    assert came == [frame.encode() if isinstance(frame, str) else frame for frame in FRAMES[:after]]
    assert [event.headers[":exception-type"] for event in told] == ([last] if last else [])


@pytest.mark.parametrize(
    ("trouble", "status", "error"),
    [
        (Trouble.ACCESS_DENIED, 403, "AccessDeniedException"),
        (Trouble.THROTTLING, 400, "ThrottlingException"),
        (Trouble.NO_ENDPOINT, 400, "InputValidationError"),
        (Trouble.MODEL_ERROR, 424, "ModelError"),
        (Trouble.INTERNAL_ERROR, 500, "InternalServerError"),
        (Trouble.UNAVAILABLE, 503, "ServiceUnavailableError"),
        (Trouble.RESET_BEFORE_HEADERS, None, None),
        (Trouble.DROP_BEFORE_HEADERS, None, None),
    ],
)
async def test_a_session_that_is_refused_is_refused_by_the_services_own_names(trouble, status, error) -> None:
    async with front_before(five_frames, trouble) as front:
        async with bare_stream(front) as stream:
            assert (await stream.status(), stream.error) == (status, error)
            assert stream.was_reset is (status is None)
        async with bare_stream(front) as stream:
            assert (await stream.receive()).payload == b"a text"


async def test_a_model_stream_error_says_why() -> None:
    async with front_before(five_frames, Trouble.MODEL_STREAM_ERROR) as front, bare_stream(front) as stream:
        events = [await stream.receive() for _ in range(2)]

    assert events[0].payload == b"a text"  # a trouble alone comes with the first audio
    assert json.loads(events[1].payload) == {"ErrorCode": "1011", "Message": "internal"}


# --- our client, with such a front

TEXT = "One, two. Three!"
LETTERS = "onetwothree"


def keys(access_key: str = ACCESS_KEY, secret_key: str = SECRET_KEY) -> Session:
    session = Session()
    session.set_credentials(access_key, secret_key)
    return session


def speech_by(front: SageMakerFront, session: Session | None = None, **options: Any) -> SageMakerSpeech:
    return SageMakerSpeech(
        EndpointAddress("speech", "us-east-1", url=front.url),
        ca_file=str(front.ca_file),
        credentials=CredentialSource(session or keys(), keep_s=0.0),
        policy=ResumePolicy(first_pause_s=0.0, silence_s=2.0),
        **options,
    )


async def heard(speech: SageMakerSpeech) -> str:
    async with speech() as session:
        return await said(session)


async def said(session: SpeechSession) -> str:
    async with session.utterance(TEXT) as utterance:
        return letters(b"".join([pcm async for pcm in utterance.audio()]))


@pytest.mark.parametrize(
    "trouble", [Trouble.RESET_MID_STREAM, Trouble.DROP_MID_STREAM, Trouble.TRUNCATION, Trouble.HALF_AN_EVENT]
)
async def test_whichever_frame_is_the_last_the_utterance_is_heard_whole_and_once(shared_server, trouble) -> None:
    spoken = []
    for after in itertools.count():  # the first frame answers the link's own ping
        async with sagemaker_front(shared_server.address, faults=[Fault(trouble, after_frames=after)]) as front:
            spoken.append(await heard(speech_by(front)))
            if len(front.sessions) == 1:  # it had no such frame
                break

    assert len(spoken) > 7  # start, segment, words, audio, and so on
    assert set(spoken) == {LETTERS}


async def test_a_front_that_answers_when_the_container_speaks_is_no_hindrance(shared_server) -> None:
    settings = FrontSettings(answered=Answered.WHEN_THE_CONTAINER_SPEAKS)
    async with sagemaker_front(shared_server.address, settings) as front:
        assert await heard(speech_by(front)) == LETTERS


async def test_a_front_that_never_answers_is_given_up(shared_server) -> None:
    async with sagemaker_front(shared_server.address, FrontSettings(answered=Answered.NEVER)) as front:
        with pytest.raises(SessionTimeout, match="no session with endpoint speech"):
            async with speech_by(front, open_timeout_s=0.3)():
                pass


async def test_a_session_whose_credentials_expire_goes_on_with_those_that_have_come_since(shared_server) -> None:
    over = [False]
    expiry = datetime.now(UTC) + timedelta(minutes=2)  # by which no signature is too old
    settings = FrontSettings(
        secrets={ACCESS_KEY: SECRET_KEY, "second": "2"},
        expiries={ACCESS_KEY: expiry},
        clock=lambda: expiry if over[0] else datetime.now(UTC),
    )
    session = keys()
    async with sagemaker_front(shared_server.address, settings) as front, speech_by(front, session)() as speaking:
        spoken = [await said(speaking)]
        session.set_credentials("second", "2")
        over[0] = True
        spoken.append(await said(speaking))

    assert spoken == [LETTERS, LETTERS]
