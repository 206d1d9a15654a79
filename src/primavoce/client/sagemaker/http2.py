"""The SDK of AWS for streams in both directions; only this module, its transport and its stream import it.

The SDK is young: it waits for ever when a stream is reset before it is answered, takes a broken stream for a finished
one, and keeps whatever comes in memory. `primavoce.client.sagemaker.http2_stream` mends that. Deadlines are the
caller's (`primavoce.client.sagemaker.link`).
"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from aws_sdk_sagemaker_runtime_http2.client import AsyncSageMakerRuntimeHTTP2Client
from aws_sdk_sagemaker_runtime_http2.config import AsyncSageMakerRuntimeHTTP2Config
from aws_sdk_sagemaker_runtime_http2.models import (
    InternalStreamFailure,
    InvokeEndpointWithBidirectionalStreamInput,
    ModelStreamError,
    RequestPayloadPart,
    RequestStreamEventPayloadPart,
    ResponseStreamEventPayloadPart,
)
from awscrt.exceptions import AwsCrtError
from smithy_aws_core.identity import AWSCredentialsIdentity
from smithy_core.exceptions import SmithyError
from smithy_http.aio.crt import AWSCRTHTTPResponse

from primavoce.client.sagemaker.credentials import Credentials
from primavoce.client.sagemaker.failures import MAX_MESSAGE, network_error, refusal
from primavoce.client.sagemaker.http2_stream import ToldStream
from primavoce.client.sagemaker.http2_transport import Transport
from primavoce.errors import ConnectFailed, SessionBroken, SessionError

MAX_REFUSAL_BYTES = 16 * 1024
CANCELS = 4
CANCEL_S = 0.1
"""Seconds that are waited after each."""


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """Which stream is wanted."""

    endpoint: str
    variant: str | None = None
    model_path: str | None = None
    model_query: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """What came in one piece."""

    payload: bytes
    is_text: bool
    is_last: bool
    """Whether its message is whole with it."""


class SageMakerStreams:
    """Streams to the endpoints of one region, for one event loop, over connections that are kept.

    Args:
        region: That is signed for.
        url: ``https://`` address, with its port.
        ca_file: Who may have signed its certificate, as PEM; the system's certificates unless given.
    """

    def __init__(self, region: str, url: str, ca_file: str | None) -> None:
        self.url = url
        self._region = region
        self._transport = Transport(ca_file)
        self._client: AsyncSageMakerRuntimeHTTP2Client | None = None

    async def open(self, request: StreamRequest, credentials: Credentials) -> "PartStream":
        """Begin a stream; whether it is answered is seen by `PartStream.answered`."""
        call = _CallTransport(self._transport, request.endpoint, self.url)

        def of_this_call(config: AsyncSageMakerRuntimeHTTP2Config) -> None:
            config.transport = call
            # The same for the whole stream: its events are signed with the secret of the key that opened it.
            config.aws_credentials_identity_resolver = _Frozen(credentials)

        invoked = InvokeEndpointWithBidirectionalStreamInput(
            endpoint_name=request.endpoint,
            target_variant=request.variant,
            model_invocation_path=request.model_path,
            model_query_string=request.model_query,
        )
        client = await self._made()
        duplex = await client.invoke_endpoint_with_bidirectional_stream(invoked, plugins=[of_this_call])
        return PartStream(duplex, call)

    async def _made(self) -> AsyncSageMakerRuntimeHTTP2Client:
        if self._client is None:
            config = await AsyncSageMakerRuntimeHTTP2Config.resolve(
                profile="default",
                fs=_NoFiles(),
                region=self._region,
                endpoint_uri=self.url,
                transport=self._transport,
                aws_credentials_identity_resolver=_Frozen(Credentials("", "")),
            )
            self._client = AsyncSageMakerRuntimeHTTP2Client(config=config)
        return self._client


class PartStream:
    """One stream: parts out, parts in. Whoever is cancelled in one of its methods can only close it."""

    def __init__(self, duplex: Any, call: "_CallTransport") -> None:
        self._duplex = duplex
        self._call = call

    async def answered(self) -> None:
        """Wait until the service has taken the stream.

        Raises:
            SessionError: it hasn't.
        """
        try:
            await self._duplex.await_output()
        except SmithyError as error:
            raise self._call.meaning(error) from error

    async def send(self, payload: bytes, *, is_text: bool) -> None:
        """Send a whole message; wait while the service takes none.

        Raises:
            SessionBroken: it takes nothing any more.
        """
        part = RequestPayloadPart(bytes_=payload, data_type="UTF8" if is_text else "BINARY")
        try:
            await self._duplex.input_stream.send(RequestStreamEventPayloadPart(value=part))
        except (OSError, SmithyError) as error:
            raise SessionBroken("the stream takes nothing any more") from error

    async def receive(self) -> Part | None:
        """Return what comes next, or `None` when the service ends the stream in good order.

        Raises:
            SessionBroken: it breaks off, or the container or the service says so.
        """
        while True:
            try:
                event = await self._duplex.output_stream.receive()
            except ModelStreamError as error:
                raise SessionBroken(f"the container closed it with {error.error_code}{_reason(error)}") from error
            except InternalStreamFailure as error:
                raise SessionBroken(f"SageMaker's stream failed{_reason(error)}") from error
            except (OSError, SmithyError) as error:
                cause = error.__cause__
                if isinstance(cause, SessionError):
                    raise cause from error
                raise SessionBroken("what came is no stream of events") from error
            if event is None:
                return None
            if isinstance(event, ResponseStreamEventPayloadPart):
                part = event.value
                return Part(part.bytes_ or b"", part.data_type == "UTF8", part.completion_state != "PARTIAL")

    async def close(self, within_s: float) -> None:
        """End our side, and wait ``within_s`` seconds for the other's end; after that its connection is left."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within_s
        closing = asyncio.ensure_future(self._duplex.input_stream.close())
        await asyncio.wait({closing}, timeout=within_s)
        await self._call.close(max(0.0, deadline - loop.time()))
        await _ended(closing)
        await _ended(self._duplex._output_future)  # noqa: SLF001 - it was told, or nobody asked


async def _ended(future: "asyncio.Future[Any]") -> None:
    """Have a task of the SDK's end: one that is cancelled once may go on waiting while it tidies up."""
    for _ in range(CANCELS):
        if future.done():
            break
        future.cancel()
        await asyncio.wait({future}, timeout=CANCEL_S)
    if future.done() and not future.cancelled():
        future.exception()  # or else it is logged as one that nobody has asked about


# --- what the SDK is given


class _NoFiles:
    """Files of AWS, of which there are none: what the user has in them is botocore's to read, and gone by."""

    async def read_file(self, path: str) -> str | None:  # noqa: ARG002 - the SDK's
        """Return a profile without settings."""
        return "[default]\n"


class _Frozen:
    """Credentials, as the SDK asks for them."""

    def __init__(self, credentials: Credentials) -> None:
        self._identity = AWSCredentialsIdentity(
            access_key_id=credentials.access_key,
            secret_access_key=credentials.secret_key,
            session_token=credentials.token,
        )

    async def get_identity(self, *, properties: Any) -> AWSCredentialsIdentity:  # noqa: ARG002 - the SDK's
        """Return them."""
        return self._identity

    async def invalidate(self) -> None:
        """Keep them."""


class _Refused(SmithyError):
    """An answer without a stream."""

    def __init__(self, meaning: SessionError) -> None:
        super().__init__(str(meaning))
        self.meaning = meaning


class _CallTransport:
    """The transport, for one call: knows its stream, and what its errors mean."""

    SUPPORTS_DUPLEX_STREAMING = True
    TIMEOUT_EXCEPTIONS = ()

    def __init__(self, transport: Transport, endpoint: str, url: str) -> None:
        self.stream: ToldStream | None = None
        self._transport = transport
        self._endpoint = endpoint
        self._url = url

    async def send(self, request: Any, *, request_config: Any = None) -> AWSCRTHTTPResponse:  # noqa: ARG002 - the SDK's
        """Send the request, and return its answer.

        Raises:
            _Refused: it is none that has a stream.
        """
        self.stream = await self._transport.begin(request)
        status, fields = await self.stream.response()
        if status != 200:
            body = await self.stream.beginning(MAX_REFUSAL_BYTES)
            headers = {each.name.lower(): each.as_string() for each in fields}
            raise _Refused(refusal(self._endpoint, status, headers, body))
        return _Answer(status=status, fields=fields, stream=self.stream)

    async def close(self, within_s: float) -> None:
        """Wait ``within_s`` seconds for the stream's end; after that its connection is left."""
        if self.stream is not None:
            await self.stream.finished(within_s)
            if not self.stream.is_done:
                self._transport.leave(self.stream)

    def meaning(self, error: Exception) -> SessionError:
        """Return what ``error``, met while the stream was opened, means."""
        for each in (error, error.__cause__, error.__context__):
            match each:
                case _Refused():
                    return each.meaning
                case SessionError():
                    return each
                case AwsCrtError():
                    return network_error(self._url, each.name)
        return ConnectFailed(self._url, str(error) or type(error).__name__)


class _Answer(AWSCRTHTTPResponse):
    """An answer whose body says how it ended."""

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Yield the body."""
        while block := await self._stream.next_block():
            yield block


def _reason(error: ModelStreamError | InternalStreamFailure) -> str:
    return f": {error.message[:MAX_MESSAGE]}" if error.message else ""


# --- one for each loop

_streams: dict[tuple[asyncio.AbstractEventLoop, str, str, str | None], SageMakerStreams] = {}


def streams_of_this_loop(region: str, url: str, ca_file: str | None) -> SageMakerStreams:
    """Return the streams of this process to ``url`` for the event loop that runs: connections are kept, and shared."""
    for known in [known for known in _streams if known[0].is_closed()]:
        del _streams[known]
    key = asyncio.get_running_loop(), region, url, ca_file
    if key not in _streams:
        _streams[key] = SageMakerStreams(region, url, ca_file)
    return _streams[key]
