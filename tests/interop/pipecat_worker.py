"""Pipecat's own Deepgram service, unmodified, in a pipeline without a transport: three turns, the second interrupted.

Runs in an environment of Pipecat's. Prints what a listener was given of each turn, as JSON.
"""

import asyncio
import base64
import json
import sys

from loguru import logger
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    EndFrame,
    ErrorFrame,
    Frame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSAudioRawFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.deepgram.tts import DeepgramTTSService
from pipecat.workers.runner import WorkerRunner

PATIENCE_S = 20


class Listener(FrameProcessor):
    """Stands for a transport's output: hears, and says so."""

    def __init__(self) -> None:
        super().__init__()
        self.audio = bytearray()
        self.errors: list[str] = []
        self.hears = asyncio.Event()
        self.heard = asyncio.Event()
        self.interrupted = asyncio.Event()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        match frame:
            case TTSStartedFrame():
                await self.push_frame(BotStartedSpeakingFrame(), FrameDirection.UPSTREAM)
            case TTSAudioRawFrame():
                self.audio += frame.audio
                self.hears.set()
            case TTSStoppedFrame():
                await self.push_frame(BotStoppedSpeakingFrame(), FrameDirection.UPSTREAM)
                self.heard.set()
            case InterruptionFrame():
                await self.push_frame(BotStoppedSpeakingFrame(), FrameDirection.UPSTREAM)
                self.interrupted.set()
            case ErrorFrame():
                self.errors.append(frame.error)
        await self.push_frame(frame, direction)

    def forget(self) -> bytes:
        """Return what was heard, and begin anew."""
        heard = bytes(self.audio)
        self.audio.clear()
        for event in (self.hears, self.heard, self.interrupted):
            event.clear()
        return heard


async def answer(worker: PipelineWorker, text: str) -> None:
    """Have the pipeline take ``text`` as a language model's answer, a word at a time."""
    words = text.split(" ")
    tokens = [words[0], *(f" {word}" for word in words[1:])]
    await worker.queue_frames(
        [LLMFullResponseStartFrame(), *map(LLMTextFrame, tokens), LLMFullResponseEndFrame()],
    )


def told(line: str) -> asyncio.Event:
    """Return an event that is set when Pipecat's log has ``line``.

    Pipecat takes what comes for the answer that it is giving: one that began before `Cleared` is here would have the
    rest of the last one in it. Whoever interrupts takes longer than that to say something and be answered.
    """
    event = asyncio.Event()
    logger.add(lambda _: event.set(), level="TRACE", filter=lambda record: record["message"].startswith(line))
    return event


async def until(event: asyncio.Event) -> None:
    await asyncio.wait_for(event.wait(), PATIENCE_S)


async def converse(address: str, texts: list[str]) -> dict[str, object]:
    """Return what was heard of each of ``texts``; the second is interrupted when it is first heard."""
    service = DeepgramTTSService(
        api_key="none",
        base_url=address,
        sample_rate=24_000,
        settings=DeepgramTTSService.Settings(voice="af_heart"),
    )
    listener = Listener()
    worker = PipelineWorker(Pipeline([service, listener]), cancel_on_idle_timeout=False, enable_rtvi=False)
    started = asyncio.Event()
    worker.add_event_handler("on_pipeline_started", lambda *_: started.set())
    heard: list[bytes] = []
    cleared = told("Received Cleared")

    async def talk() -> None:
        await until(started)
        for number, text in enumerate(texts):
            await answer(worker, text)
            if number == 1:
                await until(listener.hears)
                await worker.queue_frame(InterruptionFrame())
                await until(listener.interrupted)
                await until(cleared)
            else:
                await until(listener.heard)
            heard.append(listener.forget())
        await worker.queue_frame(EndFrame())

    runner = WorkerRunner()
    await runner.add_workers(worker)
    await asyncio.gather(runner.run(), talk())
    return {"heard": [base64.b64encode(each).decode() for each in heard], "errors": listener.errors}


if __name__ == "__main__":
    logger.remove()
    logger.add(sys.stderr, level="WARNING")
    sys.stdout.write(json.dumps(asyncio.run(converse(sys.argv[1], sys.argv[2:]))))
