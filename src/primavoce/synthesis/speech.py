"""One utterance being spoken: sentences go in, parts of audio come out, the work is done on the way.

Three stages run side by side, joined by bounded streams: phonemes of the next segment are made while the model works
on this one, and the model works ahead of the reader by `PARTS_AHEAD` and no more. A reader that stops reading stops
its own utterance and nobody else's: no stage holds the model while it waits for room.
"""

import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from primavoce.audio.silence import pause_after
from primavoce.errors import InvalidRequest, PhonemesFailed, PrimavoceError, SynthesisFailed, lone_error
from primavoce.phonemes.alphabet import encode
from primavoce.phonemes.budget import split_phonemes
from primavoce.synthesis.renderer import Renderer
from primavoce.synthesis.segment import G2P, AcousticModel, Samples, Segment, SpeechPart, StyleSource
from primavoce.synthesis.worker import Worker
from primavoce.text import Sentence
from primavoce.voices.blend import Blend

SENTENCES_AHEAD = 4
"""Sentences that wait for their phonemes; whoever says one more waits."""
SEGMENTS_AHEAD = 2
"""Segments whose phonemes are made before the model gets to them."""
PARTS_AHEAD = 2
"""Parts of audio that wait for the reader."""
PIECE_PAUSE_S = 0.15
"""Silence where a sentence was too long for the model and had to be cut."""
EXPECTED_S_PER_PHONEME = 0.1
"""A generous guess of the model's work, by which a stuck one is told from a slow one."""

log = logging.getLogger("primavoce.synthesis")


@dataclass(frozen=True, slots=True)
class Voicing:
    """How an utterance is to sound."""

    voice: Blend
    language: str
    speed: float
    sample_rate: int
    """Hertz, of the PCM that comes out."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What all utterances share."""

    model: AcousticModel
    g2p: G2P
    styles: StyleSource
    inference: Worker
    phonemes: Worker
    clock: Callable[[], float] = time.perf_counter


class Speech:
    """One utterance being spoken; iterate it for its `SpeechPart`s.

    It is to be had from `primavoce.synthesis.engine.Engine.speaking` and ends with that block.
    """

    def __init__(self, tools: Tools, voicing: Voicing) -> None:
        self._tools = tools
        self._voicing = voicing
        self._sentences_in, self._sentences = anyio.create_memory_object_stream[Sentence](SENTENCES_AHEAD)
        self._segments_in, self._segments = anyio.create_memory_object_stream[Segment](SEGMENTS_AHEAD)
        self._parts_in, self._parts = anyio.create_memory_object_stream[SpeechPart](PARTS_AHEAD)
        self._error: PrimavoceError | None = None
        self._spoken_s = 0.0

    async def say(self, sentence: Sentence) -> None:
        """Speak ``sentence`` next; waits while `SENTENCES_AHEAD` others are waiting.

        Raises:
            PrimavoceError: an earlier sentence failed; the utterance is over.
        """
        try:
            await self._sentences_in.send(sentence)
        except anyio.BrokenResourceError:
            raise self._error or SynthesisFailed from None

    async def finish(self) -> None:
        """Say no more; the iteration ends after what was said."""
        await self._sentences_in.aclose()

    def __aiter__(self) -> AsyncIterator[SpeechPart]:
        return self

    async def __anext__(self) -> SpeechPart:
        try:
            return await self._parts.receive()
        except anyio.EndOfStream:
            if self._error is not None:
                raise self._error from None
            raise StopAsyncIteration from None

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Speech"]:
        """Do the work while the block runs.

        Leaving the block stops it: what waits is dropped, and a step of the model that has begun is outlived.
        """
        ends = (
            self._sentences_in, self._sentences, self._segments_in, self._segments, self._parts_in, self._parts,
        )  # fmt: skip
        try:
            with lone_error():
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._make_phonemes)
                    tasks.start_soon(self._make_audio)
                    yield self
                    tasks.cancel_scope.cancel()
        finally:
            for end in ends:
                end.close()

    async def _make_phonemes(self) -> None:
        with self._stage(self._sentences, self._segments_in):
            pause_s = 0.0
            async for sentence in self._sentences:
                words = " ".join(sentence.text.split())
                phonemes = await self._tools.phonemes.run(lambda words=words: self._phonemize(words), expected_s=1.0)  # type: ignore[misc]
                for number, piece in enumerate(split_phonemes(phonemes)):
                    segment = Segment(sentence.text, sentence.start, sentence.end, piece, pause_s, number == 0)
                    await self._segments_in.send(segment)
                    pause_s = PIECE_PAUSE_S
                pause_s = pause_after(sentence.text)

    def _phonemize(self, words: str) -> str:
        try:
            return self._tools.g2p.phonemize(words, self._voicing.language)
        except (InvalidRequest, PhonemesFailed):
            raise
        except Exception as error:
            log.exception("phonemes failed")
            raise PhonemesFailed from error

    async def _make_audio(self) -> None:
        with self._stage(self._segments, self._parts_in):
            renderer = Renderer(model_rate=self._tools.model.sample_rate, sample_rate=self._voicing.sample_rate)
            async for segment in self._segments:
                await self._speak(segment, renderer)
            await self._emit(renderer.flush(), 0.0, None)

    async def _speak(self, segment: Segment, renderer: Renderer) -> None:
        renderer.begin(pause_before_s=segment.pause_before_s)
        parts: Iterator[Samples] | None = None
        beginning = segment if segment.opens_sentence else None
        expected_s = 1.0 + EXPECTED_S_PER_PHONEME * len(segment.phonemes)
        work_s = 0.0
        while True:
            begun = parts

            def step(begun: Iterator[Samples] | None = begun) -> tuple[Iterator[Samples], bytes, float, bool]:
                return self._step(segment, begun, renderer)

            parts, pcm, step_s, ended = await self._tools.inference.run(step, expected_s=expected_s)
            work_s += step_s
            if pcm:
                await self._emit(pcm, work_s, beginning)
                beginning, work_s = None, 0.0
            if ended:
                return

    def _step(
        self, segment: Segment, parts: Iterator[Samples] | None, renderer: Renderer
    ) -> tuple[Iterator[Samples], bytes, float, bool]:
        """Do one uninterruptible piece of work on the model's thread: the segment's next part."""
        began = self._tools.clock()
        try:
            if parts is None:
                style = self._tools.styles.style(self._voicing.voice, len(segment.phonemes))
                parts = self._tools.model.parts(encode(segment.phonemes), style, speed=self._voicing.speed)
            samples = next(parts, None)
            pcm = renderer.end() if samples is None else renderer.push(samples)
        except PrimavoceError:
            raise
        except Exception as error:
            log.exception("the model failed on a segment of %d phonemes", len(segment.phonemes))
            raise SynthesisFailed from error
        return parts, pcm, self._tools.clock() - began, samples is None

    async def _emit(self, pcm: bytes, work_s: float, segment: Segment | None) -> None:
        if not pcm:
            return
        duration_s = len(pcm) / 2 / self._voicing.sample_rate
        await self._parts_in.send(SpeechPart(pcm, duration_s, self._spoken_s, work_s, segment))
        self._spoken_s += duration_s

    @contextmanager
    def _stage(
        self, source: MemoryObjectReceiveStream[Sentence] | MemoryObjectReceiveStream[Segment],
        target: MemoryObjectSendStream[Segment] | MemoryObjectSendStream[SpeechPart],
    ) -> Iterator[None]:  # fmt: skip
        """Close both ends of a stage when it is done, and keep the error that ended it for the reader."""
        try:
            yield
        except PrimavoceError as error:
            self._error = error
        except anyio.BrokenResourceError:
            pass  # the next stage has ended, and has said why
        finally:
            source.close()
            target.close()
