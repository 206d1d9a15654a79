"""Sessions with an endpoint whose utterances are calls of their own: where streams in both directions can't be had.

The text of an utterance is sent when it is complete, and its audio comes as it is made. So a first sentence waits for
the last, and words have no times.
"""

import logging
import math
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Self

import anyio
import anyio.to_thread

from primavoce.client.events import AudioEvents
from primavoce.client.link import Opener
from primavoce.client.sagemaker.credentials import CredentialSource, own_credentials
from primavoce.client.sagemaker.response_call import ResponseStreams, parts_of
from primavoce.client.sagemaker.response_utterance import CalledUtterance, cancelled, error_of
from primavoce.errors import (
    SessionBroken,
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
ATTEMPTS = 4
FIRST_PAUSE_S = 0.25
"""The longest pause before the second attempt; before each more, twice as long."""

log = logging.getLogger("primavoce.client")


def response_stream_link(
    endpoint: str,
    *,
    region: str | None = None,
    variant: str | None = None,
    url: str | None = None,
    credentials: CredentialSource | None = None,
    connect_timeout_s: float = 10.0,
    silence_s: float = 30.0,
    attempts: int = ATTEMPTS,
    chance: Callable[[], float] = random.random,
) -> Opener:
    """Return what opens a link with an endpoint, for `primavoce.client.SpeechSession.over`; needs the extra ``aws``.

    Nothing is sent before the first utterance's text is complete. A call that fails is tried again as long as nothing
    of its audio has come; after that, the utterance ends with the error.

    Args:
        endpoint: Its name.
        region: Of AWS; the environment's or the profile's unless given.
        variant: Of the endpoint; SageMaker chooses unless given.
        url: Address of the service; the region's own unless given.
        credentials: Where they come from; botocore's chain unless given.
        connect_timeout_s: The longest wait for credentials, and for a connection.
        silence_s: Seconds without a byte after which a call is given up.
        attempts: Calls for one utterance, before anything is heard of it.
        chance: From 0 to 1, for the pauses between them.
    """
    make = partial(
        ResponseStreams, endpoint, variant=variant, url=url, connect_timeout_s=connect_timeout_s, silence_s=silence_s
    )
    made: list[ResponseStreams] = []

    @asynccontextmanager
    async def open_link() -> AsyncIterator[ResponseStreamLink]:
        source = own_credentials() if credentials is None else credentials
        try:
            with anyio.fail_after(connect_timeout_s):
                await source.current(endpoint)
                if not made:  # it takes a while, once
                    in_region = region or await source.region()
                    making = partial(make, region=in_region, credentials=source)
                    made.append(await anyio.to_thread.run_sync(making, abandon_on_cancel=True))
        except TimeoutError:
            raise SessionTimeout(f"credentials for endpoint {endpoint}", connect_timeout_s) from None
        link = ResponseStreamLink(made[0], attempts, chance)
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(link.speak_all)
                try:
                    yield link
                finally:
                    tasks.cancel_scope.cancel()
                    link.close()

    return open_link


class ResponseStreamLink:
    """The client's end, and what a server would do; see `primavoce.client.link.SessionLink`.

    Args:
        streams: Speaks an utterance.
        attempts: Calls for one utterance, before anything is heard of it.
        chance: From 0 to 1.
    """

    typed = True

    def __init__(self, streams: ResponseStreams, attempts: int, chance: Callable[[], float]) -> None:
        self._streams = streams
        self._attempts = attempts
        self._chance = chance
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
            for attempt in range(1, self._attempts + 1):
                try:
                    await self._ask(utterance)
                    return
                except SessionError as error:
                    if utterance.is_started or not error.retryable or attempt == self._attempts:
                        await self._tell(error_of(utterance.request_id, error))
                        return
                    log.info("an utterance is asked for again: %s", error)
                    await anyio.sleep(FIRST_PAUSE_S * 2.0 ** (attempt - 1) * self._chance())
        if utterance.scope.cancelled_caught:
            await self._tell(cancelled(utterance))

    async def _ask(self, utterance: CalledUtterance) -> None:
        body = {"format": "pcm", **utterance.options, **self._lexicon, "text": utterance.text, "transport": "sse"}
        reader = AudioEvents()
        with lone_error():
            async with parts_of(self._streams, body) as parts:
                async for part in parts:
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
