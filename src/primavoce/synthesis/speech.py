"""One utterance being spoken: sentences go in, parts of audio come out, the work is done on the way.

Two stages run side by side, joined by bounded streams: the next sentences are read and pronounced while the model
works on this segment, and the model works ahead of the reader by `PARTS_AHEAD` and no more. A reader that stops
reading stops its own utterance and nobody else's: no stage holds the model while it waits for room.
"""

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from primavoce.errors import PrimavoceError, SynthesisFailed, lone_error
from primavoce.synthesis.reading import Reader, ReadSentence
from primavoce.synthesis.renderer import Renderer
from primavoce.synthesis.rendition import Rendition
from primavoce.synthesis.segment import Segment, SpeechPart
from primavoce.synthesis.segmenter import Segmenter
from primavoce.synthesis.tools import Notice, Tools, Voicing, notice_nothing
from primavoce.synthesis.turns import Turns
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
READING_EXPECTED_S = 1.0
"""A generous guess of how long a sentence is read."""
CHECK_EXPECTED_S = 10.0
"""A generous guess of how long a segment's check takes: it is spoken whole."""

log = logging.getLogger("primavoce.synthesis")


class Speech:
    """One utterance being spoken; iterate it for its `SpeechPart`s.

    It is to be had from `primavoce.synthesis.engine.Engine.speaking` and ends with that block.

    Args:
        tools: What all utterances share.
        voicing: How it is to sound.
        turns: Its turns at them.
        notice: Told of the moments on the way.
    """

    def __init__(self, tools: Tools, voicing: Voicing, turns: Turns, notice: Notice = notice_nothing) -> None:
        self._notice = notice
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
                self._notice("phonemes")
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
                self._tools.inference.run_if_idle(self._check, expected_s=CHECK_EXPECTED_S)

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
        rendition = Rendition(segment, self._tools, self._voicing, renderer, self._turns.part_s, self._notice)
        inference = self._tools.inference
        # Whoever has heard nothing yet gets the first sound in one go, not after somebody else's turn.
        hurried, checked = not self._turns.begun, self._checked
        part, unsent_s = await self._turns.run(
            inference,
            lambda: rendition.begin(checked=checked, first=hurried),
            expected_s=rendition.expected_first_s,
        )
        if rendition.check is not None:
            self._check, self._checked = rendition.check, False  # one segment is enough
        rendition.note(part, unsent_s)
        begun = ended = False
        while not ended:
            if part is None:
                joint = rendition.joint()
                part, part_s = await self._turns.run(
                    inference,
                    lambda joint=joint: rendition.next(joint),  # type: ignore[misc]
                    expected_s=rendition.expected_next_s,
                    joint=joint,
                )
                unsent_s += part_s
                rendition.note(part, part_s)
            ended = part is None
            pcm, part = rendition.end() if part is None else part.pcm, None
            if pcm:
                await self._emit(pcm, unsent_s, None if begun else rendition.beginning())
                begun, unsent_s = True, 0.0
            await self._turns.not_too_far_ahead()

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
