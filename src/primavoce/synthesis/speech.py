"""One utterance being spoken: sentences go in, parts of audio come out, the work is done on the way.

Two stages run side by side, joined by bounded streams: the next sentences are read and pronounced while the model
works on this segment, and the model works ahead of the reader by `PARTS_AHEAD` and no more. A reader that stops
reading stops its own utterance and nobody else's: no stage holds the model while it waits for room.
"""

import logging
import math
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from primavoce.errors import PrimavoceError, SynthesisFailed, lone_error
from primavoce.phonemes.alphabet import encode
from primavoce.synthesis.reading import Reader, ReadSentence
from primavoce.synthesis.renderer import Renderer
from primavoce.synthesis.segment import Rendering, Segment, SpeechPart
from primavoce.synthesis.segmenter import Segmenter
from primavoce.synthesis.tools import Tools, Voicing
from primavoce.synthesis.turns import Turns
from primavoce.synthesis.word_times import without_silence, word_times
from primavoce.text import Sentence
from primavoce.text.segments import Hold
from primavoce.text.timing import SegmentTime

SENTENCES_AHEAD = 4
"""Sentences that wait to be read; whoever says one more waits."""
READ_AHEAD = 4
"""Sentences that were read and wait to be spoken, besides those that a segment may be made of."""
SENTENCES_JOINED = 8
"""Sentences that a segment may be made of, at most."""
PARTS_AHEAD = 2
"""Parts of audio that wait for the reader."""
DURATION_TOLERANCE_S = 0.001
READING_EXPECTED_S = 1.0
"""A generous guess of how long a sentence is read."""
EXPECTED_S_PER_PHONEME = 0.1
"""A generous guess of the model's work, by which a stuck one is told from a slow one."""

log = logging.getLogger("primavoce.synthesis")


@dataclass(frozen=True, slots=True)
class _Part:
    """What came of one part."""

    pcm: bytes
    """May be empty: silence is held back."""
    made_s: float
    """Seconds of audio that the model made, silence included."""
    work_s: float
    """Seconds that it took."""


class Speech:
    """One utterance being spoken; iterate it for its `SpeechPart`s.

    It is to be had from `primavoce.synthesis.engine.Engine.speaking` and ends with that block.

    Args:
        tools: What all utterances share.
        voicing: How it is to sound.
        turns: Its turns at them.
    """

    def __init__(self, tools: Tools, voicing: Voicing, turns: Turns) -> None:
        self._tools = tools
        self._voicing = voicing
        self._turns = turns
        self._sentences_in, self._sentences = anyio.create_memory_object_stream[Sentence](SENTENCES_AHEAD)
        self._read_in, self._read = anyio.create_memory_object_stream[ReadSentence](READ_AHEAD)
        self._parts_in, self._parts = anyio.create_memory_object_stream[SpeechPart](PARTS_AHEAD)
        self._error: PrimavoceError | None = None
        self._checked = tools.checks.due()
        self._check: Callable[[], None] | None = None

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
            self._sentences_in, self._sentences, self._read_in, self._read, self._parts_in, self._parts,
        )  # fmt: skip
        try:
            with lone_error():
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._read_sentences)
                    tasks.start_soon(self._make_audio)
                    yield self
                    tasks.cancel_scope.cancel()
        finally:
            for end in ends:
                end.close()

    async def _read_sentences(self) -> None:
        with self._stage(self._sentences, self._read_in):
            reader = Reader(self._tools.g2p, self._voicing.language, self._voicing.reading)
            async for sentence in self._sentences:
                read, _ = await self._turns.run(
                    self._tools.phonemes,
                    lambda sentence=sentence: reader.read(sentence),  # type: ignore[misc]
                    expected_s=READING_EXPECTED_S,
                )
                await self._read_in.send(read)

    async def _make_audio(self) -> None:
        with self._stage(self._read, self._parts_in):
            renderer = Renderer(model_rate=self._tools.model.sample_rate, sample_rate=self._voicing.sample_rate)
            segmenter = Segmenter(self._tools.policy)
            async for segment in self._segments(segmenter):
                await self._speak(segment, renderer)
            await self._emit(renderer.pause(segmenter.rest_s) + renderer.flush(), 0.0, None)
            self._turns.need_nothing()
            if self._check is not None and len(self._tools.scheduler) == 1:
                self._tools.inference.run_if_idle(self._check)

    async def _segments(self, segmenter: Segmenter) -> AsyncIterator[Segment]:
        """Yield segments, each planned when the one before it is made."""
        more = True
        while more or segmenter.waiting:
            more = more and await self._take_read(segmenter, patience_s=None if not segmenter.waiting else 0.0)
            if not segmenter.waiting:
                continue
            await self._turns.room()
            in_hand_s = self._turns.in_hand_s
            plan = segmenter.next(in_hand_s=in_hand_s, budget=self._turns.segment_phonemes(), more=more)
            if isinstance(plan, Hold):
                more = await self._take_read(segmenter, patience_s=in_hand_s - plan.until_in_hand_s)
            else:
                yield plan

    async def _take_read(self, segmenter: Segmenter, *, patience_s: float | None) -> bool:
        """Hand over what has been read; say whether more may come.

        Args:
            segmenter: Gets it.
            patience_s: How long to wait for a first sentence; None for as long as it takes.
        """
        try:
            if patience_s is None:
                self._turns.need_nothing()
            if patience_s is None or patience_s > 0:
                with anyio.move_on_after(patience_s):
                    segmenter.push(await self._read.receive())
            while segmenter.waiting < SENTENCES_JOINED:
                segmenter.push(self._read.receive_nowait())
        except anyio.WouldBlock:
            pass
        except anyio.EndOfStream:
            return False
        return True

    async def _speak(self, segment: Segment, renderer: Renderer) -> None:
        renderer.begin(pause_before_s=segment.pause_before_s)
        expected_s = 1.0 + EXPECTED_S_PER_PHONEME * len(segment.phonemes)
        pace = self._tools.scheduler.pace
        # Whoever has heard nothing yet gets the first sound in one go, not after somebody else's turn.
        hurried = not self._turns.begun
        (rendering, part), unsent_s = await self._turns.run(
            self._tools.inference, lambda: self._begin(segment, renderer, hurried=hurried), expected_s=expected_s
        )
        work_s, until_s, made_s, heard_s = unsent_s, 0.0, 0.0, 0.0
        begun = ended = False
        while not ended:
            if part is None:
                part, part_s = await self._turns.run(
                    self._tools.inference, lambda: self._next(segment, rendering, renderer), expected_s=expected_s
                )
                unsent_s += part_s
                work_s += part_s
            if part is not None and not rendering.repeated:
                pace.note_part(part.made_s, part.work_s)
                if not made_s:
                    pace.note_first(len(segment.phonemes), work_s)
                made_s += part.made_s
            with _told(segment):
                pcm = renderer.end(until_s=until_s) if part is None else part.pcm
            ended, part = part is None, None
            heard_s += len(pcm) / 2 / self._voicing.sample_rate
            if pcm:
                beginning = None if begun else self._beginning(segment, rendering, renderer)
                if beginning is not None and beginning.words:
                    until_s = beginning.words[-1].end_s  # was told: it has to hold
                await self._emit(pcm, unsent_s, beginning)
                begun, unsent_s = True, 0.0
            await self._turns.not_too_far_ahead()
        if not rendering.repeated:
            pace.note_segment(heard_s, work_s)

    def _begin(self, segment: Segment, renderer: Renderer, *, hurried: bool) -> "tuple[Rendering, _Part | None]":
        with _told(segment):
            style = self._tools.styles.style(self._voicing.voice, len(segment.phonemes))
            rendering = self._tools.model.render(
                encode(segment.phonemes),
                style,
                voice=self._voicing.voice.name,
                speed=self._voicing.speed,
                owner=self._voicing.owner,
                part_s=self._turns.part_s,
                checked=self._checked,
            )
        if rendering.check is not None:
            self._check, self._checked = rendering.check, False  # one segment is enough
        return rendering, self._next(segment, rendering, renderer) if hurried else None

    def _next(self, segment: Segment, rendering: Rendering, renderer: Renderer) -> "_Part | None":
        began = self._tools.clock()
        with _told(segment):
            samples = next(rendering.parts, None)
            if samples is None:
                return None
            pcm = renderer.push(samples)
        return _Part(pcm, samples.size / self._tools.model.sample_rate, self._tools.clock() - began)

    def _beginning(self, segment: Segment, rendering: Rendering, renderer: Renderer) -> SegmentTime:
        """Return what is known of a segment once its sound begins."""
        # Where the sound ends is known once all of it is there; of a segment in parts, it isn't yet.
        whole = renderer.pushed_s >= sum(rendering.durations_s) - DURATION_TOLERANCE_S
        words = word_times(
            segment.words,
            rendering.durations_s if whole else without_silence(segment, rendering.durations_s),
            origin_s=renderer.origin_s,
            from_s=renderer.sound_begins_s,
            until_s=renderer.sound_ends_s if whole else math.inf,
        )
        return SegmentTime(segment.start, segment.end, renderer.sound_begins_s, words)

    async def _emit(self, pcm: bytes, work_s: float, segment: SegmentTime | None) -> None:
        if not pcm:
            return
        duration_s = len(pcm) / 2 / self._voicing.sample_rate
        start_s = self._turns.hand_over(duration_s)
        part = SpeechPart(pcm, duration_s, start_s, work_s, segment)
        try:
            self._parts_in.send_nowait(part)
        except anyio.WouldBlock:
            # A reader who has stopped must not hurry the others, nor take room, once everything was heard.
            self._turns.need_nothing()
            await self._parts_in.send(part)
            self._turns.go_on()

    @contextmanager
    def _stage(
        self, source: MemoryObjectReceiveStream[Sentence] | MemoryObjectReceiveStream[ReadSentence],
        target: MemoryObjectSendStream[ReadSentence] | MemoryObjectSendStream[SpeechPart],
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


@contextmanager
def _told(segment: Segment) -> Iterator[None]:
    """Tell the log what the model's errors are, and nobody else."""
    try:
        yield
    except PrimavoceError:
        raise
    except Exception as error:
        log.exception("the model failed on a segment of %d phonemes", len(segment.phonemes))
        raise SynthesisFailed from error
