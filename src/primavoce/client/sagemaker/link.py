"""Sessions with an endpoint of SageMaker, over its streams in both directions."""

import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from primavoce.client.link import Opener
from primavoce.client.resuming.policy import OWN_PING
from primavoce.client.sagemaker.credentials import EXTRA, WHAT, CredentialSource, own_credentials
from primavoce.errors import (
    EndpointRefused,
    ExtraMissing,
    InvalidSetting,
    PrimavoceError,
    ProtocolViolation,
    SessionBroken,
    SessionError,
    SessionTimeout,
    lone_error,
)
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import Ping

if TYPE_CHECKING:
    from primavoce.client.sagemaker.http2 import PartStream

PORT = 8443
"""Of streams in both directions. On 443, whoever connects is let in and never answered."""
PING = encode(Ping(OWN_PING))
"""What a link says first: its answer proves that the container is there, and speaks."""
FRAMES_AHEAD = 8
"""Frames that wait, in each direction: of audio, the 256 KiB that a socket's buffer holds."""
MAX_FRAME_BYTES = 4 * 1024 * 1024
"""The largest frame that is taken from an endpoint; audio comes in frames of 32 KiB."""
CLOSE_S = 2.0
"""Seconds that the service has to take part in the closing of a stream."""
_HOST = re.compile(r"[a-zA-Z0-9._:-]+")

log = logging.getLogger("primavoce.client")


def sagemaker_link(
    endpoint: str,
    *,
    region: str | None = None,
    variant: str | None = None,
    model_path: str | None = None,
    model_query: str | None = None,
    url: str | None = None,
    ca_file: str | Path | None = None,
    credentials: CredentialSource | None = None,
    open_timeout_s: float = 10.0,
    send_timeout_s: float = 10.0,
    greeting: str | None = PING,
) -> Opener:
    """Return what opens a link with an endpoint of SageMaker; needs the extra ``aws``.

    A link that is opened has been answered by the container. What breaks one off half-way is an error of the link's,
    even a reset, which the SDK takes for a clean end.

    Args:
        endpoint: Its name.
        region: Of AWS; the environment's or the profile's unless given.
        variant: Of the endpoint, to speak to; SageMaker chooses unless given.
        model_path: Another path of the container's than the session's.
        model_query: What the container gets as its query.
        url: ``https://`` address of the service, with its port; the region's own unless given.
        ca_file: Who may have signed the service's certificate, as PEM; what botocore is told (``AWS_CA_BUNDLE``), or
            else the system's certificates, unless given.
        credentials: Where they come from; botocore's chain unless given.
        open_timeout_s: The longest wait for the link: credentials, connection, the container's first frame.
        send_timeout_s: The longest that a message may wait to be taken.
        greeting: What is said first, and must be answered; `None` for a container that speaks another protocol.
    """
    named = None if ca_file is None else str(ca_file)

    @asynccontextmanager
    async def open_link() -> AsyncIterator[SageMakerLink]:
        from_whom = own_credentials() if credentials is None else credentials
        deadline = anyio.current_time() + open_timeout_s
        try:
            with opening(endpoint), anyio.fail_after(open_timeout_s):
                http2 = await prepared()
                request = http2.StreamRequest(endpoint, variant, model_path, model_query)
                in_region = region or await from_whom.region()
                address = address_of(in_region, url)
                trusted = named or await from_whom.ca_file()
                signed_by = await from_whom.current(endpoint)
                stream: PartStream = await http2.streams_of_this_loop(in_region, address, trusted).open(
                    request, signed_by
                )
        except TimeoutError:
            raise SessionTimeout(f"credentials for endpoint {endpoint}", open_timeout_s) from None
        link = SageMakerLink(stream, send_timeout_s)
        patience_s = 0.0  # for a stream that didn't open, or has broken
        try:
            waits_s = deadline - anyio.current_time()
            try:
                with opening(endpoint), anyio.fail_after(waits_s):
                    await link.begin(greeting)
            except TimeoutError:
                raise stream.late(waits_s, of_s=open_timeout_s) from None
            with lone_error():
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(link.send_all)
                    tasks.start_soon(link.receive_all)
                    yield link
                    tasks.cancel_scope.cancel()
            patience_s = CLOSE_S
        finally:
            link.close()
            with anyio.CancelScope(shield=True):
                await stream.close(patience_s)

    return open_link


class SageMakerLink:
    """A link over a stream of parts; see `primavoce.client.link.SessionLink`.

    Args:
        stream: Begun; whoever began it closes it.
        send_timeout_s: The longest that a message may wait to be taken.
    """

    typed = True

    def __init__(self, stream: "PartStream", send_timeout_s: float) -> None:
        self._stream = stream
        self._send_timeout_s = send_timeout_s
        self._to_send, self._outgoing = anyio.create_memory_object_stream[str | bytes](FRAMES_AHEAD)
        self._come, self._incoming = anyio.create_memory_object_stream[str | bytes](FRAMES_AHEAD)
        self._first: str | bytes | None = None
        self._failure: SessionError | None = None

    # --- a session's link

    async def send(self, frame: str | bytes) -> None:
        """Send a message, or what isn't to be taken for text; `FRAMES_AHEAD` may wait to be taken.

        Raises:
            SessionError: the stream has ended, or takes nothing.
        """
        try:
            await self._to_send.send(frame)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise self._failure or SessionBroken("the stream takes nothing any more") from None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str | bytes:
        first, self._first = self._first, None
        if first is not None:
            return first
        try:
            return await self._incoming.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            if self._failure is not None:
                raise self._failure from None
            raise StopAsyncIteration from None

    # --- for whoever opens it

    async def begin(self, greeting: str | None) -> None:
        """Wait until the service has taken the stream, and the container has answered ``greeting``.

        Raises:
            SessionError: one of them hasn't.
        """
        if greeting is not None:  # before the answer is waited for: it may not come until the container says something
            await self._stream.send(greeting.encode(), is_text=True)
        await self._stream.answered()
        if greeting is not None:
            self._first = await self._message()
            if self._first is None:
                raise SessionBroken("the stream ended before the container had said anything")

    async def send_all(self) -> None:
        """Send what waits: one task alone, for each event's signature goes on from the one before."""
        with self._outgoing:
            try:
                async for frame in self._outgoing:
                    with anyio.fail_after(self._send_timeout_s):
                        if isinstance(frame, str):
                            await self._stream.send(frame.encode(), is_text=True)
                        else:
                            await self._stream.send(frame, is_text=False)
            except TimeoutError:
                self._fail(SessionTimeout("room for a message", self._send_timeout_s))
            except SessionBroken as error:
                log.debug("nothing can be sent: %s", error)  # why, is told by what comes, or doesn't

    async def receive_all(self) -> None:
        """Have what comes ready, as far as there is room."""
        with self._come:
            try:
                while (message := await self._message()) is not None:
                    await self._come.send(message)
            except SessionError as error:
                self._fail(error)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass  # it has failed

    def close(self) -> None:
        """Say that nobody speaks or listens any more."""
        for end in (self._to_send, self._outgoing, self._come, self._incoming):
            end.close()

    def _fail(self, error: SessionError) -> None:
        self._failure = self._failure or error
        self._to_send.close()
        self._come.close()

    async def _message(self) -> str | bytes | None:
        """Return the next whole message, of as many parts as it has."""
        payload, is_text = b"", False
        while (part := await self._stream.receive()) is not None:
            is_text = part.is_text if not payload else is_text
            payload += part.payload
            if len(payload) > MAX_FRAME_BYTES:
                raise ProtocolViolation(f"a frame of more than {MAX_FRAME_BYTES} bytes")
            if part.is_last:
                return _text(payload) if is_text else payload
        return None


def _text(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError as error:
        raise ProtocolViolation("a text that isn't UTF-8") from error


def address_of(region: str, url: str | None) -> str:
    """Return the service's address: ``url``, at `PORT` unless it names another; or the region's own.

    Raises:
        InvalidSetting: ``url`` is no address by TLS.
    """
    if url is None:
        return f"https://runtime.sagemaker.{region}.amazonaws.com:{PORT}"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:  # brackets without an end, a port that there can't be
        host, port = "", None
    if not url.startswith("https://") or not _HOST.fullmatch(host) or port == 0:
        raise InvalidSetting("url", f"{url[:80]!r} is no address of a stream: https://HOST:{PORT}")
    return url if port else parts._replace(netloc=f"{parts.netloc.removesuffix(':')}:{PORT}").geturl()


@contextmanager
def opening(endpoint: str) -> Iterator[None]:
    """Tell what nobody foresaw, in the block, as an error of opening a session: or else it would pass for its end.

    Raises:
        EndpointRefused: it happens.
    """
    try:
        yield
    except (PrimavoceError, TimeoutError):
        raise
    except Exception as error:
        raise EndpointRefused(endpoint, f"opening a session failed ({type(error).__name__}: {error})") from error


async def prepared() -> ModuleType:
    """Return the module of the SDK, imported in a thread: the first time, that takes a second.

    Raises:
        ExtraMissing: the SDK isn't installed.
    """
    return await anyio.to_thread.run_sync(_sdk, abandon_on_cancel=True)


def _sdk() -> ModuleType:
    try:
        from primavoce.client.sagemaker import http2
    except ImportError as error:
        raise ExtraMissing(WHAT, EXTRA) from error
    return http2
