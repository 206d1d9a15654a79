"""How the audio of an answer travels: as it is made, or in one piece."""

from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from starlette.types import Send

from primavoce.audio.encoders import with_true_length
from primavoce.audio.formats import FORMATS
from primavoce.errors import AnswerTooLarge, PrimavoceError
from primavoce.protocol.options import SpeechOptions
from primavoce.server.encoding import EncodedParts, Frame
from primavoce.server.watch import Watch
from primavoce.synthesis.segment import SpeechPart


class Delivery(Protocol):
    """Sends the audio of one answer."""

    started: bool
    """Whether the status has gone out."""
    ends: bool
    """Whether the last of it is on its way, so that the client may leave."""

    async def deliver(self, parts: AsyncIterator[SpeechPart], send: Send, watch: Watch) -> None:
        """Send ``parts`` as they come; the status is decided when there is audio to send, or will be none.

        Raises:
            PrimavoceError: it is more than may be sent so.
        """

    async def break_off(self, error: PrimavoceError, send: Send) -> None:
        """Say why the rest won't come, as far as that can be said once the status has gone out."""


class Streamed:
    """The audio as it is made, as the body.

    Args:
        options: What it is to be.
        max_write_bytes: The most that is written at a time.
    """

    def __init__(self, options: SpeechOptions, *, max_write_bytes: int) -> None:
        self.started = False
        self.ends = False
        self._options = options
        self._max_write_bytes = max_write_bytes

    async def deliver(self, parts: AsyncIterator[SpeechPart], send: Send, watch: Watch) -> None:
        """Send them; see `Delivery`."""
        frames = encoded(parts, self._options, watch, frame_bytes=self._max_write_bytes)
        first = await anext(frames, None)
        self.started = True
        await start(send, {"content-type": FORMATS[self._options.format].media_type})
        if first is not None:
            await body(send, first)
        async for frame in frames:
            await body(send, frame)
        self.ends = True
        await body(send, b"", more=False)

    async def break_off(self, error: PrimavoceError, send: Send) -> None:
        """Say nothing: that the body doesn't end is the only way left to say that it isn't whole."""


class InOnePiece:
    """One body with true sizes, and figures in the headers.

    Args:
        options: What it is to be.
        characters: Of the text.
        max_answer_bytes: The most PCM that it may be made of.
        max_write_bytes: The most that is written at a time.
    """

    def __init__(self, options: SpeechOptions, *, characters: int, max_answer_bytes: int, max_write_bytes: int) -> None:
        self.started = False
        self.ends = False
        self._options = options
        self._characters = characters
        self._max_answer_bytes = max_answer_bytes
        self._max_write_bytes = max_write_bytes

    async def deliver(self, parts: AsyncIterator[SpeechPart], send: Send, watch: Watch) -> None:
        """Send them; see `Delivery`.

        Raises:
            AnswerTooLarge: they are more than are held.
        """
        audio_format, rate = self._options.format, self._options.sample_rate
        encoder = EncodedParts(audio_format, rate)
        held: list[SpeechPart] = []
        frames: list[Frame] = []
        size = 0
        async for part in parts:
            held.append(part)
            size += len(part.pcm)
            if size > self._max_answer_bytes:
                raise AnswerTooLarge(self._max_answer_bytes)
            frames += await encoder.push(part)  # as they come: all at once would keep a thread for seconds
        frames += await encoder.flush()
        data = b"".join(frame.data for frame in frames)
        whole = with_true_length(audio_format, data, samples=size // 2, sample_rate=rate)
        self.started = True
        await start(send, self._headers(held, len(whole)))
        for begin in range(0, len(whole), self._max_write_bytes):
            await body(send, whole[begin : begin + self._max_write_bytes])
        for part in held:
            watch.sent(part)
        self.ends = True
        await body(send, b"", more=False)

    async def break_off(self, error: PrimavoceError, send: Send) -> None:
        """Say nothing: the body is shorter than it was said to be."""

    def _headers(self, held: list[SpeechPart], size: int) -> dict[str, str]:
        audio_s, work_s = sum(part.duration_s for part in held), sum(part.work_s for part in held)
        return {
            "content-type": FORMATS[self._options.format].media_type,
            "content-length": str(size),
            "x-audio-duration": f"{audio_s:.3f}",
            "x-inference-time-ms": f"{work_s * 1000:.1f}",
            "x-rtf": f"{work_s / audio_s:.4f}" if audio_s else "0",
            "x-characters-processed": str(self._characters),
        }


async def encoded(
    parts: AsyncIterator[SpeechPart], options: SpeechOptions, watch: Watch, *, frame_bytes: int
) -> AsyncIterator[bytes]:
    """Yield ``parts`` in the format of ``options``, in frames of at most ``frame_bytes``.

    ``watch`` is told what is out once the next frame is asked for.
    """
    encoder = EncodedParts(options.format, options.sample_rate, frame_bytes=frame_bytes)

    async def with_the_rest() -> AsyncIterator[list[Frame]]:
        async for part in parts:
            yield await encoder.push(part)
        yield await encoder.flush()

    async for frames in with_the_rest():
        for frame in frames:
            if frame.data:
                yield frame.data
        for part in encoder.gone_out():
            watch.sent(part)


async def start(send: Send, headers: Mapping[str, str]) -> None:
    """Send the status 200 and ``headers``."""
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": raw})


async def body(send: Send, content: bytes, *, more: bool = True) -> None:
    """Send ``content``; what is not to be followed by more ends the answer."""
    await send({"type": "http.response.body", "body": content, "more_body": more})
