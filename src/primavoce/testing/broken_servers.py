"""Servers that are broken on purpose, each in one way.

A check that has never failed proves nothing: `primavoce verify` is run against each of these, and so can your own
client be. They speak the session protocol over a real WebSocket on loopback, and hum instead of talking.
"""

import json
import math
from array import array
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus

import anyio
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from primavoce.testing.faults import Faults

__all__ = ["Faults", "broken_server", "hum"]

SAMPLE_RATE = 24_000
SECONDS_PER_CHARACTER = 0.065
PITCH_HZ = 220
"""Whole periods in a second, so that a second of it can be repeated."""
PIECE_S = 0.25
AHEAD_S = 20.0
"""Seconds of an utterance that are sent before it has to be cancelled: nobody here waits to hear it all."""
MOST_QUEUED = 8
MOST_CHARACTERS = 20_000
CUT_CHARACTERS = 20


@dataclass(slots=True, eq=False)
class Utterance:
    """One request, and how far it has come."""

    request_id: str
    text: str
    complete: bool
    """Whether no more text will come."""
    flushed: bool = False
    ended: bool = False
    sent_s: float = 0.0
    """Seconds of audio."""
    said: int = 0
    """Characters that are spoken."""
    last_delta: str = ""

    @property
    def speakable(self) -> bool:
        """Whether there is something to do for it."""
        return self.ended or self.complete or (self.flushed and self.said < len(self.text))


def hum(text: str, *, loud: bool = True, share: float = 1.0) -> bytes:
    """Return a tone, as 16-bit mono PCM at 24 kHz, as long as ``text`` would take."""
    count = int(len(" ".join(text.split())) * SECONDS_PER_CHARACTER * SAMPLE_RATE * share)
    second = _second(8000 if loud else 0)
    return (second * (2 * count // len(second) + 1))[: 2 * count]


@cache
def _second(level: int) -> bytes:
    step = math.tau * PITCH_HZ / SAMPLE_RATE
    return array("h", (round(level * math.sin(step * number)) for number in range(SAMPLE_RATE))).tobytes()


class BrokenSession:
    """One connection to a broken server: a task that reads, and one that speaks."""

    def __init__(self, socket: ServerConnection, faults: Faults) -> None:
        self._socket = socket
        self._faults = faults
        self._live: deque[Utterance] = deque()
        self._changed = anyio.Event()

    async def run(self) -> None:
        """Answer until the connection ends."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._speak_all)
            try:
                async for frame in self._socket:
                    await self._answer(frame)
                    self._changed.set()
            except ConnectionClosed:
                pass
            tasks.cancel_scope.cancel()

    # --- frames in

    async def _answer(self, frame: str | bytes) -> None:
        faults = self._faults
        try:
            if isinstance(frame, bytes) and faults.text_frames_only:
                raise ValueError
            message = json.loads(frame)
        except ValueError:
            await self._refuse("invalid_json", None, fatal=faults.dies_on_bad_message)
            return
        request_id = message.get("request_id")
        match message.get("type", "synthesize"):
            case "ping":
                if not faults.ignores_pings:
                    await self._tell(type="pong", request_id=request_id)
            case "close":
                if not faults.ignores_close:
                    await self._tell(type="session_complete", reason="closed")
            case "cancel":
                await self._cancel(request_id)
            case kind if (found := self._find(request_id)) is not None:
                self._grow(found, kind, message.get("text", ""))
            case "text":
                text = "" if faults.loses_first_delta else message["text"]
                await self._take(Utterance(request_id, text, complete=False))
            case "synthesize":
                await self._take(Utterance(request_id, message["text"], complete=True))
            case _:
                await self._refuse("unknown_request", request_id)

    def _grow(self, utterance: Utterance, kind: str, delta: str) -> None:
        """Take what comes for an utterance whose text is open."""
        faults = self._faults
        if kind == "text" and not (faults.loses_after_flush and utterance.flushed):
            utterance.text, utterance.last_delta = utterance.text + delta, delta
        if kind == "flush":
            utterance.flushed = not faults.waits_for_a_stop
        if kind == "end":
            utterance.complete = True
            if faults.drops_the_rest:
                utterance.text = utterance.text[: utterance.text.rfind(".") + 1]
            if faults.loses_last_delta:
                utterance.text = utterance.text.removesuffix(utterance.last_delta)

    def _find(self, request_id: str) -> Utterance | None:
        return next((each for each in self._live if each.request_id == request_id), None)

    async def _take(self, utterance: Utterance) -> None:
        faults = self._faults
        if len(utterance.text) > MOST_CHARACTERS:
            if faults.closes_at_too_long:
                await self._socket.close(1009)
            if not faults.cuts_long_texts:
                await self._refuse("text_too_long", utterance.request_id)
                return
            utterance.text = utterance.text[:CUT_CHARACTERS]
        elif self._is_full() and not faults.unbounded:
            if faults.closes_at_too_many:
                await self._socket.close(1008)
            await self._refuse("too_many_requests", utterance.request_id, fatal=faults.ends_at_too_many)
            return
        self._live.append(utterance)

    def _is_full(self) -> bool:
        open_text = self._faults.nobody_waits and any(not each.complete for each in self._live)
        return open_text or len(self._live) > MOST_QUEUED

    async def _cancel(self, request_id: str | None) -> None:
        found = [each for each in self._live if request_id in (None, each.request_id)]
        if not found and request_id is not None:
            if self._faults.cancels_anything:
                await self._acknowledge(Utterance(request_id, "", complete=True))
            else:
                await self._refuse("unknown_request", request_id)
        for place, each in enumerate(found):
            each.ended = not self._faults.goes_on_after_cancel
            if not (self._faults.ignores_cancel or (self._faults.loses_queued and place > 0)):
                await self._acknowledge(each)
            if each.ended:
                self._live.remove(each)
            else:
                each.sent_s = 0.0  # so that there is room for more

    # --- utterances out

    async def _speak_all(self) -> None:
        try:
            while True:
                if self._faults.last_first and len(self._live) > 2:
                    self._live.rotate(1)
                if self._live and self._live[0].speakable:
                    await self._speak(self._live[0])
                else:
                    await self._wait()
        except ConnectionClosed:
            pass

    async def _wait(self) -> None:
        await self._changed.wait()
        self._changed = anyio.Event()

    async def _speak(self, utterance: Utterance) -> None:
        await self._start(utterance)
        if self._faults.interleaves and utterance.text.startswith("One"):
            # Only such a pair is spoken at once, so that the earlier checks see a sound server.
            while len(self._live) == 1:
                await self._wait()
            await self._start(self._live[1])
        while not utterance.ended and not (utterance.complete and utterance.said == len(utterance.text)):
            if utterance.speakable:
                await self._say(utterance)
            else:
                await self._wait()
        if utterance in self._live:
            self._live.remove(utterance)
            if not self._faults.never_completes:
                await self._complete(utterance)
        if self._faults.closes_after_utterance:
            await self._socket.close()

    async def _say(self, utterance: Utterance) -> None:
        """Hum what there is of its text, a piece at a time."""
        held, utterance.said = utterance.text[utterance.said :], len(utterance.text)
        pcm = hum(held, loud=not self._faults.silent, share=0.1 if self._faults.too_short else 1.0)
        size = int(2 * SAMPLE_RATE * PIECE_S)
        if self._faults.loses_flushed and utterance.flushed and not utterance.complete:
            pcm = pcm[:size]
        for start in range(0, len(pcm), size):
            while utterance.sent_s >= AHEAD_S and not utterance.ended:
                await self._wait()
            if utterance.ended:
                return
            piece = pcm[start : start + size]
            utterance.sent_s += len(piece) / 2 / SAMPLE_RATE
            await self._socket.send(piece)

    # --- messages out

    async def _start(self, utterance: Utterance) -> None:
        await self._tell(
            type="synthesis_start",
            protocol=1,
            request_id=utterance.request_id,
            voice="af_heart",
            format="pcm",
            sample_rate=SAMPLE_RATE,
            channels=1,
            sample_width=2,
        )

    async def _complete(self, utterance: Utterance) -> None:
        await self._tell(
            type="synthesis_complete",
            request_id=utterance.request_id,
            total_duration_s=utterance.sent_s,
            elapsed_s=0.0,
            time_to_first_audio_s=0.0,
            queued_s=0.0,
            real_time_factor=0.0,
            segments=1,
            characters=len(utterance.text),
        )

    async def _acknowledge(self, utterance: Utterance) -> None:
        sent_s = utterance.sent_s + (60.0 if self._faults.miscounts_audio else 0.0)
        await self._tell(
            type="cancelled", request_id=utterance.request_id, audio_sent_s=sent_s, spoken_text="", spoken_characters=0
        )

    async def _refuse(self, code: str, request_id: str | None, *, fatal: bool = False) -> None:
        await self._tell(type="error", request_id=request_id, code=code, message="", retryable=False, fatal=fatal)
        if fatal:
            await self._socket.close()

    async def _tell(self, **fields: object) -> None:
        await self._socket.send(json.dumps(fields))


@asynccontextmanager
async def broken_server(faults: Faults, *, on_session: Callable[[], None] = lambda: None) -> AsyncIterator[str]:
    """Run a server with ``faults`` on a free loopback port while the block runs; yields its ``ws://`` address."""

    async def session(socket: ServerConnection) -> None:
        on_session()
        await BrokenSession(socket, faults).run()

    def ping(socket: ServerConnection, request: Request) -> Response | None:
        if request.path != "/ping":
            return None
        if faults.loading:
            return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, '{"status": "loading"}')
        return socket.respond(HTTPStatus.OK, "")

    # Without a bound on what waits to be read: behind it, the client's part in a closing would never be seen.
    async with serve(session, "127.0.0.1", 0, compression=None, max_queue=None, process_request=ping) as server:
        host, port = next(iter(server.sockets)).getsockname()[:2]
        yield f"ws://{host}:{port}"
