"""One utterance of an endpoint's by ``InvokeEndpointWithResponseStream``, by calls of boto3 that block."""

import asyncio
import json
import logging
import threading
import weakref
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

from primavoce.client.sagemaker.blocking import begun
from primavoce.client.sagemaker.credentials import EXTRA, NO_CREDENTIALS, WHAT, CredentialSource
from primavoce.client.sagemaker.failures import by_code, untrusted
from primavoce.errors import (
    ConnectFailed,
    EndpointRefused,
    ExtraMissing,
    RequestFailed,
    SessionBroken,
    SessionError,
    SessionTimeout,
)

PERMISSION = "sagemaker:InvokeEndpointWithResponseStream"
LOUD = ("boto3", "botocore", "urllib3")
"""Loggers that write what is signed, and signatures, when they are let."""
CALLS_KEPT = 50
"""Connections that are kept."""
BLOCKS_AHEAD = 8
"""Parts of an answer that wait to be taken; then the thread that reads them waits."""

log = logging.getLogger("primavoce.client")


class ResponseStreams:
    """Calls of one endpoint; making it, and calling, block.

    Args:
        endpoint: Its name.
        region: Of AWS; the environment's or the profile's unless given.
        variant: Of the endpoint; SageMaker chooses unless given.
        url: Address of the service; the region's own unless given.
        ca_file: Who may have signed its certificate, as PEM; what botocore trusts unless given.
        credentials: Where they come from.
        connect_timeout_s: The longest wait for a connection.
        silence_s: Seconds without a byte after which a call is given up.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        region: str | None,
        variant: str | None,
        url: str | None,
        ca_file: str | None,
        credentials: CredentialSource,
        connect_timeout_s: float,
        silence_s: float,
    ) -> None:
        try:
            import boto3  # type: ignore[import-untyped]
            from botocore.config import Config  # type: ignore[import-untyped]
        except ImportError as error:
            raise ExtraMissing(WHAT, EXTRA) from error
        for name in LOUD:
            logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger(name).level))
        self.endpoint = endpoint
        self._variant = {} if variant is None else {"TargetVariant": variant}
        self.patience_s = connect_timeout_s + silence_s
        """Seconds in which a call must tell something, or fail by itself."""
        self._silence_s = silence_s
        self._connect_timeout_s = connect_timeout_s
        self._credentials = credentials
        config = Config(
            connect_timeout=connect_timeout_s,
            read_timeout=silence_s,
            max_pool_connections=CALLS_KEPT,
            retries={"mode": "standard", "total_max_attempts": 1},  # ours know whether anything was heard
        )
        self.session = credentials.session
        """Of botocore, whose credentials calls are signed with."""
        try:
            session = boto3.Session(botocore_session=self.session, region_name=region)
            self._client = session.client("sagemaker-runtime", endpoint_url=url, verify=ca_file, config=config)
        except Exception as error:  # an address, a region, a file of certificates: botocore checks them in its own ways
            raise EndpointRefused(endpoint, f"AWS's settings can't be used ({error})") from error
        weakref.finalize(self, self._client.close)  # its connections are kept for as long as somebody may call

    async def ready(self) -> None:
        """Have credentials found before a call needs them: there, nobody could say that they never come.

        Raises:
            SessionError: there are none, or none in time.
        """
        try:
            with anyio.fail_after(self._connect_timeout_s):
                await self._credentials.current(self.endpoint)
        except TimeoutError:
            raise SessionTimeout(f"credentials for endpoint {self.endpoint}", self._connect_timeout_s) from None

    def call(self, body: Mapping[str, object]) -> "ResponseCall":
        """Ask for one utterance, and wait until its answer begins.

        Raises:
            SessionError: it doesn't.
        """
        try:
            answer = self._client.invoke_endpoint_with_response_stream(
                EndpointName=self.endpoint,
                Body=json.dumps(body).encode(),
                ContentType="application/json",
                Accept="text/event-stream",
                **self._variant,
            )
        except Exception as error:  # botocore's are of many kinds
            raise self.meaning(error) from error
        return ResponseCall(self, answer["Body"])

    def meaning(self, error: Exception) -> SessionError:
        """Return what an error of boto3's means."""
        if isinstance(error, SessionError):
            return error
        kinds = {kind.__name__ for kind in type(error).__mro__}
        told = getattr(error, "response", None)
        if "EventStreamError" in kinds and isinstance(told, dict):
            return SessionBroken(f"the endpoint's answer broke off ({_code(told)})")
        if isinstance(told, dict):
            return self._refusal(told)
        if kinds & {"NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError", "TokenRetrievalError"}:
            return EndpointRefused(self.endpoint, NO_CREDENTIALS)
        if kinds & {"ReadTimeoutError", "TimeoutError"}:
            return SessionTimeout(f"byte of endpoint {self.endpoint}", self._silence_s)
        if (failure := self._no_connection(kinds, error)) is not None:
            return failure
        log.debug("a call broke off", exc_info=error)
        return SessionBroken(f"the connection was lost ({type(error).__name__})")

    def _no_connection(self, kinds: set[str], error: Exception) -> SessionError | None:
        """Return what it means that there is no connection, or `None` if that isn't what the error says."""
        told = getattr(error, "kwargs", {})
        url = str(told.get("endpoint_url", "")).partition("/endpoints/")[0] or f"endpoint {self.endpoint}"
        if "SSLError" in kinds:
            said = str(told.get("error", error)).partition(" (_ssl")[0]
            if "certificate" in said or "doesn't match" in said:
                return untrusted(self.endpoint, url, said.rpartition("certificate verify failed: ")[2])
            return ConnectFailed(url, f"TLS failed ({said})")
        if "ConnectTimeoutError" in kinds:
            return ConnectFailed(url, f"no connection within {self._connect_timeout_s:g} s")
        if "ProxyConnectionError" in kinds:
            return ConnectFailed(url, "the proxy can't be reached")
        if "EndpointConnectionError" in kinds:
            return ConnectFailed(url, _why_not_connected(told.get("error")))
        return None

    def _refusal(self, told: Mapping[str, Any]) -> SessionError:
        if (own := _own_error(told.get("OriginalMessage", ""))) is not None:
            return own
        return by_code(
            self.endpoint,
            _code(told),
            told.get("Error", {}).get("Message", ""),
            status=told.get("ResponseMetadata", {}).get("HTTPStatusCode", 500),
            original_status=told.get("OriginalStatusCode"),
            permission=PERMISSION,
        )


class ResponseCall:
    """An answer that is coming; one thread iterates it, and any may `leave` it."""

    def __init__(self, streams: ResponseStreams, body: Any) -> None:
        self._streams = streams
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        """Yield what comes, cut anywhere.

        Raises:
            SessionError: it breaks off, as far as that can be seen.
        """
        try:
            for event in self._body:
                if (part := event.get("PayloadPart")) is not None:
                    yield part["Bytes"]
        except Exception as error:  # botocore's, and urllib3's beneath
            raise self._streams.meaning(error) from error
        finally:
            self._body.close()

    def leave(self) -> None:
        """Have whoever iterates it end soon."""
        connection = getattr(self._body, "_raw_stream", None)
        try:
            if connection is not None:
                connection.shutdown()  # closing alone would not wake a thread that waits
        except (OSError, RuntimeError, ValueError, AttributeError):
            pass  # it has ended


@asynccontextmanager
async def parts_of(
    streams: ResponseStreams, body: Mapping[str, object]
) -> AsyncIterator[MemoryObjectReceiveStream[bytes]]:
    """Ask for an utterance while the block runs; iterate the value for what comes.

    Leaving the block ends the call, in a thread that nobody waits for.

    Raises:
        SessionError: the call fails.
    """
    push, parts = anyio.create_memory_object_stream[bytes](BLOCKS_AHEAD)
    calls: list[ResponseCall] = []
    failures: list[SessionError] = []
    left = threading.Event()
    loop = asyncio.get_running_loop()

    def work() -> None:
        call = streams.call(body)
        calls.append(call)
        if left.is_set():
            call.leave()
        for block in call:
            if left.is_set():
                return
            asyncio.run_coroutine_threadsafe(push.send(block), loop).result()

    async def run() -> None:
        with push:
            try:
                await asyncio.wrap_future(begun(work, "aws-call"))
            except SessionError as error:
                failures.append(error)  # raised when what came before it has been taken

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        try:
            with parts:
                yield parts
        finally:
            left.set()
            for call in calls:
                call.leave()
            tasks.cancel_scope.cancel()
    if failures:
        raise failures[0]


def _code(told: Mapping[str, Any]) -> str:
    return str(told.get("Error", {}).get("Code", ""))


def _why_not_connected(error: object) -> str:
    cause = getattr(error, "__cause__", None)
    if "NameResolutionError" in {kind.__name__ for kind in type(error).__mro__}:
        return "its name can't be resolved"
    if isinstance(cause, OSError) and not isinstance(cause, ConnectionRefusedError):
        return f"there is no connection ({cause.strerror or type(cause).__name__})"
    return "the connection was refused"


def _own_error(said: str) -> RequestFailed | None:
    """Return the error that the container told, if it is one of ours."""
    try:
        body = json.loads(said)
        return RequestFailed(str(body["error"]), str(body["message"]), retryable=bool(body.get("retryable")))
    except (ValueError, TypeError, KeyError):
        return None
