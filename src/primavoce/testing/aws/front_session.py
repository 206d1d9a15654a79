"""One session of the stand-in for SageMaker's front: parts to frames, frames to parts."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup
from websockets.exceptions import ConnectionClosed

from primavoce.errors import lone_error
from primavoce.testing.aws.container import ContainerSocket
from primavoce.testing.aws.event_stream import MEDIA_TYPE, BadMessage, MessageReader, TooLarge, decode
from primavoce.testing.aws.faults import Fault, FaultCount, Trouble
from primavoce.testing.aws.front_settings import Answered, FrontSettings
from primavoce.testing.aws.http2_server import Http2Stream
from primavoce.testing.aws.parts import BINARY, Part, error, exception, part, part_of
from primavoce.testing.aws.refusals import Refusal, refuse
from primavoce.testing.aws.signatures import EventChain, NotVerified

INVALID = "InputValidationError"
"""What the service calls a request that it can't take."""
CLOSED_BY_THE_MODEL = {"ErrorCode": "1011", "Message": "internal"}
"""What it says of a container that has failed."""


@dataclass(slots=True)
class SeenSession:
    """What a front has seen of one session."""

    headers: Mapping[str, str]
    """Of its request."""
    parts: list[tuple[str | None, str | None]] = field(default_factory=list)
    """DataType and CompletionState of each part that the client sent."""
    verified_events: int = 0
    """Whose signatures were right."""
    problems: list[str] = field(default_factory=list)
    """What wasn't right with them."""
    signed_end: bool = False
    """Whether the client ended its side as it should."""
    over: anyio.Event = field(default_factory=anyio.Event)
    """Set when nothing more comes of it, or goes."""


class FrontSession:
    """A session that is being passed on.

    Args:
        stream: The client's.
        socket: The container's.
        seen: Is told what is seen.
        chain: Verifies the client's events.
        fault: What goes wrong.
        settings: How the front behaves.
    """

    def __init__(
        self,
        stream: Http2Stream,
        socket: ContainerSocket,
        seen: SeenSession,
        chain: EventChain,
        fault: Fault | None,
        settings: FrontSettings,
    ) -> None:
        self._stream = stream
        self._socket = socket
        self._seen = seen
        self._chain = chain
        self._fault = FaultCount(fault)
        self._settings = settings
        self._answered = False
        self._stalled = False

    async def run(self) -> None:
        """Pass on until either side, or the time, ends it; to the client, it then ends like one that is finished."""
        if self._settings.answered is Answered.AT_ONCE:
            await self._answer()
        with lone_error(), anyio.move_on_after(self._settings.session_s):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._up, tasks)
                tasks.start_soon(self._pinged, tasks)
                await self._down()
                tasks.cancel_scope.cancel()
        if not self._answered:
            await self._stream.reset()

    async def _pinged(self, tasks: TaskGroup) -> None:
        try:
            await self._socket.keep_pinged(self._settings.ping_s)
        except ConnectionClosed:
            return  # the other direction tells it
        tasks.cancel_scope.cancel()

    # --- from the client

    async def _up(self, tasks: TaskGroup) -> None:
        try:
            async for each in self._parts():
                self._seen.parts.append((each.data_type, each.state))
                await self._socket.send_part(each)
        except ConnectionClosed:
            return  # the other direction tells it
        except NotVerified as problem:
            await self._object_to(403, problem.code, f"event {self._seen.verified_events}: {problem}")
        except BadMessage as problem:
            await self._object_to(400, INVALID, str(problem))
        else:
            await self._socket.close()  # the client has ended its side; what the container still says is passed on
        tasks.cancel_scope.cancel()

    async def _parts(self) -> AsyncIterator[Part]:
        reader = MessageReader()
        async for block in self._stream:
            if self._stalled:
                await anyio.sleep_forever()
            for event in reader.push(block):
                self._chain.verify(event)
                self._seen.verified_events += 1
                if event.payload:
                    yield part_of(decode(event.payload), self._settings.most_part_bytes)
                else:
                    self._seen.signed_end = True

    async def _object_to(self, status: int, code: str, problem: str) -> None:
        """Say what isn't right with what the client has sent: instead of an answer, or in it if it has begun."""
        self._seen.problems.append(problem)
        if self._answered:
            await self._stream.send(error(code, problem), last=True)
        elif self._settings.answered is not Answered.NEVER:
            self._answered = True
            await refuse(self._stream, Refusal(status, code, {"Message": problem}))

    # --- from the container

    async def _down(self) -> None:
        try:
            async for each in self._socket.parts():
                await self._pass_on(each)
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd_then_sent:  # it was the container that closed it
                told = {"ErrorCode": str(closed.rcvd.code), "Message": closed.rcvd.reason}
                await self._send(exception("ModelStreamError", told), last=True)
        except _Failed:
            pass

    async def _pass_on(self, each: Part) -> None:
        try:
            event = part(each.payload, each.data_type, each.state)
        except TooLarge as problem:
            await self._send(exception("InternalStreamFailure", {"Message": str(problem)}), last=True)
            raise _Failed from None
        trouble = self._fault.due(audio_bytes=len(each.payload) if each.data_type == BINARY else 0)
        if trouble is not None:
            await self._answer()
            await self._fail(trouble, event)
        await self._send(event)

    async def _send(self, event: bytes, *, last: bool = False) -> None:
        await self._answer()
        await self._stream.send(event, last=last)

    async def _answer(self) -> None:
        """Send the answer's headers, unless they have been sent."""
        if self._answered:
            return
        if self._settings.answered is Answered.NEVER:
            await anyio.sleep_forever()
        self._answered = True
        headers = {"content-type": MEDIA_TYPE, "x-amzn-invoked-production-variant": "AllTraffic"}
        await self._stream.answer(200, headers)

    async def _fail(self, trouble: Trouble, event: bytes) -> None:
        match trouble:
            case Trouble.RESET_MID_STREAM:
                await self._stream.reset()
            case Trouble.DROP_MID_STREAM:
                await self._stream.drop()
            case Trouble.STALL_MID_STREAM:
                self._stalled = True
                await anyio.sleep_forever()
            case _:
                await self._stream.send(last_words(trouble, event, CLOSED_BY_THE_MODEL), last=True)
        raise _Failed


class _Failed(Exception):
    """What was to go wrong has."""


def last_words(trouble: Trouble, event: bytes, broken: Mapping[str, object]) -> bytes:
    """Return what a stream ends with that fails in good order.

    Args:
        trouble: How it fails.
        event: What would have come next.
        broken: What the service says of a container whose answer broke.
    """
    match trouble:
        case Trouble.MODEL_STREAM_ERROR:
            return exception("ModelStreamError", broken)
        case Trouble.MODEL_TIMEOUT:
            told = {"ErrorCode": "ModelInvocationTimeExceeded", "Message": "the model took too long"}
            return exception("ModelStreamError", told)
        case Trouble.INTERNAL_STREAM_FAILURE:
            return exception("InternalStreamFailure", {"Message": "internal"})
        case Trouble.HALF_AN_EVENT:
            return event[: len(event) // 2]
        case _:
            return b""
