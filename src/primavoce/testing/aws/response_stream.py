"""A stand-in for SageMaker's streams of responses, over plain HTTP, in front of a real server's ``POST /invocations``.

For boto3's ``invoke_endpoint_with_response_stream`` with ``endpoint_url``. What the container sends is cut into parts
anywhere; what it refuses is a ModelError that tells its own status and message.
"""

import re
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager
from http import HTTPStatus
from urllib.parse import urlsplit

import anyio

from primavoce.testing.aws.container_call import AnswerBroken, ContainerAnswer, NoAnswer, container_answer
from primavoce.testing.aws.event_stream import MEDIA_TYPE
from primavoce.testing.aws.faults import Fault, FaultCount, FaultPlan, Trouble
from primavoce.testing.aws.front_session import last_words
from primavoce.testing.aws.front_settings import FrontSettings
from primavoce.testing.aws.http_server import Dropped, Exchange, http_server
from primavoce.testing.aws.parts import part
from primavoce.testing.aws.refusals import OF_RESPONSE_STREAMS, Refusal, model_error, refuse
from primavoce.testing.aws.signatures import NotVerified

PART_BYTES = 3001
"""Of a part, unless a front is told otherwise: a number that fits nothing."""
PASSED_ON = {
    "content-type": "content-type",
    "x-amzn-sagemaker-accept": "accept",
    "x-amzn-sagemaker-custom-attributes": "x-amzn-sagemaker-custom-attributes",
}
"""Headers that the container gets, and by which names."""
BROKEN = {"ErrorCode": "StreamBroken", "Message": "the stream broke"}
"""What the service says of an answer whose connection with the container is lost."""

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
        self._verifier = settings.verifier()

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
        if len(exchange.body) > self.settings.most_body_bytes:
            said = f"HTTP content length exceeded {self.settings.most_body_bytes} bytes."
            await refuse(exchange, Refusal(413, "", {"message": said}))
            return
        try:
            self._verifier.verify(exchange.method, exchange.path, exchange.headers, exchange.body)
        except NotVerified as error:
            await refuse(exchange, Refusal(403, error.code, {"Message": str(error)}))
            return
        named = _PATH.fullmatch(exchange.path)
        if named is None or named["endpoint"] != self.settings.endpoint:
            await refuse(exchange, OF_RESPONSE_STREAMS[Trouble.NO_ENDPOINT])
            return
        headers = {name: exchange.headers[told] for told, name in PASSED_ON.items() if told in exchange.headers}
        try:
            async with container_answer(self._container, headers, exchange.body, self.settings.answer_s) as answer:
                if answer.status == HTTPStatus.OK:
                    await self._pass_on(exchange, answer, FaultCount(fault))
                else:
                    await refuse(exchange, model_error(answer.status, await answer.whole()))
        except NoAnswer:
            await refuse(exchange, model_error(0, b""))

    async def _pass_on(self, exchange: Exchange, answer: ContainerAnswer, fault: FaultCount) -> None:
        headers = {
            "content-type": MEDIA_TYPE,
            "x-amzn-invoked-production-variant": "AllTraffic",
            "x-amzn-sagemaker-content-type": answer.content_type,
        }
        await exchange.answer(200, headers)
        trouble = Trouble.MODEL_TIMEOUT  # if it isn't over in time
        event = b""
        with anyio.move_on_after(self.settings.response_s):
            try:
                async with aclosing(answer.blocks(self._part_bytes)) as blocks:
                    async for block in blocks:
                        event = part(block)
                        if (due := fault.due(audio_bytes=len(block))) is not None:
                            trouble = due
                            break
                        await exchange.send(event)
                    else:
                        return
            except AnswerBroken:
                trouble = Trouble.MODEL_STREAM_ERROR
        await _break_off(exchange, trouble, event)


async def _break_off(exchange: Exchange, trouble: Trouble, event: bytes) -> None:
    match trouble:
        case Trouble.RESET_MID_STREAM | Trouble.DROP_MID_STREAM:
            raise Dropped
        case Trouble.STALL_MID_STREAM:
            await anyio.sleep_forever()
        case _:
            if words := last_words(trouble, event, BROKEN):
                await exchange.send(words)


async def _fail(exchange: Exchange, trouble: Trouble) -> None:
    match trouble:
        case Trouble.RESET_BEFORE_HEADERS | Trouble.DROP_BEFORE_HEADERS:
            raise Dropped
        case Trouble.STALL_BEFORE_HEADERS:
            await anyio.sleep_forever()
        case _:
            await refuse(exchange, OF_RESPONSE_STREAMS[trouble])


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
        settings: How it behaves; what they say of sessions doesn't matter here.
        faults: What goes wrong with its calls, one after another.
        part_bytes: The longest part.
    """
    front = ResponseStreamFront(model_url, settings or FrontSettings(), FaultPlan(faults), part_bytes)

    async with http_server(front.answer) as front.url:
        yield front
