"""The front of response streams, spoken to by boto3, before containers that tests play."""

import gc
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import boto3
import pytest
from anyio.abc import SocketAttribute, SocketStream
from botocore.config import Config
from botocore.exceptions import ClientError, EventStreamError

from primavoce.testing.aws.event_stream import MessageReader
from primavoce.testing.aws.faults import Fault, Trouble
from primavoce.testing.aws.response_stream import ResponseStreamFront, response_stream_front
from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY, FrontSettings
from tests.requests_read import read_request

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.aws,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # botocore leaves sockets open
]

OK = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"


def chunk(block: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(block), block)


class Container:
    """Says what it is told to, and stays silent or leaves after it."""

    def __init__(self, *said: bytes, leaves: bool = False) -> None:
        self.request = b""
        self._said = said
        self._leaves = leaves

    async def answer(self, stream: SocketStream) -> None:
        async with stream:
            self.request = await read_request(stream)
            for block in self._said:
                await stream.send(block)
            if not self._leaves:
                await anyio.sleep_forever()


@asynccontextmanager
async def front_before(
    container: Container, *faults: Fault | Trouble, part_bytes: int = 3001, **settings: Any
) -> AsyncIterator[ResponseStreamFront]:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    url = f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}"
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, container.answer)
        how = {"faults": faults, "part_bytes": part_bytes}
        async with response_stream_front(url, FrontSettings(**settings), **how) as front:
            yield front
        tasks.cancel_scope.cancel()


def call(
    url: str, *, body: bytes = b"{}", token: str | None = None, endpoint: str = "speech", raw: bool = False
) -> Any:
    client = boto3.client(
        "sagemaker-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key=SECRET_KEY,
        aws_session_token=token,
        config=Config(retries={"total_max_attempts": 1}, read_timeout=5),
    )
    with closing(client):
        answer = client.invoke_endpoint_with_response_stream(
            EndpointName=endpoint, Body=body, ContentType="text/plain", Accept="audio/pcm", CustomAttributes="mine"
        )
        with closing(answer["Body"]) as events:
            return b"".join(events._raw_stream.stream()) if raw else list(events)


async def called(front: ResponseStreamFront, **options: Any) -> bytes:
    events = await anyio.to_thread.run_sync(partial(call, front.url, **options))
    return b"|".join(event["PayloadPart"]["Bytes"] for event in events)


async def refusal(front: ResponseStreamFront, **options: Any) -> dict:
    with pytest.raises(ClientError) as refused:
        await called(front, **options)
    gc.collect()
    return refused.value.response


async def broken(front: ResponseStreamFront) -> tuple[object, object]:
    """Return how an answer that has begun breaks off; botocore raises it, and leaves out why."""
    with pytest.raises(EventStreamError):
        await called(front)
    gc.collect()
    message = MessageReader().push(await anyio.to_thread.run_sync(partial(call, front.url, raw=True)))[-1]
    return message.headers[":exception-type"], json.loads(message.payload).get("ErrorCode")


SAYS = (OK, chunk(b"one"), END)


async def test_the_container_hears_the_body_and_the_headers_that_are_its_own() -> None:
    container = Container(*SAYS)
    async with front_before(container) as front:
        assert await called(front, body=b"Hello.") == b"one"

    head, _, body = container.request.partition(b"\r\n\r\n")
    told = {line.lower() for line in head.decode().split("\r\n")}
    assert {
        "post /invocations http/1.1",
        "content-type: text/plain",
        "accept: audio/pcm",
        "x-amzn-sagemaker-custom-attributes: mine",
    } <= told
    assert not any(line.startswith("authorization") for line in told)
    assert body in {b"", b"Hello."}  # it may come by itself


async def test_what_the_container_says_is_cut_anywhere() -> None:
    async with front_before(Container(OK, chunk(b"one and two"), END), part_bytes=4) as front:
        assert await called(front) == b"one |and |two"


@pytest.mark.parametrize(("token", "code"), [("another", "UnrecognizedClientException"), (None, None), ("token", "")])
async def test_a_temporary_key_is_let_in_with_its_token_alone(token: str | None, code: str | None) -> None:
    async with front_before(Container(*SAYS), tokens={ACCESS_KEY: "token"}) as front:
        if code == "":
            assert await called(front, token=token) == b"one"
        else:
            told = await refusal(front, token=token)
            assert told["ResponseMetadata"]["HTTPStatusCode"] == 403
            assert told["Error"]["Code"] == "UnrecognizedClientException"


async def test_an_old_signature_is_refused() -> None:
    async with front_before(Container(*SAYS), clock=lambda: datetime.now(UTC) + timedelta(minutes=6)) as front:
        assert (await refusal(front))["Error"]["Code"] == "InvalidSignatureException"


async def test_a_body_may_be_as_long_as_the_services_model_says_and_no_longer() -> None:
    async with front_before(Container(*SAYS), most_body_bytes=5) as front:
        assert await called(front, body=b"12345") == b"one"
        told = await refusal(front, body=b"123456")

    model = boto3.client("sagemaker-runtime", region_name="us-east-1").meta.service_model
    body = model.operation_model("InvokeEndpointWithResponseStream").input_shape.members["Body"]
    assert FrontSettings().most_body_bytes == body.metadata["max"]
    assert told["ResponseMetadata"]["HTTPStatusCode"] == 413
    assert told["Error"]["Message"] == "HTTP content length exceeded 5 bytes."


@pytest.mark.parametrize(
    ("trouble", "status", "code"),
    [
        (Trouble.ACCESS_DENIED, 403, "AccessDeniedException"),
        (Trouble.THROTTLING, 400, "ThrottlingException"),
        (Trouble.NO_ENDPOINT, 400, "ValidationError"),
        (Trouble.MODEL_ERROR, 424, "ModelError"),
        (Trouble.INTERNAL_ERROR, 500, "InternalFailure"),
        (Trouble.UNAVAILABLE, 503, "ServiceUnavailable"),
    ],
)
async def test_a_call_that_is_refused_is_refused_by_the_services_own_names(trouble, status: int, code: str) -> None:
    async with front_before(Container(*SAYS), trouble) as front:
        told = await refusal(front)

    assert (told["ResponseMetadata"]["HTTPStatusCode"], told["Error"]["Code"]) == (status, code)


async def test_there_is_one_endpoint() -> None:
    async with front_before(Container(*SAYS)) as front:
        assert (await refusal(front, endpoint="another"))["Error"]["Code"] == "ValidationError"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\nno", 400),
        (b"HTTP/1.1 503 No\r\ncontent-length: 2\r\n\r\nno", 503),
    ],
)
async def test_what_the_container_refuses_is_a_model_error_with_its_words(said: bytes, status: int) -> None:
    async with front_before(Container(said)) as front:
        told = await refusal(front)

    assert (told["Error"]["Code"], told["OriginalStatusCode"], told["OriginalMessage"]) == ("ModelError", status, "no")


@pytest.mark.parametrize("container", [Container(), Container(leaves=True), Container(b"nonsense\r\n\r\n")])
async def test_a_container_that_answers_nothing_in_time_is_a_model_error(container: Container) -> None:
    async with front_before(container, answer_s=0.2) as front:
        told = await refusal(front)

    assert (told["Error"]["Code"], told["OriginalStatusCode"]) == ("ModelError", 0)
    assert FrontSettings().answer_s == 60


async def test_a_container_that_is_not_there_is_a_model_error() -> None:
    async with response_stream_front("http://127.0.0.1:9") as front:
        assert (await refusal(front))["OriginalStatusCode"] == 0


async def test_an_answer_that_takes_too_long_breaks_off() -> None:
    async with front_before(Container(OK, chunk(b"one")), response_s=0.2) as front:
        assert await broken(front) == ("ModelStreamError", "ModelInvocationTimeExceeded")

    assert FrontSettings().response_s == 8 * 60


async def test_an_answer_whose_connection_is_lost_breaks_off() -> None:
    async with front_before(Container(OK, chunk(b"one"), b"5\r\ntw", leaves=True)) as front:
        assert await broken(front) == ("ModelStreamError", "StreamBroken")


@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (Trouble.MODEL_STREAM_ERROR, ("ModelStreamError", "StreamBroken")),
        (Trouble.MODEL_TIMEOUT, ("ModelStreamError", "ModelInvocationTimeExceeded")),
        (Trouble.INTERNAL_STREAM_FAILURE, ("InternalStreamFailure", None)),
    ],
)
async def test_a_stream_fails_at_the_part_it_is_told_to(trouble: Trouble, told: tuple, after: int) -> None:
    container = Container(OK, chunk(b"one "), chunk(b"two "), chunk(b"six "), END)
    async with front_before(container, *[Fault(trouble, after_frames=after)] * 2, part_bytes=4) as front:
        assert await broken(front) == told


@pytest.mark.parametrize("trouble", [Trouble.TRUNCATION, Trouble.HALF_AN_EVENT])
async def test_a_stream_that_is_cut_short_looks_whole_to_botocore(trouble: Trouble) -> None:
    container = Container(OK, chunk(b"one "), chunk(b"two "), END)
    async with front_before(container, Fault(trouble, after_frames=1), part_bytes=4) as front:
        assert await called(front) == b"one "
