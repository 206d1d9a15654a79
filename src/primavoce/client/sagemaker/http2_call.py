"""What the SDK is given for a call: its transport, and credentials that stay the same."""

import ssl
from collections.abc import AsyncGenerator
from typing import Any

from awscrt.exceptions import AwsCrtError
from smithy_aws_core.identity import AWSCredentialsIdentity
from smithy_core.exceptions import SmithyError
from smithy_http.aio.crt import AWSCRTHTTPResponse

from primavoce.client.sagemaker.credentials import Credentials
from primavoce.client.sagemaker.failures import network_error, refusal, unanswered, untrusted
from primavoce.client.sagemaker.http2_stream import ToldStream
from primavoce.client.sagemaker.http2_transport import Transport, Unanswered
from primavoce.errors import ConnectFailed, SessionError, SessionTimeout

MAX_REFUSAL_BYTES = 16 * 1024
REFUSAL_S = 1.0
"""Seconds that the words of a refusal are waited for; its status is enough."""


class CallTransport:
    """The transport, for one call: knows its stream, and what its errors mean."""

    SUPPORTS_DUPLEX_STREAMING = True
    TIMEOUT_EXCEPTIONS = ()

    def __init__(self, transport: Transport, endpoint: str, url: str) -> None:
        self.stream: ToldStream | None = None
        self.is_left = False
        """Whether nobody wants a stream any more, if there isn't one yet."""
        self._transport = transport
        self._endpoint = endpoint
        self._url = url

    async def send(self, request: Any, *, request_config: Any = None) -> AWSCRTHTTPResponse:  # noqa: ARG002 - the SDK's
        """Send the request, and return its answer.

        Raises:
            Refused: it is none that has a stream.
        """
        self.stream = await self._transport.begin(request, is_wanted=lambda: not self.is_left)
        status, fields = await self.stream.response()
        if status != 200:
            body = await self.stream.beginning(MAX_REFUSAL_BYTES, REFUSAL_S)
            headers = {each.name.lower(): each.as_string() for each in fields}
            raise Refused(refusal(self._endpoint, status, headers, body))
        return _Answer(status=status, fields=fields, stream=self.stream)

    async def finished(self, within_s: float) -> None:
        """Wait ``within_s`` seconds for the stream's end."""
        if self.stream is not None:
            await self.stream.finished(within_s)

    def leave(self) -> None:
        """Have no stream from now on; the connection of one that hasn't ended is left."""
        self.is_left = True
        if self.stream is not None and not self.stream.is_done:
            self.stream.abandon()
            self._transport.leave(self.stream)

    def meaning(self, error: Exception) -> SessionError:
        """Return what ``error``, met while the stream was opened, means."""
        for each in (error, error.__cause__, error.__context__):
            match each:
                case Refused():
                    return each.meaning
                case SessionError():
                    return each
                case AwsCrtError():
                    return network_error(self._url, each.name)
                case ssl.SSLCertVerificationError():
                    return untrusted(self._endpoint, self._url, each.verify_message)
                case Unanswered():
                    return self._unanswered(each.waited_s)
        return ConnectFailed(self._url, str(error) or type(error).__name__)

    def late(self, waited_s: float, *, of_s: float) -> SessionError:
        """Return what it means that there was no answer.

        Args:
            waited_s: For how long it was waited for.
            of_s: For how long it would have been, but for what came before.
        """
        if self.stream is None:
            return self._unanswered(waited_s)
        return SessionTimeout(f"session with endpoint {self._endpoint} at {self._url}", of_s)

    def _unanswered(self, waited_s: float) -> SessionError:
        return unanswered(self._endpoint, self._url, waited_s, self._transport.obstacle(waited_s))


class Refused(SmithyError):
    """An answer without a stream."""

    def __init__(self, meaning: SessionError) -> None:
        super().__init__(str(meaning))
        self.meaning = meaning


class _Answer(AWSCRTHTTPResponse):
    """An answer whose body says how it ended."""

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Yield the body."""
        while block := await self._stream.next_block():
            yield block


class NoFiles:
    """Files of AWS, of which there are none: what the user has in them is botocore's to read, and gone by."""

    async def read_file(self, path: str) -> str | None:  # noqa: ARG002 - the SDK's
        """Return a profile without settings."""
        return "[default]\n"


class Frozen:
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
