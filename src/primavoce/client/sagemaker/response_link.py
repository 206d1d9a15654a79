"""The link of a session whose utterances are calls of their own: the client's end, and what a server would do."""

import logging
import math
from collections import deque
from collections.abc import Mapping
from typing import Self

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

from primavoce.client.events import AudioEvents
from primavoce.client.resuming.policy import ResumePolicy
from primavoce.client.sagemaker.response_call import ResponseStreams, parts_of
from primavoce.client.sagemaker.response_utterance import CalledUtterance, cancelled, error_of
from primavoce.errors import (
    DuplicateRequest,
    SessionBroken,
    SessionClosing,
    SessionError,
    SessionTimeout,
    UnknownRequest,
    lone_error,
)
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.codec import Rejected, decode_client, encode
from primavoce.protocol.messages import (
    Cancel,
    Close,
    End,
    Flush,
    Options,
    Ping,
    Pong,
    SessionComplete,
    SetLexicon,
    SynthesisComplete,
    SynthesisStart,
    Synthesize,
    Text,
)

FRAMES_AHEAD = 8
SENT_ON = ("voice", "speed", "language", "sample_rate", "format", "emoji", "code", "tables", "request_id")
"""Options that a body may have."""

log = logging.getLogger("primavoce.client")


class ResponseStreamLink:
    """The client's end, and what a server would do; see `primavoce.client.link.SessionLink`.

    Args:
        streams: Speaks an utterance.
        policy: How often an utterance is asked for before anything is heard of it, and with what pauses.
    """

    typed = True

    def __init__(self, streams: ResponseStreams, policy: ResumePolicy) -> None:
        self._streams = streams
        self._policy = policy
        # Of any size, for whoever sends may be the one who reads; what is spoken waits for room.
        self._push, self._frames = anyio.create_memory_object_stream[tuple[str | bytes, bool]](math.inf)
        self._room = anyio.Semaphore(FRAMES_AHEAD)
        self._waiting: deque[CalledUtterance] = deque()
        self._speaking: CalledUtterance | None = None
        self._lexicon: Mapping[str, object] = {}
        self._closing = False
        self._changed = anyio.Event()

    # --- a session's link

    async def send(self, frame: str) -> None:
        """Take a message.

        Raises:
            SessionBroken: the link is closed.
        """
        message = decode_client(frame)
        if isinstance(message, Rejected):
            raise message.error
        match message:
            case Ping():
                self._reply(Pong(request_id=message.request_id))
            case Close():
                self._closing = True
                for each in self._waiting:
                    each.complete = True
            case SetLexicon():
                self._lexicon = {"lexicon": message.words} if message.words else {}
            case Cancel():
                self._cancel(message)
            case Text() | Synthesize() | Flush() | End():
                self._take(message)
        self._changed.set()
        self._changed = anyio.Event()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str | bytes:
        try:
            frame, took_room = await self._frames.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            raise StopAsyncIteration from None
        if took_room:
            self._room.release()
        return frame

    def close(self) -> None:
        """Say that nobody speaks or listens any more."""
        self._push.close()
        self._frames.close()

    def _take(self, message: Text | Synthesize | Flush | End) -> None:
        known = next((each for each in self._waiting if message.request_id in (None, each.request_id)), None)
        match message:
            case Text() | Synthesize() if known is None and self._closing:
                self._reply(error_of(message.request_id, SessionClosing()))
            case Synthesize() if known is not None and message.request_id is not None:
                self._reply(error_of(None, DuplicateRequest()))  # the one that has the id isn't ended by it
            case Text() | Synthesize() if known is None:
                options = {name: getattr(message, name) for name in Options.__struct_fields__ if name in SENT_ON}
                given = {name: value for name, value in options.items() if value is not None}
                request_id = message.request_id or ""
                whole = isinstance(message, Synthesize)
                self._waiting.append(CalledUtterance(request_id, given, message.text, whole))
            case Text() if known is not None:
                known.text += message.text
            case End() if known is not None:
                known.complete = True
            case _:
                pass  # a flush speaks nothing sooner, and what has ended takes no more

    def _cancel(self, message: Cancel) -> None:
        speaking = self._speaking
        found = [each for each in self._waiting if message.request_id in (None, each.request_id)]
        if speaking is not None and message.request_id in (None, speaking.request_id):
            speaking.scope.cancel()
        elif not found and message.request_id is not None:
            self._reply(error_of(message.request_id, UnknownRequest()))
        for each in found:
            self._waiting.remove(each)
            self._reply(cancelled(each))

    async def _tell(self, event: ClientEvent) -> None:
        """Give the client an event of what is spoken, when there is room."""
        await self._room.acquire()
        self._put(event, took_room=True)

    def _reply(self, event: ClientEvent) -> None:
        """Give the client an answer to what it has just said."""
        self._put(event, took_room=False)

    def _put(self, event: ClientEvent, *, took_room: bool) -> None:
        try:
            self._push.send_nowait((event.pcm if isinstance(event, Audio) else encode(event), took_room))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise SessionBroken("the link is closed") from error

    # --- its server

    async def speak_all(self) -> None:
        """Speak what is complete, one utterance after another, until the client closes."""
        with self._push:
            while True:
                while not (self._waiting and self._waiting[0].complete):
                    if self._closing and not self._waiting:
                        await self._tell(SessionComplete())
                        return
                    await self._changed.wait()
                self._speaking = self._waiting.popleft()
                await self._speak(self._speaking)
                self._speaking = None

    async def _speak(self, utterance: CalledUtterance) -> None:
        with utterance.scope:
            for attempt in range(1, self._policy.attempts + 1):
                try:
                    await self._ask(utterance)
                    return
                except SessionError as error:
                    if utterance.is_started or not error.retryable or attempt == self._policy.attempts:
                        await self._tell(error_of(utterance.request_id, error))
                        return
                    log.info("an utterance is asked for again: %s", error)
                    await self._policy.sleep(self._policy.pause_s(attempt))
        if utterance.scope.cancelled_caught:
            await self._tell(cancelled(utterance))

    async def _ask(self, utterance: CalledUtterance) -> None:
        body = {"format": "pcm", **utterance.options, **self._lexicon, "text": utterance.text, "transport": "sse"}
        reader = AudioEvents()
        await self._streams.ready()
        with lone_error():
            async with parts_of(self._streams, body) as parts:
                while (part := await self._next(parts)) is not None:
                    await self._hear(utterance, reader, reader.push(part))
        await self._hear(utterance, reader, reader.flush())
        assert reader.ended is not None
        await self._tell(
            SynthesisComplete(
                request_id=utterance.request_id,
                total_duration_s=reader.ended.duration_s,
                elapsed_s=0.0,
                time_to_first_audio_s=None,
                queued_s=0.0,
                real_time_factor=None,
                segments=0,
                characters=len(utterance.text),
            )
        )

    async def _next(self, parts: MemoryObjectReceiveStream[bytes]) -> bytes | None:
        """Return what comes next, or `None` at the end."""
        try:
            with anyio.fail_after(self._streams.patience_s):
                return await parts.receive()
        except anyio.EndOfStream:
            return None
        except TimeoutError:
            raise SessionTimeout(f"answer of endpoint {self._streams.endpoint}", self._streams.patience_s) from None

    async def _hear(self, utterance: CalledUtterance, reader: AudioEvents, pcm: bytes) -> None:
        if reader.started is not None and not utterance.is_started:
            utterance.is_started = True
            utterance.bytes_a_second = 2 * reader.started.sample_rate
            await self._tell(
                SynthesisStart(
                    request_id=utterance.request_id,
                    voice=reader.started.voice,
                    format=reader.started.format,
                    sample_rate=reader.started.sample_rate,
                )
            )
        if pcm:
            utterance.sent_bytes += len(pcm)
            await self._tell(Audio(utterance.request_id, pcm))
