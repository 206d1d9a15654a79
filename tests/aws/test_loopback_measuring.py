"""What breaks off while a batch's answer is read: boto3 before a stand-in of SageMaker's response streams."""

from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import anyio.to_thread
import pytest

from primavoce.aws.measuring import hear_batch, measure_speech
from primavoce.bench.hearing import Heard
from primavoce.client.websocket import websocket
from primavoce.errors import AccountRefused, PrimavoceError, SessionBroken, SessionTimeout, StepFailed, SynthesisFailed
from primavoce.testing.aws.faults import Fault, Trouble

pytestmark = [pytest.mark.aws, pytest.mark.anyio]

TEXT = "Good morning. " * 20


@pytest.fixture
def client(nobody) -> Iterator[Callable[[str], Any]]:
    """What makes boto3's client of the service at an address; it waits a moment for a byte, and asks once."""
    import boto3
    from botocore.config import Config

    from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY

    config = Config(read_timeout=1.0, retries={"total_max_attempts": 1})
    session = boto3.Session(aws_access_key_id=ACCESS_KEY, aws_secret_access_key=SECRET_KEY, region_name="us-east-1")
    made: list[Any] = []

    def make(url: str) -> Any:
        made.append(session.client("sagemaker-runtime", endpoint_url=url, config=config))
        return made[-1]

    yield make
    for each in made:
        each.close()


async def heard(client: Any, text: str = TEXT) -> Heard:
    return await anyio.to_thread.run_sync(partial(hear_batch, client, "speech", text, voice="af_heart"))


async def test_loopback_batch_is_heard_through_sagemakers_response_stream(serving, client) -> None:
    from primavoce.testing.aws.response_stream import response_stream_front

    async with serving() as server, response_stream_front(server.address) as front:
        found = await heard(client(front.url))

    assert found.audio_s > 5
    assert found.total_s >= found.first_sound_s >= found.first_audio_s > 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # botocore leaves a broken socket open
@pytest.mark.parametrize(
    ("trouble", "error", "words"),
    [
        (Fault(Trouble.DROP_MID_STREAM, 9000), SessionBroken, "the endpoint's answer broke off (ProtocolError)"),
        (Fault(Trouble.DROP_MID_STREAM), SessionBroken, "the endpoint's answer broke off (ProtocolError)"),
        (Fault(Trouble.STALL_MID_STREAM, 9000), SessionTimeout, "no byte of endpoint speech within 65 s"),
        (Fault(Trouble.MODEL_STREAM_ERROR, 9000), StepFailed, "ModelStreamError"),
        (Fault(Trouble.INTERNAL_STREAM_FAILURE, 9000), StepFailed, "InternalStreamFailure"),
        (Fault(Trouble.HALF_AN_EVENT), SynthesisFailed, ""),
        (Trouble.ACCESS_DENIED, AccountRefused, "sagemaker:InvokeEndpointWithResponseStream"),
        (Trouble.MODEL_ERROR, StepFailed, "ModelError"),
    ],
    ids=lambda value: value.trouble.name if isinstance(value, Fault) else "",
)
async def test_loopback_batch_that_breaks_off_is_one_of_our_errors(
    serving, client, trouble: Fault | Trouble, error: type[PrimavoceError], words: str
) -> None:
    from primavoce.testing.aws.response_stream import response_stream_front

    async with serving() as server, response_stream_front(server.address, faults=[trouble]) as front:
        with pytest.raises(error) as caught:
            await heard(client(front.url))

    assert words in str(caught.value)


async def test_loopback_batch_that_ends_early_without_a_word_is_no_measurement(serving, client) -> None:
    from primavoce.testing.aws.response_stream import response_stream_front

    faults = [None, Fault(Trouble.TRUNCATION, 90_000)]  # the warm-up is whole
    async with serving() as server, response_stream_front(server.address, faults=faults) as front:
        account = SimpleNamespace(client=lambda _: client(front.url))
        opener = websocket(server.session_url, connect_timeout_s=5.0, headers=None, api_key=None, ssl_context=None)
        with pytest.raises(SessionBroken, match=r"1\.\d+ s of a text that takes 1\d\.\d+ s came \(batch\)"):
            await measure_speech(account, "speech", opener, voice="af_heart", trials=1, note=print)  # type: ignore[arg-type]


async def test_loopback_batch_that_is_no_stream_of_events_is_one_of_our_errors(client) -> None:
    from primavoce.testing.aws.http_server import Exchange, http_server

    async def answer(exchange: Exchange) -> None:
        await exchange.answer(
            200, {"content-type": "application/vnd.amazon.eventstream"}, b"this is no event of theirs"
        )

    async with http_server(answer) as url:
        with pytest.raises(SessionBroken, match="the endpoint's answer broke off"):
            await heard(client(url))
