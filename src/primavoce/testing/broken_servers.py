"""Servers that are broken on purpose, each in one way.

A check that has never failed proves nothing: `primavoce verify` is run against each of these, and so can your own
client be. They speak the session protocol over a real WebSocket on loopback, and hum instead of talking.
"""

import json
import math
from array import array
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

SAMPLE_RATE = 24_000
SECONDS_PER_CHARACTER = 0.065


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a server; nothing, unless said."""

    text_frames_only: bool = False
    """A request in a binary frame is taken for rubbish."""
    closes_after_utterance: bool = False
    """One utterance a connection."""
    never_completes: bool = False
    """Audio comes, its completion doesn't."""
    silent: bool = False
    """The audio is zeros."""
    interleaves: bool = False
    """Two requests that wait are spoken at once."""
    dies_on_bad_message: bool = False
    """A message that is no JSON ends the session."""
    ignores_pings: bool = False
    """Pings get no answer."""
    ignores_close: bool = False
    """``close`` gets no answer."""
    too_short: bool = False
    """A tenth of the audio comes."""


def hum(text: str, *, loud: bool = True, share: float = 1.0) -> bytes:
    """Return a tone, as 16-bit mono PCM at 24 kHz, as long as ``text`` would take."""
    count = int(len(text) * SECONDS_PER_CHARACTER * SAMPLE_RATE * share)
    level = 8000 if loud else 0
    samples = array("h", (int(level * math.sin(0.06 * number)) for number in range(count)))
    return samples.tobytes()


class BrokenSession:
    """One connection to a broken server."""

    def __init__(self, socket: ServerConnection, faults: Faults) -> None:
        self._socket = socket
        self._faults = faults
        self._held: dict[str, str] | None = None
        self._text = ""

    async def run(self) -> None:
        """Answer until the connection ends."""
        try:
            async for frame in self._socket:
                await self._answer(frame)
        except ConnectionClosed:
            pass

    async def _answer(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes) and self._faults.text_frames_only:
            await self._tell(type="error", request_id=None, code="invalid_json", message="", retryable=False)
            return
        try:
            message = json.loads(frame)
        except ValueError:
            await self._tell(
                type="error",
                request_id=None,
                code="invalid_json",
                message="",
                retryable=False,
                fatal=self._faults.dies_on_bad_message,
            )
            if self._faults.dies_on_bad_message:
                await self._socket.close()
            return
        match message.get("type"):
            case "ping":
                if not self._faults.ignores_pings:
                    await self._tell(type="pong", request_id=None)
            case "close":
                if not self._faults.ignores_close:
                    await self._tell(type="session_complete", reason="closed")
            case "text":
                self._text += message["text"]
            case "end":
                await self._speak({**message, "text": self._text})
            case "cancel":
                pass
            case _:
                await self._speak(message)

    async def _speak(self, message: dict[str, str]) -> None:
        # Only a pair of equal texts is interleaved, so that the earlier checks see a sound server.
        if self._faults.interleaves and message["text"].startswith("One"):
            if self._held is None:
                self._held = message
                return
            first, self._held = self._held, None
            await self._start(first)
            await self._audio(first)
            await self._start(message)
            await self._audio(message)
            await self._complete(first)
            await self._complete(message)
            return
        await self._start(message)
        await self._audio(message)
        if not self._faults.never_completes:
            await self._complete(message)
        if self._faults.closes_after_utterance:
            await self._socket.close()

    async def _start(self, message: dict[str, str]) -> None:
        await self._tell(
            type="synthesis_start",
            protocol=1,
            request_id=message["request_id"],
            voice="af_heart",
            format="pcm",
            sample_rate=SAMPLE_RATE,
            channels=1,
            sample_width=2,
        )

    def _pcm(self, message: dict[str, str]) -> bytes:
        share = 0.1 if self._faults.too_short else 1.0
        return hum(message["text"], loud=not self._faults.silent, share=share)

    async def _audio(self, message: dict[str, str]) -> None:
        await self._socket.send(self._pcm(message))

    async def _complete(self, message: dict[str, str]) -> None:
        seconds = len(self._pcm(message)) / 2 / SAMPLE_RATE
        await self._tell(
            type="synthesis_complete",
            request_id=message["request_id"],
            total_duration_s=seconds,
            elapsed_s=0.0,
            time_to_first_audio_s=0.0,
            queued_s=0.0,
            real_time_factor=0.0,
            segments=1,
            characters=len(message["text"]),
        )

    async def _tell(self, **fields: object) -> None:
        await self._socket.send(json.dumps(fields))


@asynccontextmanager
async def broken_server(faults: Faults, *, on_session: Callable[[], None] = lambda: None) -> AsyncIterator[str]:
    """Run a server with ``faults`` on a free loopback port while the block runs; yields its ``ws://`` address."""

    async def session(socket: ServerConnection) -> None:
        on_session()
        await BrokenSession(socket, faults).run()

    async with serve(session, "127.0.0.1", 0, compression=None) as server:
        host, port = next(iter(server.sockets)).getsockname()[:2]
        yield f"ws://{host}:{port}"
