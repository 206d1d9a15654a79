"""One utterance, as the client sees it: text in, events and audio out, or a cancel."""

from collections.abc import AsyncIterable, AsyncIterator
from typing import Protocol

import anyio

from primavoce.errors import RequestFailed, SessionClosed, SessionTimeout, UnknownRequest
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.messages import (
    AnyClientMessage,
    Cancel,
    Cancelled,
    End,
    Error,
    Flush,
    Options,
    Ping,
    SynthesisComplete,
    SynthesisStart,
    Text,
)

EVENTS_AHEAD = 32
"""Events of an utterance that wait to be read; a megabyte of audio at most, then the server is held back."""


class OpenSession(Protocol):
    """What an utterance needs of its session."""

    timeout_s: float

    async def transmit(self, message: AnyClientMessage) -> None:
        """Send one message."""

    async def ping(self) -> None:
        """Wait for the server's sign of life."""

    def silent_s(self) -> float:
        """Return the seconds since the server last sent anything but a pong."""

    @property
    def failure(self) -> Exception | None:
        """Why the session is over, if it is."""


class SpokenUtterance:
    """One utterance; iterate it for its events, or `audio` for its sound alone.

    The iteration ends after `SynthesisComplete` (`completed`) or `Cancelled` (`cancelled`).
    It is to be had from `primavoce.client.SpeechSession.utterance` and ends with that block.
    """

    def __init__(self, session: OpenSession, request_id: str, options: Options) -> None:
        self.request_id = request_id
        """The id that its messages carry."""
        self.started: SynthesisStart | None = None
        """How its audio comes; `None` before its turn."""
        self.completed: SynthesisComplete | None = None
        """The server's account of it; `None` until it is spoken, whole."""
        self.cancelled: Cancelled | None = None
        """What was heard of it; `None` unless it was cancelled."""
        self._session = session
        self._options: Options | None = options
        self._text_complete = False
        self._cancelled_here = False
        """Whether its cancel was sent."""
        self._end_missing = False
        """Whether text of it was sent, and not its end."""
        self._ended = False
        self._events_in, self._events = anyio.create_memory_object_stream[ClientEvent](EVENTS_AHEAD)

    # --- text in

    async def send(self, text: str) -> None:
        """Add ``text``, a delta of any length, to the utterance; once it has ended, or was cancelled, that is nothing.

        Raises:
            SessionError: the session is over, or the server takes nothing.
        """
        if self._is_over:
            return  # the server would ignore it
        options, self._options = self._options, None
        self._end_missing = True
        if options is None:
            await self._session.transmit(Text(text=text, request_id=self.request_id))
        else:
            await self._session.transmit(with_text(options, text, self.request_id))

    async def send_all(self, text: str | AsyncIterable[str]) -> None:
        """Send the whole of ``text``, as its deltas come if it is an iterator, and say that it is complete."""
        if isinstance(text, str):
            await self.send(text)
        else:
            async for delta in text:
                await self.send(delta)
        await self.end()

    async def flush(self) -> None:
        """Have what was sent spoken now, sentence or not; the utterance stays open."""
        if not self._is_over:
            await self._session.transmit(Flush(self.request_id))

    async def end(self) -> None:
        """Say that the text is complete."""
        if self._text_complete or self._ended:
            return
        if self._options is not None:
            await self.send("")  # the server knows nothing of it yet, and must be the one to judge it
        self._text_complete = True
        await self._session.transmit(End(self.request_id))
        self._end_missing = False

    async def cancel(self, *, played_s: float | None = None) -> None:
        """Stop it; the iteration ends with `Cancelled`, which says what was heard.

        Args:
            played_s: Seconds of its audio that the listener has heard, if known.
        """
        if not self._is_over:
            self._text_complete = True
            await self._session.transmit(Cancel(self.request_id, played_s))
            self._cancelled_here = True

    async def played(self, played_s: float) -> None:
        """Say that the listener has heard ``played_s`` seconds of its audio.

        A server makes audio only so far ahead of a listener at normal speed. Whoever keeps the audio instead of playing
        it says that it has heard what came, and gets the rest as soon as it is made.
        """
        await self._session.transmit(Ping(self.request_id, played_s))

    # --- events out

    def __aiter__(self) -> AsyncIterator[ClientEvent]:
        return self

    async def __anext__(self) -> ClientEvent:
        if self._ended:
            raise StopAsyncIteration
        event = await self._receive()
        match event:
            case SynthesisStart():
                self.started = event
            case SynthesisComplete():
                self.completed, self._ended = event, True
            case Cancelled():
                self.cancelled, self._ended = event, True
            case Error():
                self._ended = True
                raise RequestFailed(event.code, event.message, retryable=event.retryable, request_id=self.request_id)
            case _:
                pass
        return event

    async def audio(self) -> AsyncIterator[bytes]:
        """Iterate its audio, as ``format`` says; for ``pcm``, whole 16-bit samples.

        Raises:
            RequestFailed: the server ended it with an error.
            SessionError: the session broke off, or is silent.
        """
        async for event in self:
            if isinstance(event, Audio):
                yield event.pcm

    async def _receive(self) -> ClientEvent:
        while True:
            with anyio.move_on_after(self._session.timeout_s):
                try:
                    return await self._events.receive()
                except anyio.EndOfStream:
                    raise self._session.failure or SessionClosed() from None
            # While the text is open or others have their turn, silence is nothing strange: a dead server is.
            await self._session.ping()
            if self._text_complete and self._session.silent_s() >= self._session.timeout_s:
                raise SessionTimeout("audio", self._session.timeout_s)

    # --- for the session

    @property
    def _is_over(self) -> bool:
        return self._ended or self._cancelled_here

    async def deliver(self, event: ClientEvent) -> None:
        """Hand over an event; waits while `EVENTS_AHEAD` are unread, unless nobody will read them."""
        if isinstance(event, Error) and event.code == UnknownRequest.code and not self._cancelled_here:
            return  # of one by the same id that was left before: its cancel crossed its ending
        try:
            await self._events_in.send(event)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass

    def last_words(self) -> list[Cancel | End]:
        """Return what stops it, and what says that no more of its text will come: until then the server ignores any."""
        if self._options is not None or self.completed is not None:
            return []  # the server knows nothing of it, or is done with it
        stop = [] if self._is_over else [Cancel(self.request_id)]
        return [*stop, End(self.request_id)] if self._end_missing else [*stop]

    def hang_up(self) -> None:
        """Say that no more events will come."""
        self._events_in.close()

    def abandon(self) -> None:
        """Say that nobody will read any more."""
        self._ended = True
        self._events.close()
        self._events_in.close()


def with_text(options: Options, text: str, request_id: str) -> Text:
    """Return the first text of an utterance, with its options."""
    carried = {name: getattr(options, name) for name in Options.__struct_fields__}
    return Text(**{**carried, "text": text, "request_id": request_id})
