"""A client of SageMaker's streams by h2 and botocore alone, which does what it is told and checks nothing."""

import hashlib
import hmac
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

import anyio
from anyio.streams.tls import TLSStream
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, ResponseReceived, StreamEnded, StreamReset

from primavoce.testing.aws.event_stream import MEDIA_TYPE, Message, MessageReader, encode, encode_headers
from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY, SERVICE, SageMakerFront
from primavoce.testing.aws.signatures import STREAM_OF_EVENTS, signing_key, utc_now

REGION = "us-east-1"


class BareStream:
    """One stream, alone on its connection."""

    def __init__(
        self,
        transport: TLSStream,
        authority: str,
        secret: str,
        event_secret: str,
        token: str | None,
        clock: Callable[[], datetime],
    ) -> None:
        self._transport = transport
        self._h2 = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        self._authority = authority
        self._secret = secret
        self._event_secret = event_secret
        self._token = token
        self._clock = clock
        self._reader = MessageReader()
        self._messages: list[Message] = []
        self._status: int | None = None
        self._over = False
        self.was_reset = False
        self.error: str | None = None
        """The type of the error that was answered."""

    @property
    def begun(self) -> bool:
        """Whether a message has begun that isn't whole."""
        return self._reader.inside

    async def open(self) -> None:
        path = "/endpoints/speech/invocations-bidirectional-stream"
        request = AWSRequest(
            "POST",
            f"https://{self._authority}{path}",
            headers={"content-type": MEDIA_TYPE, "x-amz-content-sha256": STREAM_OF_EVENTS},
        )
        SigV4Auth(ReadOnlyCredentials(ACCESS_KEY, self._secret, self._token), SERVICE, REGION).add_auth(request)
        self._signature = request.headers["Authorization"].rpartition("=")[2]
        headers = [(":method", "POST"), (":scheme", "https"), (":authority", self._authority), (":path", path)]
        headers += [(name.lower(), value) for name, value in request.headers.items()]
        self._h2.initiate_connection()
        self._h2.send_headers(1, headers)
        await self._flush()

    async def send(
        self, payload: bytes, data_type: str | None, state: str | None = None, *, kind: str = "PayloadPart"
    ) -> None:
        inner = {":message-type": "event", ":event-type": kind, ":content-type": "application/octet-stream"}
        inner |= {"DataType": data_type} if data_type else {}
        inner |= {"CompletionState": state} if state else {}
        await self._send_signed(encode(inner, payload))

    async def end(self) -> None:
        await self._send_signed(b"")
        self._h2.end_stream(1)
        await self._flush()

    async def status(self) -> int | None:
        while self._status is None and not self._over:
            await self._read()
        return self._status

    async def receive(self) -> Message | None:
        while not self._messages and not self._over:
            await self._read()
        return self._messages.pop(0) if self._messages else None

    async def send_raw(self, block: bytes) -> None:
        self._h2.send_data(1, block)
        await self._flush()

    async def _send_signed(self, payload: bytes) -> None:
        now = self._clock()
        time = now.strftime("%Y%m%dT%H%M%SZ")
        to_sign = "\n".join(
            (
                "AWS4-HMAC-SHA256-PAYLOAD",
                time,
                f"{time[:8]}/{REGION}/{SERVICE}/aws4_request",
                self._signature,
                hashlib.sha256(encode_headers({":date": now})).hexdigest(),
                hashlib.sha256(payload).hexdigest(),
            )
        )
        key = signing_key(self._event_secret, time[:8], REGION, SERVICE)
        signature = hmac.new(key, to_sign.encode(), hashlib.sha256).digest()
        self._signature = signature.hex()
        self._h2.send_data(1, encode({":date": now, ":chunk-signature": signature}, payload))
        await self._flush()

    async def _read(self) -> None:
        try:
            with anyio.fail_after(5):
                block = await self._transport.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            self._over = self.was_reset = True
            return
        for event in self._h2.receive_data(block):
            match event:
                case ResponseReceived():
                    headers = dict(event.headers)
                    self._status, self.error = int(headers[":status"]), headers.get("x-amzn-errortype")
                case DataReceived():
                    self._h2.acknowledge_received_data(event.flow_controlled_length, 1)
                    if self._status == 200:
                        self._messages += self._reader.push(event.data)
                case StreamEnded():
                    self._over = True
                case StreamReset():
                    self._over = self.was_reset = True
        await self._flush()

    async def _flush(self) -> None:
        if block := self._h2.data_to_send():
            await self._transport.send(block)


@asynccontextmanager
async def bare_stream(
    front: SageMakerFront,
    *,
    secret: str = SECRET_KEY,
    event_secret: str | None = None,
    token: str | None = None,
    clock: Callable[[], datetime] = utc_now,
) -> AsyncIterator[BareStream]:
    """Open a stream while the block runs; ``clock`` tells the times of its events."""
    context = ssl.create_default_context(cafile=str(front.ca_file))
    context.set_alpn_protocols(["h2"])
    host, port = front.url.removeprefix("https://").split(":")
    async with await anyio.connect_tcp(
        host, int(port), ssl_context=context, tls_standard_compatible=False, tls=True
    ) as transport:
        stream = BareStream(transport, f"{host}:{port}", secret, event_secret or secret, token, clock)
        await stream.open()
        yield stream
