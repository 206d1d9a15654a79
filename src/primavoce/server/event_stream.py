"""The audio of an answer as server-sent events (WHATWG HTML, 9.2), for what can't read bytes as they come."""

from collections.abc import AsyncIterator

import anyio
import msgspec
from starlette.types import Send

from primavoce.errors import PrimavoceError
from primavoce.protocol.options import SpeechOptions
from primavoce.server.deliveries import body, encoded, start
from primavoce.server.refusal import code_of, told_instead_of
from primavoce.server.watch import Watch
from primavoce.synthesis.segment import SpeechPart

MEDIA_TYPE = "text/event-stream"
HEARTBEAT_S = 15.0
"""Seconds after which something is sent though there is nothing to say: many proxies give up after 30 or 60."""
HEARTBEAT = b":\n\n"
"""A comment, which readers leave out."""
HEADERS = {
    "content-type": MEDIA_TYPE,
    "cache-control": "no-cache",
    "x-accel-buffering": "no",  # proxies of nginx's kind would collect the events
}


class EventStream:
    """The audio as it is made, in base64, as events.

    Args:
        options: What it is to be.
        request_id: Of the answer.
        characters: Of the text.
        max_write_bytes: The most audio that is written at a time, in base64.
        heartbeat_s: Seconds of silence after which a comment is sent.
    """

    def __init__(
        self,
        options: SpeechOptions,
        *,
        request_id: str,
        characters: int,
        max_write_bytes: int,
        heartbeat_s: float | None = None,
    ) -> None:
        self.started = False
        self.ends = False
        self._options = options
        self._request_id = request_id
        self._characters = characters
        self._frame_bytes = max_write_bytes // 4 * 3
        self._heartbeat_s = HEARTBEAT_S if heartbeat_s is None else heartbeat_s
        self._turn = anyio.Lock()
        self._last_at = 0.0
        self._figures = Figures()

    async def deliver(self, parts: AsyncIterator[SpeechPart], send: Send, watch: Watch) -> None:
        """Send them; see `primavoce.server.deliveries.Delivery`."""
        frames = encoded(self._figures.of(parts), self._options, watch, frame_bytes=self._frame_bytes)
        first = await anext(frames, None)
        self.started = True
        await start(send, HEADERS)
        await self._write(
            send,
            event(
                "audio_stream_start",
                request_id=self._request_id,
                format=self._options.format,
                voice=self._options.voice.name,
                sample_rate=self._options.sample_rate,
            ),
        )
        async with anyio.create_task_group() as beating:
            beating.start_soon(self._beat, send)
            total = await self._send_audio(first, frames, send)
            beating.cancel_scope.cancel()
        self.ends = True
        end = event("audio_stream_end", total_chunks=total, **self._figures.told(), characters=self._characters)
        await self._write(send, end)
        await body(send, b"", more=False)

    async def break_off(self, error: PrimavoceError, send: Send) -> None:
        """Send an event that says why, and end."""
        if self.ends:
            return
        self.ends = True
        told = told_instead_of(error)
        await body(
            send,
            event(
                "error",
                request_id=self._request_id,
                code=code_of(told),
                message=str(told),
                retryable=told.retryable,
            ),
        )
        await body(send, b"", more=False)

    async def _send_audio(self, first: bytes | None, frames: AsyncIterator[bytes], send: Send) -> int:
        """Send an event for each frame, and return how many there were."""
        if first is None:
            return 0
        await self._write(send, event("audio_chunk", seq=0, data=first))
        seq = 0
        async for frame in frames:
            seq += 1
            await self._write(send, event("audio_chunk", seq=seq, data=frame))
        return seq + 1

    async def _beat(self, send: Send) -> None:
        while True:
            wait_s = self._last_at + self._heartbeat_s - anyio.current_time()
            if wait_s > 0:
                await anyio.sleep(wait_s)
            else:
                await self._write(send, HEARTBEAT)

    async def _write(self, send: Send, content: bytes) -> None:
        async with self._turn:
            await body(send, content)
            self._last_at = anyio.current_time()


class Figures:
    """Counts what passes."""

    def __init__(self) -> None:
        self._audio_s = self._work_s = 0.0
        self._segments = 0

    async def of(self, parts: AsyncIterator[SpeechPart]) -> AsyncIterator[SpeechPart]:
        """Yield ``parts``, counted."""
        async for part in parts:
            self._audio_s += part.duration_s
            self._work_s += part.work_s
            self._segments += part.segment is not None
            yield part

    def told(self) -> dict[str, float]:
        """Return the figures by their names on the wire, as in a session's ``synthesis_complete``."""
        return {
            "duration_s": round(self._audio_s, 6),
            "real_time_factor": round(self._work_s / self._audio_s, 6) if self._audio_s else 0.0,
            "segments": self._segments,
        }


def event(name: str, **fields: object) -> bytes:
    """Return an event; bytes among its ``fields`` travel in base64."""
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(fields) + b"\n\n"
