"""The session's shell: a WebSocket, the state machine, and the engine, joined.

Everything that decides is in `primavoce.protocol.server`; here are the tasks. One reads frames, one speaks
utterances in turn, one watches the time. They share the state machine without a lock, since none of them awaits
between looking and acting.
"""

import logging
import math
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import anyio
import structlog
from anyio.abc import TaskGroup
from starlette.websockets import WebSocket

from primavoce.errors import (
    AssetError,
    Draining,
    InvalidRequest,
    Overloaded,
    PrimavoceError,
    SynthesisError,
    SynthesisFailed,
    Unavailable,
    lone_error,
)
from primavoce.normalize.lexicon import Lexicon
from primavoce.protocol.limits import Limits
from primavoce.protocol.messages import AnyServerMessage, Error
from primavoce.protocol.rate import TokenBucket
from primavoce.protocol.server import ServerSession
from primavoce.protocol.utterance import Utterance
from primavoce.server.encoding import EncodedParts, Frame
from primavoce.server.feeding import feed
from primavoce.server.lobby import Lobby
from primavoce.server.observation import SessionWatch
from primavoce.server.voicing import owner_of, voicing
from primavoce.server.watch import Watch
from primavoce.server.wire import CLOSE_PATIENCE_S, ReaderDropped, ReaderGone, Wire, Wiring
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.speech import Speech

WATCH_PERIOD_S = 1.0
"""Seconds between two looks at what has been idle for too long."""

log = structlog.get_logger("primavoce.session")


@dataclass(frozen=True, slots=True)
class SessionPolicy:
    """What a session's shell needs to know."""

    limits: Limits
    default_voice: str
    send_timeout_s: float
    max_ahead_s: float
    max_frame_bytes: int
    max_messages_per_s: float
    max_messages_burst: int
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
        watching: Is told what happens.
        wired: Makes its wire; one of another dialect, say.
    """

    def __init__(
        self, socket: WebSocket, engine: Engine, policy: SessionPolicy, watching: SessionWatch, wired: Wiring = Wire
    ) -> None:
        self._engine = engine
        self._policy = policy
        self._session = ServerSession(
            policy.limits,
            now=policy.clock(),
            make_id=lambda: uuid.uuid4().hex,
            default_voice=policy.default_voice,
            lexicon=policy.lexicon,
            on_ended=watching.ended,
        )
        self._watching = watching
        self._owner = owner_of(socket.scope)
        self._session_id = watching.session_id
        self._wire = wired(
            socket, session_id=self._session_id, send_timeout_s=policy.send_timeout_s, told=watching.told
        )
        self._changed = anyio.Event()
        self._delta = anyio.Event()
        self._turn: anyio.CancelScope | None = None
        self._outbox: deque[AnyServerMessage] = deque()
        self._tasks: TaskGroup | None = None
        self._over = False  # whether session_complete is on its way: nothing may follow it

    async def run(self, lobby: Lobby) -> None:
        """Serve the session until it ends; returns when the socket is closed."""
        # SageMaker doesn't forward an answer other than 101, so refusals travel inside the session.
        await self._wire.accept()
        try:
            with lobby.visit(leave=self._leave, cut=self._cut), self._watching.admitted():
                await self._serve()
        except Unavailable as error:
            self._watching.outcome = "refused"
            log.info("session refused", session=self._session_id, code=error.code)
            await self._refuse(error)
        except ReaderDropped:
            self._watching.outcome = "dropped"
        except ReaderGone:
            pass
        except Exception:
            self._watching.outcome = "failed"
            log.exception("session failed", session=self._session_id)
            await self._refuse(PrimavoceError())
        await self._wire.close()

    async def _serve(self) -> None:
        with lone_error():
            async with anyio.create_task_group() as tasks:
                self._tasks = tasks
                tasks.start_soon(self._read)
                tasks.start_soon(self._watch_deltas)
                tasks.start_soon(self._watch_time)
                await self._speak_all()
                await self._deliver()
                self._over = True
                await self._wire.send(self._session.farewell())
                self._watching.outcome = self._session.reason
                # The client closes now; the reader sees it and ends the group.
                await anyio.sleep(CLOSE_PATIENCE_S)
                tasks.cancel_scope.cancel()

    # --- frames in

    async def _read(self) -> None:
        policy, clock = self._policy, self._policy.clock
        bucket = TokenBucket(per_s=policy.max_messages_per_s, burst=policy.max_messages_burst, now=clock())
        while True:
            frame = await self._wire.receive()
            deltas = self._session.deltas
            self._post(self._session.receive(frame, now=clock(), wall_time=policy.wall_clock()))
            self._notice(delta=self._session.deltas > deltas)
            await self._deliver()
            if wait_s := bucket.take(now=clock()):
                await anyio.sleep(wait_s)  # nothing is lost: the client is held back, as by any slow reader

    def _notice(self, *, delta: bool = False) -> None:
        """Wake whoever waits for a change, and stop the turn of an utterance that has just been ended."""
        self._changed.set()
        if delta:
            self._delta.set()
        if self._turn is not None and self._session.speaking is None:
            self._turn.cancel()

    def _most_ahead_s(self) -> float:
        # Whoever is asked to leave has no time to be heard: the client hears it from what it has.
        if self._session.leaving:
            return math.inf
        speaking = self._session.speaking
        early_s = 0.0 if speaking is None else speaking.heard_early_s(now=self._policy.clock())
        return self._policy.max_ahead_s + early_s

    def _leave(self) -> None:
        """Have the server's draining end the session once what is being spoken is."""
        self._tell(self._session.leave("draining", Draining()))

    def _cut(self) -> None:
        """End it now."""
        self._tell(self._session.cut())

    def _tell(self, replies: list[AnyServerMessage]) -> None:
        self._post(replies)
        self._notice()
        if self._outbox and self._tasks is not None:
            self._tasks.start_soon(self._deliver)

    def _post(self, replies: list[AnyServerMessage]) -> None:
        """Queue ``replies`` in the step that decided on them: whatever is decided later is sent later."""
        if not self._over:
            self._outbox.extend(replies)

    async def _deliver(self) -> None:
        """Send what is queued; any number of tasks may at a time, for whoever has the wire takes the next one."""
        while self._outbox:
            await self._wire.send_next(self._outbox)

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
            self._post(self._session.expire(now=self._policy.clock()))
            self._notice()
            await self._deliver()

    # --- utterances out

    async def _speak_all(self) -> None:
        while not self._session.finished:
            await self._deliver()  # what was decided before a turn is told before it
            turn = self._session.begin(now=self._policy.clock(), wall_time=self._policy.wall_clock())
            if turn is None:
                await self._wait_for_change()
            elif isinstance(turn, Error):
                self._post([turn])
            else:
                await self._speak(turn)

    async def _wait_for_change(self) -> None:
        await self._changed.wait()
        self._changed = anyio.Event()

    async def _speak(self, utterance: Utterance) -> None:
        """Give ``utterance`` its turn, and end it unless a cancel does."""
        failure: PrimavoceError | None = None
        watch = self._watching.begun(utterance)
        with anyio.CancelScope() as self._turn:
            try:
                ends_in_s = self._session.ends_in_s(now=self._policy.clock())
                await self._wire.send(utterance.start_message(session_ends_in_s=ends_in_s), of=utterance)
                async with self._engine.speaking(
                    voicing(utterance.options, owner=self._owner),
                    most_ahead_s=self._most_ahead_s,
                    notice=watch.notice,
                ) as speech:
                    # It may have waited for the model to be loaded.
                    self._session.check_age(utterance, wall_time=self._policy.wall_clock())
                    await self._pump(utterance, speech, watch)
            except (SynthesisError, InvalidRequest, AssetError, Overloaded) as error:
                failure = error
        self._turn = None
        if failure is not None:
            ours = isinstance(failure, SynthesisError | AssetError)
            level = logging.ERROR if ours else logging.WARNING
            log.log(level, "utterance failed", session=self._session_id, code=failure.code, reason=str(failure))
        if utterance.outcome is None:
            # What an asset error says is for the operator: it names places on this machine.
            told = SynthesisFailed() if isinstance(failure, AssetError) else failure
            session, now = self._session, self._policy.clock()
            ending = session.complete(utterance, now=now) if told is None else session.fail(utterance, told, now=now)
            self._post([ending])
            await self._deliver()

    async def _pump(self, utterance: Utterance, speech: Speech, watch: Watch) -> None:
        options = utterance.options
        encoder = EncodedParts(options.format, options.sample_rate, frame_bytes=self._policy.max_frame_bytes)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(feed, utterance.incoming, speech, self._wait_for_change, watch.notice)
            async for part in speech:
                utterance.check_length(part.duration_s)
                if part.segment is not None:
                    for message in utterance.began(part.segment):
                        await self._wire.send(message, of=utterance)
                utterance.work_s += part.work_s
                await self._send_audio(await encoder.push(part), utterance)
                for each in encoder.gone_out():
                    watch.sent(each)
            await self._send_audio(await encoder.flush(), utterance)
            for each in encoder.gone_out():
                watch.sent(each)

    async def _send_audio(self, frames: list[Frame], utterance: Utterance) -> None:
        """Send frames, and count each at once: a cancel may come before the next."""
        for frame in frames:
            if frame.data:
                await self._wire.send_audio(frame.data, utterance)
            utterance.sent(frame.duration_s, now=self._policy.clock())

    async def _refuse(self, error: PrimavoceError) -> None:
        """Tell the client that the session ends with ``error``, and let it close."""
        self._tasks = None
        self._post(self._session.break_down(error))
        try:
            await self._deliver()
            await self._wire.wait_for_close()
        except ReaderGone:
            pass
