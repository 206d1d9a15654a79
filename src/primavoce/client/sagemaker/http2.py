"""The SDK of AWS for streams in both directions; only this module and the other three ``http2_…`` import it.

The SDK is young: it waits for ever when a stream is reset before it is answered, takes a broken stream for a finished
one, and keeps whatever comes in memory. `primavoce.client.sagemaker.http2_stream` mends that. Deadlines are the
caller's (`primavoce.client.sagemaker.link`).
"""

import asyncio
import threading
from contextlib import suppress
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
from smithy_aws_event_stream.exceptions import UnmodeledEventError
from smithy_core.exceptions import SmithyError

from primavoce.client.sagemaker.credentials import Credentials
from primavoce.client.sagemaker.failures import MAX_MESSAGE
from primavoce.client.sagemaker.http2_call import CallTransport, Frozen, NoFiles
from primavoce.client.sagemaker.http2_stream import ended, heard
from primavoce.client.sagemaker.http2_transport import Transport
from primavoce.errors import EndpointRefused, SessionBroken, SessionError


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
        self._making = asyncio.Lock()
        self._client: AsyncSageMakerRuntimeHTTP2Client | None = None
        self._ending: set[asyncio.Future[None]] = set()
        """Streams that were left before they were begun."""

    async def open(self, request: StreamRequest, credentials: Credentials) -> "PartStream":
        """Begin a stream; whether it is answered is seen by `PartStream.answered`.

        Raises:
            SessionError: the SDK can do nothing with the region or the address.
        """
        call = CallTransport(self._transport, request.endpoint, self.url)

        def of_this_call(config: AsyncSageMakerRuntimeHTTP2Config) -> None:
            config.transport = call
            # The same for the whole stream: its events are signed with the secret of the key that opened it.
            config.aws_credentials_identity_resolver = Frozen(credentials)

        invoked = InvokeEndpointWithBidirectionalStreamInput(
            endpoint_name=request.endpoint,
            target_variant=request.variant,
            model_invocation_path=request.model_path,
            model_query_string=request.model_query,
        )
        client = await self._made(request.endpoint)
        # In a task that nobody cancels: the SDK would go on by itself, and what it met be logged as nobody's errors.
        invoking = asyncio.ensure_future(
            client.invoke_endpoint_with_bidirectional_stream(invoked, plugins=[of_this_call])
        )
        try:
            duplex = await asyncio.shield(invoking)
        except SmithyError as error:
            call.leave()
            raise call.meaning(error) from error
        except BaseException:
            call.leave()
            ending = asyncio.ensure_future(_end(invoking, call))
            self._ending.add(ending)  # the loop doesn't keep it
            ending.add_done_callback(self._ending.discard)
            raise
        return PartStream(duplex, call)

    async def _made(self, endpoint: str) -> AsyncSageMakerRuntimeHTTP2Client:
        async with self._making:
            if self._client is None:
                try:
                    config = await AsyncSageMakerRuntimeHTTP2Config.resolve(
                        profile="default",
                        fs=NoFiles(),
                        region=self._region,
                        endpoint_uri=self.url,
                        transport=self._transport,
                        aws_credentials_identity_resolver=Frozen(Credentials("", "")),
                    )
                except SmithyError as error:  # its own check of a region
                    raise EndpointRefused(endpoint, f"AWS's settings can't be used ({error})") from error
                self._client = AsyncSageMakerRuntimeHTTP2Client(config=config)
            return self._client

    def close(self) -> None:
        """Close the connections, when the loop has ended."""
        self._transport.close_all()


class PartStream:
    """One stream: parts out, parts in. Whoever is cancelled in one of its methods can only close it."""

    def __init__(self, duplex: Any, call: CallTransport) -> None:
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

    def late(self, waited_s: float, *, of_s: float) -> SessionError:
        """Return what it means that it isn't answered; see `CallTransport.late`."""
        return self._call.late(waited_s, of_s=of_s)

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
            except UnmodeledEventError as error:
                raise SessionBroken(f"the service broke it off ({error.code})") from error
            except Exception as error:  # the SDK's: what it can't read, it raises in many ways
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
        """End our side, and wait ``within_s`` seconds for the other's end; after that its connection is left.

        A stream that isn't open yet never will be. Whoever is cancelled here leaves the connection at once.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within_s
        self._call.is_left = True  # from now on, no connection that gets ready opens one
        closing = asyncio.ensure_future(self._duplex.input_stream.close())
        output = self._duplex._output_future  # noqa: SLF001 - it was told, or nobody asked
        for each in (closing, output):
            each.add_done_callback(heard)
        try:
            await asyncio.wait({closing}, timeout=within_s)
            await self._call.finished(max(0.0, deadline - loop.time()))
            await ended(closing)
            await ended(output)
        finally:
            self._call.leave()
            closing.cancel()
            output.cancel()


async def _end(invoking: "asyncio.Future[Any]", call: CallTransport) -> None:
    """End a stream that nobody wants, once the SDK has begun it."""
    with suppress(Exception):  # then there is none
        await PartStream(await invoking, call).close(0.0)


def _reason(error: ModelStreamError | InternalStreamFailure) -> str:
    return f": {error.message[:MAX_MESSAGE]}" if error.message else ""


# --- one for each loop

_by_one_thread = threading.Lock()
_streams: dict[tuple[asyncio.AbstractEventLoop, str, str, str | None], SageMakerStreams] = {}


def streams_of_this_loop(region: str, url: str, ca_file: str | None) -> SageMakerStreams:
    """Return the streams of this process to ``url`` for the event loop that runs: connections are kept, and shared."""
    key = asyncio.get_running_loop(), region, url, ca_file
    with _by_one_thread:
        for known in [known for known in _streams if known[0].is_closed()]:
            _streams.pop(known).close()
        if key not in _streams:
            _streams[key] = SageMakerStreams(region, url, ca_file)
        return _streams[key]
