"""The official SDK alone, against the same front: what it does well, and all that we contain.

Each row of what it does, in the decision about it, has a test here; one that fails says that a release has mended it.
"""

import asyncio
import re
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
from awscrt.aio.http import AIOHttp2ClientConnection, AIOHttp2ClientStream
from smithy_aws_core.identity import AWSCredentialsIdentity
from smithy_core.exceptions import CallError, SmithyError, SmithyIdentityError
from smithy_http.aio.crt import AWSCRTHTTPClient, AWSCRTHTTPClientConfig
from smithy_http.interfaces import HTTPRequestConfiguration
from websockets.asyncio.server import ServerConnection, serve

from primavoce.testing.aws.event_stream import MEDIA_TYPE, encode
from primavoce.testing.aws.faults import Fault, Trouble
from primavoce.testing.aws.http2_server import Http2Stream, http2_server
from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY
from tests.client.resuming.cutting import until
from tests.client.sagemaker.answering import certified
from tests.client.sagemaker.complaining import complaints

pytestmark = [pytest.mark.anyio, pytest.mark.aws, pytest.mark.filterwarnings("ignore")]

BLOCK = b"\x01" * 32 * 1024
MUCH = 24 * 1024 * 1024
"""Bytes: more than windows and sockets hold, and more than our own link lets come."""


class Trusting(AWSCRTHTTPClient):
    """The SDK's own transport, which trusts the front."""

    def __init__(self, ca_file: str) -> None:
        super().__init__(client_config=AWSCRTHTTPClientConfig(force_http_2=True))
        options = crt_io.TlsContextOptions()
        options.override_default_trust_store_from_path(None, ca_file)
        self._tls_ctx = crt_io.ClientTlsContext(options)

    def __deepcopy__(self, memo: object) -> "Trusting":
        return self


async def opened(url: str, ca_file: object, **changes: Any) -> Any:
    how = {
        "region": "us-east-1",
        "endpoint_uri": url,
        "transport": Trusting(str(ca_file)),
        "aws_access_key_id": ACCESS_KEY,
        "aws_secret_access_key": SECRET_KEY,
    }
    config = await AsyncSageMakerRuntimeHTTP2Config.resolve(**{**how, **changes})
    return await invoked(config)


async def invoked(config: AsyncSageMakerRuntimeHTTP2Config) -> Any:
    return await AsyncSageMakerRuntimeHTTP2Client(config=config).invoke_endpoint_with_bidirectional_stream(
        InvokeEndpointWithBidirectionalStreamInput(endpoint_name="speech")
    )


async def say(stream, text: str) -> None:
    part = RequestPayloadPart(bytes_=text.encode(), data_type="UTF8")
    await stream.input_stream.send(RequestStreamEventPayloadPart(value=part))


async def test_it_speaks_with_the_front_and_its_signatures_are_verified(fronting) -> None:
    async with fronting() as loopback:
        stream = await opened(loopback.front.url, loopback.front.ca_file)
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


@pytest.mark.parametrize("trouble", [Trouble.RESET_BEFORE_HEADERS, Trouble.DROP_BEFORE_HEADERS])
async def test_a_stream_that_is_reset_before_it_is_answered_hangs(fronting, trouble: Trouble) -> None:
    async with fronting(trouble) as loopback:
        stream = await opened(loopback.front.url, loopback.front.ca_file)
        with anyio.move_on_after(0.5) as waiting:
            await stream.await_output()
        assert loopback.front.sessions[0].over.is_set()

    assert waiting.cancelled_caught


@pytest.mark.parametrize("trouble", [Trouble.RESET_MID_STREAM, Trouble.DROP_MID_STREAM, Trouble.TRUNCATION])
async def test_a_stream_that_is_broken_looks_finished(fronting, trouble: Trouble) -> None:
    async with fronting(Fault(trouble)) as loopback:
        stream = await opened(loopback.front.url, loopback.front.ca_file)
        await say(stream, '{"text": "Hello there, and good evening."}')
        _, events = await stream.await_output()
        with anyio.fail_after(5):
            while (event := await events.receive()) is not None:
                assert b"synthesis_complete" not in event.value.bytes_


@pytest.mark.parametrize(
    ("trouble", "lost"), [(Trouble.ACCESS_DENIED, "not authorized"), (Trouble.THROTTLING, "Rate exceeded")]
)
async def test_a_refusal_is_an_error_without_its_message(fronting, trouble: Trouble, lost: str) -> None:
    async with fronting(trouble) as loopback:
        stream = await opened(loopback.front.url, loopback.front.ca_file)
        with pytest.raises(CallError, match="Unknown error for operation") as refused:
            await stream.await_output()

    assert type(refused.value) is CallError
    assert lost not in f"{refused.value!r} {refused.value.message} {vars(refused.value)}"
    assert not refused.value.is_throttling_error


async def test_what_nobody_reads_is_taken_all_the_same(fronting) -> None:
    all_sent = anyio.Event()

    async def session(socket: ServerConnection) -> None:
        await socket.recv()
        for _ in range(MUCH // len(BLOCK)):
            await socket.send(BLOCK)
        all_sent.set()
        await socket.wait_closed()

    async with serve(session, "127.0.0.1", 0, max_queue=1, write_limit=0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with fronting(model_url=f"ws://127.0.0.1:{port}") as loopback:
            stream = await opened(loopback.front.url, loopback.front.ca_file)
            await say(stream, "Speak")
            await stream.await_output()
            with anyio.fail_after(30):
                await all_sent.wait()


class Asked:
    """Credentials that are counted as they are asked for; after the first of them, there may be none."""

    def __init__(self, error: Exception | None = None) -> None:
        self.times = 0
        self._error = error

    async def get_identity(self, *, properties: object) -> AWSCredentialsIdentity:
        self.times += 1
        if self._error:
            raise self._error
        return AWSCredentialsIdentity(access_key_id=ACCESS_KEY, secret_access_key=SECRET_KEY)

    async def invalidate(self) -> None:
        pass


async def test_without_credentials_it_never_returns(fronting) -> None:
    async with complaints() as told:
        async with fronting() as loopback:
            nobody = Asked(SmithyIdentityError("there are none"))
            with anyio.move_on_after(0.5) as waiting:
                await opened(loopback.front.url, loopback.front.ca_file, aws_credentials_identity_resolver=nobody)

    assert nobody.times == 1
    assert waiting.cancelled_caught
    assert [each for each in told if "there are none" in each]


async def test_with_an_address_that_is_none_it_never_returns(fronting) -> None:
    async with complaints() as told:
        async with fronting() as loopback:
            with anyio.move_on_after(0.5) as waiting:
                await opened("https://localhost:port", loopback.front.ca_file)

    assert waiting.cancelled_caught
    assert [each for each in told if "Port could not be cast" in each]


async def test_an_event_that_it_does_not_know_is_any_error() -> None:
    async def answer(stream: Http2Stream) -> None:
        await stream.answer(200, {"content-type": MEDIA_TYPE})
        unknown = {":message-type": "exception", ":exception-type": "Another"}
        await stream.send(encode(unknown, b"{}"), last=True)

    with certified() as (context, ca_file):
        async with http2_server(answer, context) as port:
            stream = await opened(f"https://localhost:{port}", ca_file)
            _, events = await stream.await_output()
            with pytest.raises(KeyError, match="Another"):
                await events.receive()


async def test_credentials_are_asked_for_each_event(fronting) -> None:
    async with fronting() as loopback:
        asked = Asked()
        stream = await opened(loopback.front.url, loopback.front.ca_file, aws_credentials_identity_resolver=asked)
        before = asked.times
        for _ in range(3):
            await say(stream, '{"type": "ping"}')
        await stream.close()

    assert asked.times == before + 3 + 1  # and the end, which is signed too


async def test_it_has_no_deadlines_whatever_it_is_told(fronting) -> None:
    async with fronting(Trouble.STALL_BEFORE_HEADERS) as loopback:
        stream = await opened(
            loopback.front.url, loopback.front.ca_file, http_request_config=HTTPRequestConfiguration(read_timeout=0.1)
        )
        with anyio.move_on_after(0.5) as waiting:
            await stream.await_output()

    assert waiting.cancelled_caught


async def test_whoever_is_cancelled_while_it_closes_waits_for_room(fronting) -> None:
    async with fronting(Trouble.STALL_BEFORE_HEADERS) as loopback:
        stream = await opened(loopback.front.url, loopback.front.ca_file)
        while True:
            with anyio.move_on_after(0.3) as room:
                await say(stream, "a" * 60_000)
            if room.cancelled_caught:
                break
        closing = asyncio.ensure_future(stream.input_stream.close())
        await asyncio.wait({closing}, timeout=0.1)
        closing.cancel()
        await asyncio.wait({closing}, timeout=0.3)
        waits_on = not closing.done()
        closing.cancel()
        await asyncio.wait({closing}, timeout=2)

        assert waits_on
        assert closing.cancelled()


async def test_a_stream_cannot_be_reset() -> None:
    known = {name for each in (AIOHttp2ClientStream, AIOHttp2ClientConnection) for name in dir(each)}

    assert {"update_window", "is_open", "wait_for_completion"} < known  # it is these that streams are made of
    assert {name for name in known if re.search("reset|cancel|abort", name)} == set()


async def test_what_its_threads_raise_is_printed(fronting, capfd) -> None:
    printed = [""]

    def is_printed() -> bool:
        printed.append(capfd.readouterr().err)
        return "InvalidStateError" in "".join(printed)

    async with fronting() as loopback:
        stream = await opened(loopback.front.url, loopback.front.ca_file)
        await say(stream, '{"type": "ping", "request_id": "1"}')
        _, events = await stream.await_output()
        await events.receive()
        with anyio.move_on_after(0.1):
            await events.receive()
        await say(stream, '{"type": "ping", "request_id": "2"}')
        await until(is_printed)
        await stream.input_stream.close()


async def test_errors_that_nobody_asks_about_are_logged(fronting) -> None:
    async with complaints() as told:
        async with fronting(Trouble.ACCESS_DENIED) as loopback:
            stream = await opened(loopback.front.url, loopback.front.ca_file)
            await asyncio.wait({stream._output_future}, timeout=5)
            del stream

    assert [each for each in told if "never retrieved" in each]


class Noting:
    """A transport that only notes where it is to go."""

    SUPPORTS_DUPLEX_STREAMING = True
    TIMEOUT_EXCEPTIONS = ()

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def __deepcopy__(self, memo: object) -> "Noting":
        return self

    async def send(self, request: Any, *, request_config: object = None) -> Any:
        self.asked.append(request.destination)
        raise SmithyError("this machine is left alone")


async def test_its_own_address_has_no_port() -> None:
    noting = Noting()
    stream = await invoked(
        await AsyncSageMakerRuntimeHTTP2Config.resolve(
            region="us-east-1", transport=noting, aws_access_key_id="a", aws_secret_access_key="b"
        )
    )
    with pytest.raises(SmithyError, match="left alone"):
        await stream.await_output()

    (asked,) = noting.asked
    assert (asked.host, asked.port) == ("runtime.sagemaker.us-east-1.amazonaws.com", None)
    assert AWSCRTHTTPClient._HTTPS_PORT == 443


async def test_a_profile_that_is_not_there_fails(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("AWS_PROFILE", "another")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    with pytest.raises(SmithyError, match="another"):
        await AsyncSageMakerRuntimeHTTP2Config.resolve(region="us-east-1")
