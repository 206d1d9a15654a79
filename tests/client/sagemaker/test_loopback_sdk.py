"""The official SDK alone, against the same front: what it does well, and the hangs that we contain."""

from typing import Any

import anyio
import pytest
from aws_sdk_sagemaker_runtime_http2.client import AsyncSageMakerRuntimeHTTP2Client
from aws_sdk_sagemaker_runtime_http2.config import AsyncSageMakerRuntimeHTTP2Config
from aws_sdk_sagemaker_runtime_http2.models import (
    InvokeEndpointWithBidirectionalStreamInput,
    RequestPayloadPart,
    RequestStreamEventPayloadPart,
)
from awscrt import io as crt_io
from smithy_core.exceptions import CallError
from smithy_http.aio.crt import AWSCRTHTTPClient, AWSCRTHTTPClientConfig

from primavoce.testing.aws.faults import Fault, Trouble
from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY, SageMakerFront

pytestmark = [pytest.mark.anyio, pytest.mark.aws, pytest.mark.filterwarnings("ignore")]


class Trusting(AWSCRTHTTPClient):
    """The SDK's own transport, which trusts the front."""

    def __init__(self, ca_file: str) -> None:
        super().__init__(client_config=AWSCRTHTTPClientConfig(force_http_2=True))
        options = crt_io.TlsContextOptions()
        options.override_default_trust_store_from_path(None, ca_file)
        self._tls_ctx = crt_io.ClientTlsContext(options)

    def __deepcopy__(self, memo: object) -> "Trusting":
        return self


async def opened(front: SageMakerFront) -> Any:
    config = await AsyncSageMakerRuntimeHTTP2Config.resolve(
        region="us-east-1",
        endpoint_uri=front.url,
        transport=Trusting(str(front.ca_file)),
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key=SECRET_KEY,
    )
    client = AsyncSageMakerRuntimeHTTP2Client(config=config)
    return await client.invoke_endpoint_with_bidirectional_stream(
        InvokeEndpointWithBidirectionalStreamInput(endpoint_name="speech")
    )


async def say(stream, text: str) -> None:
    part = RequestPayloadPart(bytes_=text.encode(), data_type="UTF8")
    await stream.input_stream.send(RequestStreamEventPayloadPart(value=part))


async def test_it_speaks_with_the_front_and_its_signatures_are_verified(fronting) -> None:
    async with fronting() as loopback:
        stream = await opened(loopback.front)
        await say(stream, '{"type": "ping", "request_id": "1"}')
        _, events = await stream.await_output()
        event = await events.receive()
        await stream.close()
        (seen,) = loopback.front.sessions
        with anyio.fail_after(5):
            await seen.over.wait()

        assert event.value.data_type == "UTF8"
        assert b'"pong"' in event.value.bytes_
        assert (seen.verified_events, seen.problems) == (2, [])


async def test_a_refusal_is_an_error_without_its_message(fronting) -> None:
    async with fronting(Trouble.ACCESS_DENIED) as loopback:
        stream = await opened(loopback.front)
        with pytest.raises(CallError, match="status: 403"):
            await stream.await_output()


@pytest.mark.parametrize("trouble", [Trouble.RESET_BEFORE_HEADERS, Trouble.DROP_BEFORE_HEADERS])
async def test_a_stream_that_is_reset_before_it_is_answered_hangs(fronting, trouble: Trouble) -> None:
    async with fronting(trouble) as loopback:
        stream = await opened(loopback.front)
        with anyio.move_on_after(0.5) as waiting:
            await stream.await_output()

    assert waiting.cancelled_caught


@pytest.mark.parametrize("trouble", [Trouble.RESET_MID_STREAM, Trouble.DROP_MID_STREAM, Trouble.TRUNCATION])
async def test_a_stream_that_is_broken_looks_finished(fronting, trouble: Trouble) -> None:
    async with fronting(Fault(trouble)) as loopback:
        stream = await opened(loopback.front)
        await say(stream, '{"text": "Hello there, and good evening."}')
        _, events = await stream.await_output()
        with anyio.fail_after(5):
            while (event := await events.receive()) is not None:
                assert b"synthesis_complete" not in event.value.bytes_
