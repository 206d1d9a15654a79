"""The answer to one HTTP request: its audio, streamed as it is made, or whole."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import anyio
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Send

from primavoce.audio.wav import header, streaming_header
from primavoce.errors import AnswerTooLarge, UtteranceTooLong, lone_error
from primavoce.protocol.incoming import IncomingText
from primavoce.protocol.options import SpeechOptions
from primavoce.server.feeding import feed
from primavoce.server.records import Moment
from primavoce.server.voicing import voicing
from primavoce.server.watch import Watch
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.segment import SpeechPart
from primavoce.synthesis.speech import Speech

MEDIA_TYPES = {"wav": "audio/wav", "pcm": "audio/pcm"}


@dataclass(frozen=True, slots=True)
class AnswerBounds:
    """How much audio there may be."""

    max_utterance_s: float
    """Seconds of audio."""
    max_answer_bytes: int
    """Bytes of audio in one piece: they are held until the last is made."""
    max_write_bytes: int
    """Bytes that are written at a time: what a reader who has stopped may cost, beside the buffers."""


class Answer:
    """The audio of one invocation; the status is decided only when the first part exists.

    Args:
        engine: Speaks.
        options: How.
        text: What.
        stream: False for one body with true sizes.
        bounds: How much audio there may be.
        check: Called when the work starts; raises if it is no longer wanted.
        owner: Whose text it is.
    """

    def __init__(
        self,
        engine: Engine,
        options: SpeechOptions,
        text: str,
        *,
        stream: bool,
        bounds: AnswerBounds,
        check: Callable[[], None],
        owner: str = "",
    ) -> None:
        self._engine = engine
        self._options = options
        self._text = text
        self._as_stream = stream
        self._bounds = bounds
        self._check = check
        self._owner = owner
        self.started = False
        """Whether the status has gone out."""
        self._ends = False  # once the last of it is on its way, the client may leave

    async def send(self, receive: Receive, send: Send, watch: Watch) -> None:
        """Speak and send; stops when the client leaves; ``watch`` is told what goes out.

        Raises:
            PrimavoceError: nothing was sent yet; the caller answers.
            ClientDisconnect: the client has left.
        """
        text = IncomingText(self._options.language)
        text.push(self._text)
        text.end()
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._watch_client, receive)
                how = voicing(self._options, owner=self._owner)
                async with self._engine.speaking(how, notice=watch.notice) as speech:
                    self._check()
                    watch.notice(Moment.BEGUN)
                    # Inside: it must have stopped when the speech does, whatever ends it.
                    async with anyio.create_task_group() as feeding:
                        feeding.start_soon(feed, text, speech, anyio.sleep_forever, watch.notice)
                        await (self._stream if self._as_stream else self._collect)(speech, send, watch)
                tasks.cancel_scope.cancel()

    async def _stream(self, speech: Speech, send: Send, watch: Watch) -> None:
        parts = self._short_enough(speech)
        first = await anext(parts, None)
        wav = self._options.format == "wav"
        self.started = True
        await _start(send, {"content-type": MEDIA_TYPES[self._options.format]})
        lead = streaming_header(self._options.sample_rate) if wav else b""
        if first is not None:
            await self._write(send, lead + first.pcm)
            watch.sent(first)
            async for part in parts:
                await self._write(send, part.pcm)
                watch.sent(part)
        self._ends = True
        await _body(send, lead if first is None else b"", more=False)

    async def _collect(self, speech: Speech, send: Send, watch: Watch) -> None:
        parts: list[SpeechPart] = []
        size = 0
        async for part in self._short_enough(speech):
            parts.append(part)
            size += len(part.pcm)
            if size > self._bounds.max_answer_bytes:
                raise AnswerTooLarge(self._bounds.max_answer_bytes)
        pcm = b"".join(part.pcm for part in parts)
        audio_s, work_s = sum(part.duration_s for part in parts), sum(part.work_s for part in parts)
        wav = self._options.format == "wav"
        headers = {
            "content-type": MEDIA_TYPES[self._options.format],
            "x-audio-duration": f"{audio_s:.3f}",
            "x-inference-time-ms": f"{work_s * 1000:.1f}",
            "x-rtf": f"{work_s / audio_s:.4f}" if audio_s else "0",
            "x-characters-processed": str(len(self._text)),
        }
        body = (header(len(pcm), self._options.sample_rate) if wav else b"") + pcm
        self.started = True
        await _start(send, {**headers, "content-length": str(len(body))})
        self._ends = True
        await _body(send, body, more=False)
        for part in parts:
            watch.sent(part)

    async def _short_enough(self, speech: Speech) -> AsyncIterator[SpeechPart]:
        audio_s = 0.0
        async for part in speech:
            audio_s += part.duration_s
            if audio_s > self._bounds.max_utterance_s:
                raise UtteranceTooLong(self._bounds.max_utterance_s)
            yield part

    async def _write(self, send: Send, pcm: bytes) -> None:
        size = self._bounds.max_write_bytes
        for start in range(0, len(pcm), size):
            await _body(send, pcm[start : start + size], more=True)

    async def _watch_client(self, receive: Receive) -> None:
        """Wait for the client to leave; a request that was read whole has nothing else to receive."""
        while (await receive())["type"] != "http.disconnect":
            pass
        if not self._ends:
            raise ClientDisconnect


async def _start(send: Send, headers: dict[str, str]) -> None:
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": raw})


async def _body(send: Send, body: bytes, *, more: bool) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})
