"""One long session with a server: open it early, speak many utterances over it.

The session reads in a task of its own, so pings are answered and events are sorted while nobody iterates. Utterances
are spoken strictly one after another: read them in the order in which they were opened, for an unread one holds back
those behind it.
"""

import logging
import ssl
import time
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Self

import anyio

from primavoce.client.link import Opener
from primavoce.client.utterance import SpokenUtterance
from primavoce.client.websocket import websocket
from primavoce.errors import (
    InvalidLexicon,
    RequestFailed,
    SessionBroken,
    SessionClosed,
    SessionError,
    SessionTimeout,
    lone_error,
)
from primavoce.normalize.options import Code, Emoji, Tables
from primavoce.protocol.client import ClientEvent, ClientSession
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import (
    AnyClientMessage,
    Close,
    Error,
    Event,
    Options,
    Ping,
    Pong,
    SessionComplete,
    SetLexicon,
)

log = logging.getLogger("primavoce.client")


class SpeechSession:
    """A session with a server; use it as an async context manager.

    Leaving the block closes the session: what is still being spoken is waited for, unless the block failed.

    Args:
        url: ``ws://`` or ``wss://`` (``http`` is taken for ``ws``); without a path, the session's own is used.
        timeout_s: The longest wait for anything: a message to go out, the server's sign of life, the end.
        connect_timeout_s: The longest wait for the connection.
        headers: Sent with the handshake.
        api_key: Shown to a server that asks for one.
        ssl_context: For ``wss``; the system's certificates unless given.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float = 30.0,
        connect_timeout_s: float = 10.0,
        headers: Mapping[str, str] | None = None,
        api_key: str | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        opener = websocket(
            url, connect_timeout_s=connect_timeout_s, headers=headers, api_key=api_key, ssl_context=ssl_context
        )
        self._set_up(opener, timeout_s)

    @classmethod
    def over(cls, opener: Opener, *, timeout_s: float = 30.0) -> Self:
        """Return a session over the link that ``opener`` opens, with a patience of its own, and the session closes."""
        session = cls.__new__(cls)
        cls._set_up(session, opener, timeout_s)
        return session

    def _set_up(self, opener: Opener, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self._opener = opener
        self._utterances: dict[str, SpokenUtterance] = {}
        self._refusals: dict[str, RequestFailed] = {}
        self._failure: Exception | None = None
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._over = anyio.Event()
        self._pings: dict[str, anyio.Event] = {}
        self._link = await self._stack.enter_async_context(self._opener())
        self._protocol = ClientSession(typed=self._link.typed)
        self._last_event_at = time.monotonic()
        self._stack.enter_context(lone_error())
        self._tasks = await self._stack.enter_async_context(anyio.create_task_group())
        self._tasks.start_soon(self._read)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            if kind is None and self._failure is None:
                await self._close()
        finally:
            self._tasks.cancel_scope.cancel()
            await self._stack.__aexit__(kind, error, trace)  # type: ignore[arg-type]

    # --- what callers use

    @asynccontextmanager
    async def utterance(
        self,
        text: str | AsyncIterable[str] | None = None,
        *,
        voice: str | None = None,
        speed: float | None = None,
        language: str | None = None,
        sample_rate: int | None = None,
        audio_format: str | None = None,
        events: Sequence[Event] = (),
        request_id: str | None = None,
        emoji: Emoji | None = None,
        code: Code | None = None,
        tables: Tables | None = None,
    ) -> AsyncIterator[SpokenUtterance]:
        """Speak one utterance while the block runs.

        Args:
            text: The text, whole or as deltas that are sent as they come; `None` to call ``send`` and ``end``.
            voice: A voice or a blend; the server's default unless given.
            speed: From 0.5 to 2.
            language: The voice's own unless given.
            sample_rate: Hertz; 24,000 unless given.
            audio_format: ``pcm`` unless given.
            events: What to be told besides audio: ``segments``, ``words``.
            request_id: Made unless given.
            emoji: ``skip`` (unless given) or ``name`` them.
            code: ``announce`` (unless given), ``read`` or ``skip`` code fences.
            tables: ``read`` (unless given), ``announce`` or ``skip`` them.

        Leaving the block before the utterance has ended cancels it. An error of the iterator of deltas ends the
        block, and cancels the utterance.

        Raises:
            SessionError: the session is over, or the server takes nothing.
        """
        options = Options(
            voice=voice,
            speed=speed,
            language=language,
            sample_rate=sample_rate,
            format=audio_format,
            events=tuple(events) or None,
            emoji=emoji,
            code=code,
            tables=tables,
        )
        if self._failure is not None:
            raise self._failure
        utterance = SpokenUtterance(self, request_id or uuid.uuid4().hex, options)
        self._utterances[utterance.request_id] = utterance
        try:
            with lone_error():
                async with anyio.create_task_group() as tasks:
                    if text is not None:
                        tasks.start_soon(utterance.send_all, text)
                    yield utterance
                    tasks.cancel_scope.cancel()
        finally:
            await self._leave(utterance)

    async def set_lexicon(self, words: Mapping[str, str | Mapping[str, str]]) -> None:
        """Say how names are said, from the next utterance on; replaces what was set before.

        Args:
            words: Word → phonemes between slashes, or other words to say; or a language → such words in that language
                alone.

        Raises:
            RequestFailed: the server can't use them; what was set before stays.
            SessionError: the session is over, or the server takes nothing.
        """
        plain = {word: dict(said) if isinstance(said, Mapping) else said for word, said in words.items()}
        message = SetLexicon(words=plain, request_id=uuid.uuid4().hex)
        await self.transmit(message)
        await self.ping()  # the server answers in order: a refusal would have come before
        refusal = self._refusals.pop(message.request_id or "", None)
        if refusal is not None:
            raise refusal

    async def ping(self, *, played_s: float | None = None) -> None:
        """Wait for the server's sign of life; may report ``played_s`` seconds as heard of the current utterance.

        Raises:
            SessionTimeout: there is none.
        """
        if played_s is not None:
            await self.transmit(Ping(None, played_s))
        # By a name of its own: others may be waiting for theirs.
        name, answered = uuid.uuid4().hex, anyio.Event()
        self._pings[name] = answered
        try:
            await self.transmit(Ping(name))
            with anyio.move_on_after(self.timeout_s) as scope:
                await answered.wait()
        finally:
            del self._pings[name]
        if self._failure is not None:
            raise self._failure
        if scope.cancelled_caught:
            raise SessionTimeout("sign of life", self.timeout_s)

    # --- what utterances use

    async def transmit(self, message: AnyClientMessage) -> None:
        """Send one message.

        Raises:
            SessionError: the session is over, or the server takes nothing.
        """
        if self._failure is not None:
            raise self._failure
        try:
            with anyio.fail_after(self.timeout_s):
                await self._link.send(encode(message))
        except TimeoutError:
            raise SessionTimeout("room for a message", self.timeout_s) from None
        except SessionError as error:
            if self.failure is None:
                raise
            raise self.failure from error  # what ended the session says more than that it has ended

    def silent_s(self) -> float:
        """Return the seconds since the server last sent anything but a pong."""
        return time.monotonic() - self._last_event_at

    @property
    def failure(self) -> Exception | None:
        """Why the session is over, if it is."""
        return self._failure

    # --- within

    async def _read(self) -> None:
        try:
            async for frame in self._link:
                await self._dispatch(self._protocol.receive(frame))
            self._failure = SessionClosed() if self._protocol.complete else SessionBroken("the server closed it")
        except SessionBroken as error:
            self._failure = SessionClosed() if self._protocol.complete else error
        except SessionError as error:
            self._failure = error
        finally:
            for utterance in self._utterances.values():
                utterance.hang_up()
            for answered in self._pings.values():
                answered.set()
            self._over.set()

    async def _dispatch(self, event: ClientEvent) -> None:
        if isinstance(event, Pong):
            if (answered := self._pings.get(event.request_id or "")) is not None:
                answered.set()
            return
        self._last_event_at = time.monotonic()
        if isinstance(event, SessionComplete):
            self._over.set()
            return
        if isinstance(event, Error) and (event.fatal or event.code == InvalidLexicon.code):
            refusal = RequestFailed(event.code, event.message, retryable=event.retryable, request_id=event.request_id)
            if event.fatal or event.request_id is None:
                raise refusal
            self._refusals[event.request_id] = refusal
            return
        utterance = None if event.request_id is None else self._utterances.get(event.request_id)
        if utterance is not None:
            await utterance.deliver(event)
        elif isinstance(event, Error) and event.code != "unknown_request":  # our cancel crossed its ending
            log.warning("the server reports %s: %s", event.code, event.message)

    async def _leave(self, utterance: SpokenUtterance) -> None:
        last_words = [] if self._failure is not None else utterance.last_words()
        utterance.abandon()
        del self._utterances[utterance.request_id]
        with anyio.move_on_after(1.0, shield=True), suppress(SessionError):
            for message in last_words:
                await self.transmit(message)

    async def _close(self) -> None:
        await self.transmit(Close())
        with anyio.move_on_after(self.timeout_s) as scope:
            await self._over.wait()
        if scope.cancelled_caught:
            raise SessionTimeout("end of the session", self.timeout_s)
        if self._failure is not None and not isinstance(self._failure, SessionClosed):
            raise self._failure
