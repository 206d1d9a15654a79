"""A stand-in for SageMaker's streams of responses, over plain HTTP, in front of a real server's ``POST /invocations``.

For boto3's ``invoke_endpoint_with_response_stream`` with ``endpoint_url``. What the container sends is cut into parts
anywhere; what it refuses is a ModelError that tells its own status and message.
"""

import http.client
import json
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from primavoce.testing.aws.event_stream import MEDIA_TYPE, encode
from primavoce.testing.aws.faults import Fault, FaultPlan, Trouble
from primavoce.testing.aws.front_session import exception
from primavoce.testing.aws.http_server import Dropped, Exchange, http_server
from primavoce.testing.aws.sagemaker_front import REFUSALS, SERVICE, FrontSettings
from primavoce.testing.aws.signatures import NotVerified, Verifier

PART_BYTES = 3001
"""Of a part, unless a front is told otherwise: a number that fits nothing."""
PASSED_ON = ("content-type", "accept", "x-amzn-sagemaker-custom-attributes")
"""Headers that the container gets."""


_PATH = re.compile(r"/endpoints/(?P<endpoint>[^/]+)/invocations-response-stream")


class ResponseStreamFront:
    """A front that runs; it is to be had from `response_stream_front`."""

    def __init__(self, model_url: str, settings: FrontSettings, faults: FaultPlan, part_bytes: int) -> None:
        self.settings = settings
        self.faults = faults
        """What goes wrong with the calls to come."""
        self.url = ""
        """``http://`` address."""
        self.calls = 0
        self.open_calls = 0
        """That are being answered."""
        self._container = urlsplit(model_url)
        self._part_bytes = part_bytes
        self._verifier = Verifier(settings.secrets, service=SERVICE, region=settings.region)

    async def answer(self, exchange: Exchange) -> None:
        """Answer one call."""
        self.calls += 1
        self.open_calls += 1
        try:
            await self._answer(exchange, self.faults.next())
        finally:
            self.open_calls -= 1

    async def _answer(self, exchange: Exchange, fault: Fault | None) -> None:
        if fault is not None and fault.trouble.at_once:
            await _fail(exchange, fault.trouble)
            return
        try:
            self._verifier.verify(exchange.method, exchange.path, exchange.headers, exchange.body)
        except NotVerified as error:
            await _refuse(exchange, 403, error.code, {"Message": str(error)})
            return
        named = _PATH.fullmatch(exchange.path)
        if named is None or named["endpoint"] != self.settings.endpoint:
            await _refuse(exchange, *REFUSALS[Trouble.NO_ENDPOINT])
            return
        passed_on = {name: exchange.headers[name] for name in PASSED_ON if name in exchange.headers}
        connection = http.client.HTTPConnection(self._container.hostname or "", self._container.port, timeout=60)
        try:
            answer = await anyio.to_thread.run_sync(partial(_asked, connection, exchange.body, passed_on))
            if answer.status == 200:
                await self._pass_on(exchange, answer, fault)
            else:
                said = await anyio.to_thread.run_sync(answer.read)
                await _refuse(exchange, 424, "ModelError", _model_error(answer.status, said))
        finally:
            connection.close()

    async def _pass_on(self, exchange: Exchange, answer: http.client.HTTPResponse, fault: Fault | None) -> None:
        headers = {
            "content-type": MEDIA_TYPE,
            "x-amzn-invoked-production-variant": "AllTraffic",
            "x-amzn-sagemaker-content-type": answer.headers.get("content-type", ""),
        }
        await exchange.answer(200, headers)
        # In a thread that nobody waits for in the end: a container that says nothing can't be hurried.
        read = partial(anyio.to_thread.run_sync, partial(answer.read1, self._part_bytes), abandon_on_cancel=True)
        sent = 0
        while block := await read():
            sent += len(block)
            if fault is not None and sent > fault.after_bytes:
                await _break_off(exchange, fault.trouble)
                return
            await exchange.send(payload_part(block))


def payload_part(block: bytes) -> bytes:
    """Return an event that carries ``block``."""
    return encode(
        {":message-type": "event", ":event-type": "PayloadPart", ":content-type": "application/octet-stream"}, block
    )


async def _break_off(exchange: Exchange, trouble: Trouble) -> None:
    match trouble:
        case Trouble.RESET_MID_STREAM | Trouble.DROP_MID_STREAM:
            raise Dropped
        case Trouble.STALL_MID_STREAM:
            await anyio.sleep_forever()
        case Trouble.INTERNAL_STREAM_FAILURE:
            await exchange.send(exception("InternalStreamFailure", {"Message": "internal"}))
        case Trouble.MODEL_STREAM_ERROR:
            told = {"Message": "the stream broke", "ErrorCode": "StreamBroken"}
            await exchange.send(exception("ModelStreamError", told))
        case _:
            pass


async def _fail(exchange: Exchange, trouble: Trouble) -> None:
    match trouble:
        case Trouble.MODEL_ERROR:
            await _refuse(exchange, 424, "ModelError", _model_error(500, b""))
        case Trouble.RESET_BEFORE_HEADERS | Trouble.DROP_BEFORE_HEADERS:
            raise Dropped
        case Trouble.STALL_BEFORE_HEADERS:
            await anyio.sleep_forever()
        case _:
            await _refuse(exchange, *REFUSALS[trouble])


def _model_error(status: int, said: bytes) -> Mapping[str, object]:
    return {
        "Message": f"Received an error ({status}) from primary",
        "OriginalStatusCode": status,
        "OriginalMessage": said.decode("utf-8", "replace"),
        "LogStreamArn": "",
    }


async def _refuse(exchange: Exchange, status: int, kind: str, told: Mapping[str, object]) -> None:
    headers = {"content-type": "application/json", "x-amzn-errortype": kind, "x-amzn-requestid": "of-the-front"}
    await exchange.answer(status, headers, json.dumps(told).encode())


def _asked(connection: http.client.HTTPConnection, body: bytes, headers: Mapping[str, str]) -> http.client.HTTPResponse:
    connection.request("POST", "/invocations", body, dict(headers))
    return connection.getresponse()


@asynccontextmanager
async def response_stream_front(
    model_url: str,
    settings: FrontSettings | None = None,
    *,
    faults: Iterable[Fault | Trouble | None] = (),
    part_bytes: int = PART_BYTES,
) -> AsyncIterator[ResponseStreamFront]:
    """Run a front on a free loopback port while the block runs.

    Args:
        model_url: ``http://`` address of the server that stands for the container.
        settings: How it behaves; of sessions it knows nothing.
        faults: What goes wrong with its calls, one after another.
        part_bytes: The longest part.
    """
    front = ResponseStreamFront(model_url, settings or FrontSettings(), FaultPlan(faults), part_bytes)

    async with http_server(front.answer) as front.url:
        yield front
