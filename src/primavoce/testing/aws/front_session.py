"""One session of the stand-in for SageMaker's front: parts to frames, frames to parts."""

import codecs
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from primavoce.errors import lone_error
from primavoce.testing.aws.event_stream import BadMessage, MessageReader, decode, encode
from primavoce.testing.aws.faults import Fault, Trouble
from primavoce.testing.aws.http2_server import Http2Stream
from primavoce.testing.aws.signatures import EventChain, NotVerified

UTF8, BINARY = "UTF8", "BINARY"
PARTIAL, COMPLETE = "PARTIAL", "COMPLETE"
UNANSWERED_PINGS = 5
"""After which SageMaker gives a container up."""


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
        seen: Is told what is seen.
        chain: Verifies its events.
        fault: What goes wrong.
        session_s: Seconds after which it is ended.
    """

    def __init__(
        self, stream: Http2Stream, seen: SeenSession, chain: EventChain, fault: Fault | None, session_s: float
    ) -> None:
        self._stream = stream
        self._seen = seen
        self._chain = chain
        self._fault = fault
        self._session_s = session_s
        self._audio_bytes = 0
        self._stalled = False
        self._leaving = False
        self._socket: ClientConnection | None = None

    @asynccontextmanager
    async def container(self, url: str, ping_s: float) -> AsyncIterator[bool]:
        """Have a WebSocket to the container while the block runs; yields whether it has taken it."""
        try:
            self._socket = await connect(
                url,
                compression=None,
                max_size=None,
                proxy=None,
                ping_interval=ping_s,
                ping_timeout=UNANSWERED_PINGS * ping_s,
                close_timeout=1,
            )
        except (OSError, TimeoutError, InvalidHandshake):
            yield False
            return
        try:
            yield True
        finally:
            with anyio.CancelScope(shield=True):
                await self._socket.close()

    async def run(self) -> None:
        """Pass on until either side, or the time, ends it."""
        with lone_error(), anyio.move_on_after(self._session_s):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._up, tasks)
                await self._down()
                tasks.cancel_scope.cancel()

    # --- from the client

    async def _up(self, tasks: TaskGroup) -> None:
        assert self._socket is not None
        message: Fragments | None = None
        text = codecs.getincrementaldecoder("utf-8")()  # a part may end inside a character
        try:
            async for headers, payload in self._parts():
                kind, state = _text(headers, "DataType"), _text(headers, "CompletionState")
                self._seen.parts.append((kind, state))
                frame = text.decode(payload, final=state != PARTIAL) if kind == UTF8 else payload
                if message is None and state == PARTIAL:
                    message = Fragments()
                    tasks.start_soon(self._socket.send, message)
                if message is None:
                    await self._socket.send(frame)
                else:
                    await message.add(frame, last=state != PARTIAL)
                    message = None if state != PARTIAL else message
        except ConnectionClosed:
            return  # the other direction tells it
        except (BadMessage, NotVerified) as error:
            self._seen.problems.append(str(error))
            await self._stream.send(
                encode({":message-type": "error", ":error-code": "InvalidSignatureException", ":error-message": ""}),
                last=True,
            )
        else:
            self._leaving = True
            await self._socket.close()  # the client has ended its side
        tasks.cancel_scope.cancel()

    async def _parts(self) -> AsyncIterator[tuple[Mapping[str, object], bytes]]:
        reader = MessageReader()
        async for block in self._stream:
            if self._stalled:
                await anyio.sleep_forever()
            for event in reader.push(block):
                self._chain.verify(event)
                self._seen.verified_events += 1
                if not event.payload:
                    self._seen.signed_end = True
                    continue
                part = decode(event.payload)
                if part.headers.get(":event-type") != "PayloadPart" or part.headers.get(":message-type") != "event":
                    raise BadMessage(f"an event of another kind: {part.headers}")
                yield part.headers, part.payload

    # --- from the container

    async def _down(self) -> None:
        assert self._socket is not None
        try:
            while True:
                async for frame, state in fragments_of(self._socket):
                    await self._pass_on(frame, state)
        except ConnectionClosed as closed:
            if closed.rcvd is not None and not self._leaving:
                told = {"ErrorCode": str(closed.rcvd.code), "Message": closed.rcvd.reason}
                await self._stream.send(exception("ModelStreamError", told), last=True)
        except _Failed:
            pass

    async def _pass_on(self, frame: str | bytes, state: str | None) -> None:
        is_text = isinstance(frame, str)
        payload = frame.encode() if isinstance(frame, str) else frame
        if self._fault is not None and not is_text:
            self._audio_bytes += len(payload)
            if self._audio_bytes > self._fault.after_bytes:
                await self._fail(self._fault.trouble)
        await self._stream.send(part(payload, UTF8 if is_text else BINARY, state))

    async def _fail(self, trouble: Trouble) -> None:
        match trouble:
            case Trouble.RESET_MID_STREAM:
                await self._stream.reset()
            case Trouble.DROP_MID_STREAM:
                await self._stream.drop()
            case Trouble.STALL_MID_STREAM:
                self._stalled = True
                await anyio.sleep_forever()
            case Trouble.MODEL_STREAM_ERROR:
                told = {"ErrorCode": "1011", "Message": "internal"}
                await self._stream.send(exception("ModelStreamError", told), last=True)
            case Trouble.INTERNAL_STREAM_FAILURE:
                await self._stream.send(exception("InternalStreamFailure", {"Message": "internal"}), last=True)
            case _:
                await self._stream.send(b"", last=True)
        raise _Failed


def _text(headers: Mapping[str, object], name: str) -> str | None:
    found = headers.get(name)
    return None if found is None else str(found)


class _Failed(Exception):
    """What was to go wrong has."""


class Fragments:
    """One message in fragments, as they come."""

    def __init__(self) -> None:
        self._push, self._frames = anyio.create_memory_object_stream[str | bytes]()

    async def add(self, frame: str | bytes, *, last: bool) -> None:
        """Add a fragment."""
        await self._push.send(frame)
        if last:
            self._push.close()

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        with self._frames:
            async for frame in self._frames:
                yield frame


async def fragments_of(socket: ClientConnection) -> AsyncIterator[tuple[str | bytes, str | None]]:
    """Yield the frames of the next message, each with its CompletionState; one that is whole has none."""
    held: str | bytes | None = None
    fragmented = False
    async for frame in socket.recv_streaming():
        if held is not None:
            fragmented = True
            yield held, PARTIAL
        held = frame
    if held is not None:
        yield held, COMPLETE if fragmented else None


def part(payload: bytes, data_type: str, state: str | None = None) -> bytes:
    """Return an event that carries ``payload``."""
    more = {} if state is None else {"CompletionState": state}
    return encode(
        {
            ":message-type": "event",
            ":event-type": "PayloadPart",
            ":content-type": "application/octet-stream",
            "DataType": data_type,
            **more,
        },
        payload,
    )


def exception(kind: str, told: Mapping[str, object]) -> bytes:
    """Return an event that says what went wrong."""
    return encode(
        {":message-type": "exception", ":exception-type": kind, ":content-type": "application/json"},
        json.dumps(told).encode(),
    )
