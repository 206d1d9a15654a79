"""The SDK's transport, over connections that are kept for as many streams as they take."""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any, Literal, Self

from awscrt import io as crt_io
from awscrt.aio.http import AIOHttpClientConnectionUnified
from awscrt.exceptions import AwsCrtError
from awscrt.http import HttpClientConnection, HttpVersion
from smithy_http.aio.crt import AWSCRTHTTPClient, AWSCRTHTTPClientConfig

from primavoce.client.sagemaker.blocking import begun as begun_in_a_thread
from primavoce.client.sagemaker.http2_stream import ToldStream, heard, result_of
from primavoce.client.sagemaker.trust import Look
from primavoce.errors import ConnectFailed, InvalidSetting, SessionBroken

WINDOW_BYTES = 256 * 1024
"""Of a stream, what may come before it is taken: five seconds of audio."""
STREAMS_A_CONNECTION = 50
"""At a time; one more opens another connection. What is lost on the way holds all of them up."""
CONNECT_S = 10.0
"""The longest wait for a connection, TLS included."""
LOOK_S = 0.5
"""Seconds after which it is looked what keeps a connection from being ready: a certificate that isn't trusted?"""
TRIES = 3
"""Connections that are lost, one after another, before they have taken a stream; then it is told."""
KEEP_ALIVE_S = 45
"""Seconds of silence after which a connection is probed: gateways forget those that are silent for 350."""


Obstacle = Literal["name", "port", "unknown"]
"""What is in the way of a connection: the name isn't resolved, the port is shut, or who knows."""


class Unanswered(Exception):
    """There is no connection."""

    def __init__(self, waited_s: float) -> None:
        super().__init__(f"no connection within {waited_s:g} s")
        self.waited_s = waited_s


class _Kept:
    """A connection that is kept, and the streams that are open on it."""

    def __init__(self, connection: AIOHttpClientConnectionUnified) -> None:
        self.connection = connection
        self.streams: set[ToldStream] = set()
        self.is_left = False
        """Whether it is given no more streams."""

    def has_room(self) -> bool:
        """Whether one more stream may be opened."""
        return not self.is_left and bool(self.connection.is_open()) and len(self.streams) < STREAMS_A_CONNECTION


class Transport(AWSCRTHTTPClient):
    """The SDK's transport, with connections that hold the service back and tell what becomes of their streams.

    Args:
        ca_file: Who may have signed the service's certificate, as PEM; the system's certificates unless given.

    Raises:
        InvalidSetting: the file can't be used.
    """

    def __init__(self, ca_file: str | None) -> None:
        super().__init__(client_config=AWSCRTHTTPClientConfig(force_http_2=True))
        if ca_file is not None:
            try:
                options = crt_io.TlsContextOptions()
                options.override_default_trust_store_from_path(None, ca_file)
                self._tls_ctx = crt_io.ClientTlsContext(options)
            except (AwsCrtError, RuntimeError, OSError) as error:
                raise InvalidSetting("AWS_CA_BUNDLE", f"{ca_file} holds no certificates to trust") from error
        self._socket_options.connect_timeout_ms = int(1000 * CONNECT_S)
        self._socket_options.keep_alive = True
        self._socket_options.keep_alive_timeout_secs = KEEP_ALIVE_S
        self._socket_options.keep_alive_interval_secs = KEEP_ALIVE_S // 3
        self._ca_file = ca_file
        self.was_there = False
        """Whether there ever was a connection."""
        self._look: Look | None = None
        self._looking: Future[ssl.SSLCertVerificationError | None] | None = None
        """The last look, and what comes of it."""
        self._kept: list[_Kept] = []
        self._being_made: asyncio.Task[_Kept] | None = None

    def __deepcopy__(self, memo: Mapping[int, object]) -> Self:
        return self  # the SDK copies its configuration for each call, and the connections are for all

    async def begin(self, request: Any, *, is_wanted: Callable[[], bool]) -> ToldStream:
        """Send a request's headers, and return its stream.

        Args:
            request: The SDK's.
            is_wanted: Whether somebody still waits for it, now that there is a connection.

        Raises:
            SessionError: there is no connection to be had.
            SSLCertVerificationError: the service's certificate isn't trusted.
            Unanswered: nobody answers.
        """
        crt_request = self._marshal_request(request)
        lost: Exception | None = None
        for _ in range(TRIES):
            kept = await self._with_room(request.destination)
            if not is_wanted():
                raise SessionBroken("it was closed before it was open")
            try:
                stream = ToldStream(kept.connection, crt_request, self._create_body_generator(request.body))
            except (AwsCrtError, RuntimeError) as error:  # it is just being closed
                lost = error
                kept.is_left = True
                self._settle(kept)
                continue
            kept.streams.add(stream)
            stream.on_done = partial(self._ended, kept, stream)
            return stream
        raise _no_good() from lost

    def obstacle(self, waited_s: float) -> Obstacle:
        """Return what is known to be in the way of whoever has waited ``waited_s`` seconds for a connection.

        The port is shut where nobody ever answered, neither us nor the look at it: which asks all addresses of a name
        at once, where the run time asks them one after another, and waits in vain for a dead one.
        """
        look = self._look
        if self.was_there or waited_s < CONNECT_S / 2 or look is None or look.is_there:
            return "unknown"
        return "port" if look.has_address else "name"

    def leave(self, stream: ToldStream) -> None:
        """Open no more streams on the connection of ``stream``, which would not end; close it when the others have."""
        for kept in self._kept:
            if stream in kept.streams:
                kept.streams.discard(stream)
                kept.is_left = True
                self._settle(kept)
                return

    def close_all(self) -> None:
        """Close the connections, of a loop that has ended: from any thread, and without waiting for anything."""
        for kept in self._kept:
            HttpClientConnection.close(kept.connection)
        self._kept.clear()

    def _ended(self, kept: _Kept, stream: ToldStream) -> None:
        kept.streams.discard(stream)
        kept.is_left = kept.is_left or stream.is_unanswered  # it may be on its way out
        self._settle(kept)

    def _settle(self, kept: _Kept) -> None:
        """Close a connection without streams if it is given no more, or another has room for those to come."""
        if kept.streams or kept not in self._kept:
            return
        if kept.is_left or any(each.has_room() for each in self._kept if each is not kept):
            self._kept.remove(kept)
            HttpClientConnection.close(kept.connection)  # nobody waits for it

    async def _with_room(self, url: Any) -> _Kept:
        lost = 0
        while lost < TRIES:  # what is full of others' streams isn't lost: then there is one more for us
            self._kept[:] = [kept for kept in self._kept if kept.connection.is_open() or kept.streams]
            if (found := next((kept for kept in self._kept if kept.has_room()), None)) is not None:
                return found
            if self._being_made is None or self._being_made.done():
                self._being_made = asyncio.ensure_future(self._make(url))
                self._being_made.add_done_callback(heard)
            # Whoever is cancelled leaves it to the others, and to itself later: half-way it can't be undone.
            made = await asyncio.shield(self._being_made)
            lost += not made.connection.is_open()
        raise _no_good()

    async def _make(self, url: Any) -> _Kept:
        made = _Kept(await self._create_connection(url))
        self._kept.append(made)
        self.was_there = True
        return made

    async def _build_new_connection(self, url: Any) -> AIOHttpClientConnectionUnified:
        tls = self._tls_ctx.new_connection_options()
        tls.set_server_name(url.host)
        tls.set_alpn_list(["h2", "http/1.1"])
        begun = AIOHttpClientConnectionUnified._generic_new(  # noqa: SLF001 - the public way can't be cancelled well
            url.host,
            url.port,
            self._client_bootstrap,
            self._socket_options,
            tls,
            asyncio_connection=True,
            manual_window_management=True,
            initial_window_size=WINDOW_BYTES,
        )
        try:
            async with asyncio.timeout(CONNECT_S):
                return await self._connected(begun, url)
        except BaseException as error:
            begun.add_done_callback(_close_late)  # nobody waits for it any more
            if isinstance(error, TimeoutError):
                raise Unanswered(CONNECT_S) from None
            raise

    async def _connected(
        self, begun: "Future[AIOHttpClientConnectionUnified]", url: Any
    ) -> AIOHttpClientConnectionUnified:
        """Return the connection that is being made.

        Raises:
            SSLCertVerificationError: there will be none; it is told before the run time does.
        """
        connecting = asyncio.ensure_future(result_of(begun))
        tasks: list[asyncio.Future[Any]] = [connecting]
        try:
            await asyncio.wait({connecting}, timeout=LOOK_S)
            if not connecting.done():
                looking = asyncio.ensure_future(result_of(self._looked(url)))
                tasks.append(looking)
                await asyncio.wait({connecting, looking}, return_when=asyncio.FIRST_COMPLETED)
                if not connecting.done() and (why := looking.result()) is not None:
                    raise why
            return await connecting
        finally:
            for each in tasks:
                each.add_done_callback(heard)
                each.cancel()

    def _looked(self, url: Any) -> "Future[ssl.SSLCertVerificationError | None]":
        """Return what comes of the look that is being taken, or of another: one alone, for it may take for ever."""
        if self._looking is None or self._looking.done():
            self._look = Look(url.host, url.port, self._ca_file, CONNECT_S)
            self._looking = begun_in_a_thread(self._look.distrust, "aws-trust")
        return self._looking

    async def _validate_connection(self, connection: AIOHttpClientConnectionUnified) -> None:
        # As in the base class, which waits for the end of what it closes.
        if connection.version is not HttpVersion.Http2:
            HttpClientConnection.close(connection)
            raise ConnectFailed(f"https://{connection.host_name}:{connection.port}", "it doesn't speak HTTP/2")


def _no_good() -> SessionBroken:
    return SessionBroken("connections are lost as soon as they are there")


def _close_late(begun: "Future[AIOHttpClientConnectionUnified]") -> None:
    if begun.exception() is None:
        HttpClientConnection.close(begun.result())
