"""The session's shell: a WebSocket, the state machine, and the engine, joined.

Everything that decides is in `primavoce.protocol.server`; here are the tasks. One reads frames, one speaks
utterances in turn, one watches the time. They share the state machine without a lock, since none of them awaits
between looking and acting.
"""

import logging
import math
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import anyio
import anyio.lowlevel
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from primavoce.audio.framing import Framer
from primavoce.audio.wav import streaming_header
from primavoce.errors import (
    AssetError,
    InvalidRequest,
    Overloaded,
    PrimavoceError,
    SynthesisError,
    SynthesisFailed,
    Unavailable,
    lone_error,
)
from primavoce.normalize.lexicon import Lexicon
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import AnyServerMessage, Error
from primavoce.protocol.server import Limits, ServerSession, error_message
from primavoce.protocol.utterance import Utterance
from primavoce.server.lobby import Lobby
from primavoce.server.voicing import voicing
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.speech import Speech

CLOSE_PATIENCE_S = 2.0
"""Seconds that a client has to close after ``session_complete``; a server's close reaches SageMaker as an error."""
WATCH_PERIOD_S = 1.0
"""Seconds between two looks at what has been idle for too long."""

log = structlog.get_logger("primavoce.session")


class ReaderGone(Exception):
    """The client has left, or has taken nothing for too long."""


@dataclass(frozen=True, slots=True)
class SessionPolicy:
    """What a session's shell needs to know."""

    limits: Limits
    default_voice: str
    send_timeout_s: float
    max_ahead_s: float
    text_idle_s: float
    lexicon: Lexicon
    clock: Callable[[], float] = time.monotonic
    wall_clock: Callable[[], float] = time.time


class SessionShell:
    """One session on one WebSocket.

    Args:
        socket: Not yet accepted.
        engine: Speaks.
        policy: Limits, patience and clocks.
    """

    def __init__(self, socket: WebSocket, engine: Engine, policy: SessionPolicy) -> None:
        self._socket = socket
        self._engine = engine
        self._policy = policy
        self._session = ServerSession(
            policy.limits,
            now=policy.clock(),
            make_id=lambda: uuid.uuid4().hex,
            default_voice=policy.default_voice,
            lexicon=policy.lexicon,
        )
        self._session_id = uuid.uuid4().hex[:12]
        self._sending = anyio.Lock()
        self._changed = anyio.Event()
        self._delta = anyio.Event()
        self._turn: anyio.CancelScope | None = None
        self._leaving = False

    async def run(self, lobby: Lobby) -> None:
        """Serve the session until it ends; returns when the socket is closed."""
        # SageMaker doesn't forward an answer other than 101, so refusals travel inside the session.
        await self._socket.accept()
        try:
            with lobby.visit(leave=self._leave):
                await self._serve()
        except Unavailable as error:
            await self._refuse(error)
        except (ReaderGone, WebSocketDisconnect):
            pass
        except Exception:
            log.exception("session failed", session=self._session_id)
            await self._refuse(PrimavoceError())
        await self._close()

    async def _serve(self) -> None:
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._read)
                tasks.start_soon(self._watch_deltas)
                tasks.start_soon(self._watch_time)
                await self._speak_all()
                await self._send(self._session.farewell())
                # The client closes now; the reader sees it and ends the group.
                with anyio.move_on_after(CLOSE_PATIENCE_S):
                    await anyio.sleep_forever()
                tasks.cancel_scope.cancel()

    # --- frames in

    async def _read(self) -> None:
        while True:
            event = await self._socket.receive()
            if event["type"] == "websocket.disconnect":
                raise ReaderGone
            frame = event.get("bytes")
            frame = event.get("text", "") if frame is None else frame
            clock = self._policy.clock
            replies = self._session.receive(frame or "", now=clock(), wall_time=self._policy.wall_clock())
            self._notice(delta=True)
            for reply in replies:
                await self._send(reply)

    def _notice(self, *, delta: bool = False) -> None:
        """Wake whoever waits for a change, and stop the turn of an utterance that has just been ended."""
        self._changed.set()
        if delta:
            self._delta.set()
        if self._turn is not None and self._session.speaking is None:
            self._turn.cancel()

    def _most_ahead_s(self) -> float:
        # Whoever is asked to leave has no time to be heard: the client hears it from what it has.
        return math.inf if self._leaving else self._policy.max_ahead_s

    def _leave(self) -> None:
        self._leaving = True
        self._session.close("draining")
        self._notice()

    async def _watch_deltas(self) -> None:
        """Tell the state machine when no delta has come for a moment."""
        while True:
            await self._delta.wait()
            quiet = False
            while not quiet:
                self._delta = anyio.Event()
                with anyio.move_on_after(self._policy.text_idle_s) as scope:
                    await self._delta.wait()
                quiet = scope.cancelled_caught
            self._session.idle()
            self._notice()

    async def _watch_time(self) -> None:
        while True:
            await anyio.sleep(WATCH_PERIOD_S)
            replies = self._session.expire(now=self._policy.clock())
            self._notice()
            for reply in replies:
                await self._send(reply)

    # --- utterances out

    async def _speak_all(self) -> None:
        while not self._session.finished:
            turn = self._session.begin(now=self._policy.clock(), wall_time=self._policy.wall_clock())
            if turn is None:
                await self._wait_for_change()
            elif isinstance(turn, Error):
                await self._send(turn)
            else:
                await self._speak(turn)

    async def _wait_for_change(self) -> None:
        await self._changed.wait()
        self._changed = anyio.Event()

    async def _speak(self, utterance: Utterance) -> None:
        """Give ``utterance`` its turn, and end it unless a cancel does."""
        failure: PrimavoceError | None = None
        with anyio.CancelScope() as self._turn:
            try:
                await self._send(utterance.start_message(), of=utterance)
                async with self._engine.speaking(voicing(utterance.options), most_ahead_s=self._most_ahead_s) as speech:
                    await self._pump(utterance, speech)
            except (SynthesisError, InvalidRequest, AssetError, Overloaded) as error:
                failure = error
        self._turn = None
        if failure is not None:
            level = logging.WARNING if isinstance(failure, Overloaded) else logging.ERROR
            log.log(level, "utterance failed", session=self._session_id, code=failure.code, reason=str(failure))
        if utterance.outcome is None:
            # What an asset error says is for the operator: it names places on this machine.
            told = SynthesisFailed() if isinstance(failure, AssetError) else failure
            now = self._policy.clock()
            ending = self._session.complete(utterance, now=now) if told is None else self._session.fail(utterance, told)
            await self._send(ending)
        log.info(
            "utterance",
            session=self._session_id,
            request_id=utterance.request_id,
            voice=utterance.options.voice.name,
            outcome=utterance.outcome,
            characters=utterance.characters,
            segments=len(utterance.segments),
            audio_s=round(utterance.audio_s, 3),
            work_s=round(utterance.work_s, 3),
            time_to_first_audio_s=utterance.time_to_first_audio_s,
        )

    async def _pump(self, utterance: Utterance, speech: Speech) -> None:
        framer = Framer()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._feed, utterance, speech)
            if utterance.options.format == "wav":
                await self._send_audio(streaming_header(utterance.options.sample_rate), utterance)
            async for part in speech:
                if part.segment is not None:
                    for message in utterance.began(part.segment):
                        await self._send(message, of=utterance)
                for frame in framer.push(part.pcm):
                    await self._send_audio(frame, utterance)
                utterance.work_s += part.work_s
                utterance.sent(part.duration_s, now=self._policy.clock())
            for frame in framer.flush():
                await self._send_audio(frame, utterance)

    async def _feed(self, utterance: Utterance, speech: Speech) -> None:
        while True:
            more = utterance.advance()
            for sentence in utterance.take():
                await speech.say(sentence)
            if utterance.exhausted:
                await speech.finish()
                return
            if more:
                await anyio.lowlevel.checkpoint()
            else:
                await self._wait_for_change()

    # --- the socket

    async def _send(self, message: AnyServerMessage, *, of: Utterance | None = None) -> None:
        text = encode(message)
        await self._transmit(lambda: self._socket.send_text(text), of)

    async def _send_audio(self, frame: bytes, utterance: Utterance) -> None:
        await self._transmit(lambda: self._socket.send_bytes(frame), utterance)

    async def _transmit(self, send: Callable[[], object], of: Utterance | None) -> None:
        """Send one frame, unless the utterance it belongs to has ended meanwhile."""
        with anyio.move_on_after(self._policy.send_timeout_s) as patience:
            async with self._sending:
                if of is not None and of.outcome is not None:
                    return
                try:
                    await send()  # type: ignore[misc]
                except (WebSocketDisconnect, RuntimeError, OSError) as error:
                    raise ReaderGone from error
        if patience.cancelled_caught:
            log.warning("reader dropped", session=self._session_id, after_s=self._policy.send_timeout_s)
            raise ReaderGone

    async def _refuse(self, error: PrimavoceError) -> None:
        try:
            await self._send(error_message(error, None, fatal=True))
        except ReaderGone:
            pass

    async def _close(self) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED and (
            self._socket.client_state is WebSocketState.CONNECTED
        ):
            try:
                with anyio.move_on_after(CLOSE_PATIENCE_S):
                    await self._socket.close()
            except (RuntimeError, OSError):
                pass
