"""The whole-cycle check: does a server do, over one session, what a talking agent needs?

A server that answers ``/ping`` can still be useless. Each check has a name of its own, they run in the order below,
and the first that fails ends the run: what comes after would only fail for the same reason.
"""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from primavoce.audio.loudness import first_sound_s, rms_dbfs
from primavoce.client.session import MAX_FRAME_BYTES, session_url
from primavoce.errors import ProtocolViolation
from primavoce.protocol.client import Audio, ClientEvent, ClientSession
from primavoce.protocol.messages import Error, Pong, SessionComplete, SynthesisComplete, SynthesisStart

FIRST_SENTENCE = "Good morning, this is a short check of the voice."
SECOND_SENTENCE = "And this is the second sentence on the same connection."
FEWEST_S_PER_CHARACTER, MOST_S_PER_CHARACTER = 0.03, 0.20
"""Speech takes about 0.065 s a character; twice as fast or three times as slow is no speech of this text."""
QUIETEST_DBFS = -45.0
"""Speech of this model has about −25 dBFS; below this level nobody hears it."""


class CheckFailed(Exception):
    """A check did not pass; its text says what came instead."""


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one check."""

    name: str
    passed: bool
    detail: str
    elapsed_s: float


@dataclass(slots=True)
class Spoken:
    """What arrived for one request."""

    start: SynthesisStart | None = None
    pcm: bytearray = field(default_factory=bytearray)
    complete: SynthesisComplete | None = None


class Verification:
    """One run over one session.

    Args:
        url: The server's address, as `primavoce.client.SpeechSession` takes it.
        voice: The voice to ask for; the server's default unless given.
        timeout_s: The longest wait for any one message.
        clock: Seconds.
    """

    def __init__(
        self,
        url: str,
        *,
        voice: str | None = None,
        timeout_s: float = 60.0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._url = session_url(url)
        self._voice = voice
        self._timeout_s = timeout_s
        self._clock = clock
        self._protocol = ClientSession()
        self._first = Spoken()

    async def run(self) -> AsyncIterator[Check]:
        """Yield each check's outcome; the last one yielded may have failed, none before it has."""
        steps: tuple[tuple[str, Callable[[], Awaitable[str]]], ...] = (
            ("connects", self._connects),
            ("takes a binary frame", self._takes_a_binary_frame),
            ("sends audio", self._sends_audio),
            ("completes", self._completes),
            ("lasts as long as its text", self._lasts),
            ("is not silent", self._sounds),
            ("speaks a second sentence", self._speaks_again),
            ("keeps utterances apart", self._keeps_order),
            ("survives a bad message", self._survives),
            ("answers a ping", self._answers),
            ("closes when asked", self._closes),
        )
        try:
            for name, step in steps:
                check = await self._check(name, step)
                yield check
                if not check.passed:
                    return
        finally:
            socket: ClientConnection | None = getattr(self, "_socket", None)
            if socket is not None:
                with anyio.move_on_after(2.0, shield=True):
                    await socket.close()

    async def _check(self, name: str, step: Callable[[], Awaitable[str]]) -> Check:
        began = self._clock()
        try:
            detail, passed = await step(), True
        except (CheckFailed, ProtocolViolation) as error:
            detail, passed = str(error), False
        except ConnectionClosed as error:
            code = "without a word" if error.rcvd is None else f"with {error.rcvd.code}"
            detail, passed = f"the connection was closed {code}", False
        return Check(name, passed, detail, round(self._clock() - began, 3))

    # --- the checks, in order

    async def _connects(self) -> str:
        try:
            self._socket = await connect(self._url, compression=None, max_size=MAX_FRAME_BYTES, open_timeout=10)
        except (OSError, TimeoutError, InvalidHandshake, InvalidURI, ValueError) as error:
            raise CheckFailed(f"{self._url}: {str(error) or type(error).__name__}") from error
        return self._url

    async def _takes_a_binary_frame(self) -> str:
        await self._request("verify-1", FIRST_SENTENCE, binary=True)
        event = await self._next("synthesis_start")
        if not isinstance(event, SynthesisStart):
            raise CheckFailed(f"a request in a binary frame was answered by {_describe(event)}")
        self._first.start = event
        return f"{event.format}, {event.sample_rate} Hz, {event.channels} channel"

    async def _sends_audio(self) -> str:
        event = await self._next("audio")
        if not isinstance(event, Audio):
            raise CheckFailed(f"synthesis_start was followed by {_describe(event)}")
        self._first.pcm += event.pcm
        return f"{len(event.pcm)} bytes first"

    async def _completes(self) -> str:
        await self._collect(self._first, "verify-1")
        complete = self._first.complete
        return f"{complete.total_duration_s:.2f} s announced" if complete else ""

    async def _lasts(self) -> str:
        start, complete = self._first.start, self._first.complete
        assert start is not None
        assert complete is not None
        seconds = len(self._first.pcm) / 2 / start.sample_rate
        fewest, most = (len(FIRST_SENTENCE) * bound for bound in (FEWEST_S_PER_CHARACTER, MOST_S_PER_CHARACTER))
        if not fewest <= seconds <= most:
            raise CheckFailed(f"{seconds:.2f} s of audio for {len(FIRST_SENTENCE)} characters")
        if abs(seconds - complete.total_duration_s) > 0.01:
            raise CheckFailed(f"{seconds:.2f} s of audio, but {complete.total_duration_s:.2f} s announced")
        return f"{seconds:.2f} s for {len(FIRST_SENTENCE)} characters"

    async def _sounds(self) -> str:
        start = self._first.start
        assert start is not None
        level, sound = rms_dbfs(bytes(self._first.pcm)), first_sound_s(bytes(self._first.pcm), start.sample_rate)
        if sound is None or level < QUIETEST_DBFS:
            raise CheckFailed(f"the audio is silence ({level:.0f} dBFS)")
        return f"{level:.0f} dBFS, first sound at {sound:.2f} s"

    async def _speaks_again(self) -> str:
        await self._request("verify-2", SECOND_SENTENCE)
        spoken = Spoken()
        await self._collect(spoken, "verify-2")
        if not spoken.pcm:
            raise CheckFailed("a second request on the same connection got no audio")
        return f"{len(spoken.pcm)} bytes"

    async def _keeps_order(self) -> str:
        ids = ("verify-3", "verify-4")
        for request_id in ids:
            await self._request(request_id, "One, two, three.")
        for request_id in ids:
            spoken = Spoken()
            await self._collect(spoken, request_id)
            if not spoken.pcm:
                raise CheckFailed(f"request {request_id} got no audio")
        return "two requests at once were spoken one after another"

    async def _survives(self) -> str:
        await self._socket.send("this is no JSON")
        event = await self._next("error")
        if not isinstance(event, Error):
            raise CheckFailed(f"a bad message was answered by {_describe(event)}")
        if event.fatal:
            raise CheckFailed("a bad message ended the session")
        await self._request("verify-5", "Still here.")
        await self._collect(Spoken(), "verify-5")
        return f"error {event.code}, and the session goes on"

    async def _answers(self) -> str:
        await self._socket.send(json.dumps({"type": "ping"}))
        event = await self._next("pong")
        if not isinstance(event, Pong):
            raise CheckFailed(f"a ping was answered by {_describe(event)}")
        return "pong"

    async def _closes(self) -> str:
        await self._socket.send(json.dumps({"type": "close"}))
        event = await self._next("session_complete")
        if not isinstance(event, SessionComplete):
            raise CheckFailed(f"close was answered by {_describe(event)}")
        await self._socket.close()
        return "session_complete"

    # --- what they share

    async def _request(self, request_id: str, text: str, *, binary: bool = False) -> None:
        body = {"text": text, "request_id": request_id, **({"voice": self._voice} if self._voice else {})}
        frame = json.dumps(body)
        await self._socket.send(frame.encode() if binary else frame)

    async def _next(self, waiting_for: str) -> ClientEvent:
        try:
            with anyio.fail_after(self._timeout_s):
                return self._protocol.receive(await self._socket.recv())
        except TimeoutError:
            raise CheckFailed(f"no {waiting_for} within {self._timeout_s:g} s") from None

    async def _collect(self, spoken: Spoken, request_id: str) -> None:
        """Read until ``request_id`` is complete."""
        while spoken.complete is None:
            event = await self._next("synthesis_complete")
            if getattr(event, "request_id", request_id) != request_id:
                raise CheckFailed(f"{_describe(event)} came in the middle of {request_id}")
            match event:
                case SynthesisStart():
                    spoken.start = event
                case Audio():
                    spoken.pcm += event.pcm
                case SynthesisComplete():
                    spoken.complete = event
                case _:
                    raise CheckFailed(f"{_describe(event)} came instead of synthesis_complete")


def _describe(event: ClientEvent) -> str:
    match event:
        case Audio():
            return f"audio of {event.request_id}"
        case Error():
            return f"error {event.code}"
        case SynthesisStart():
            return f"synthesis_start of {event.request_id}"
        case SynthesisComplete():
            return f"synthesis_complete of {event.request_id}"
        case _:
            return type(event).__name__
