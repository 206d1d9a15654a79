"""Deltas into an utterance that is spoken in this process: the sentence stream, and the clock it lacks."""

from collections.abc import AsyncIterable

import anyio
from anyio.streams.memory import MemoryObjectSendStream

from primavoce.synthesis.speech import Speech
from primavoce.text import SentenceStream

TEXT_IDLE_S = 0.2
"""Seconds without a delta after which a sentence that is complete but for the proof is spoken."""
DELTAS_AHEAD = 16
"""Deltas that wait while the sentences before them wait for the model."""


async def feed(
    deltas: AsyncIterable[str], speech: Speech, *, language: str | None = None, idle_s: float = TEXT_IDLE_S
) -> None:
    """Say the sentences in ``deltas`` as they become certain, and finish.

    Args:
        deltas: Text in pieces of any size.
        speech: Says them.
        language: Whose rules of punctuation hold.
        idle_s: Seconds without a delta after which a sentence need not wait for proof.

    Raises:
        PrimavoceError: speaking failed.
        Exception: whatever ``deltas`` raises.
    """
    stream = SentenceStream(language)
    arriving, arrived = anyio.create_memory_object_stream[str](DELTAS_AHEAD)
    async with anyio.create_task_group() as tasks, arrived:
        tasks.start_soon(_read, deltas, arriving)
        ended = False
        while not ended:
            sentences = []
            with anyio.move_on_after(idle_s) as patience:
                try:
                    sentences = stream.push(await arrived.receive())
                except anyio.EndOfStream:
                    sentences, ended = stream.flush(), True
            if patience.cancelled_caught:
                sentences = stream.idle()
            for sentence in sentences:
                await speech.say(sentence)
    await speech.finish()


async def _read(deltas: AsyncIterable[str], arriving: MemoryObjectSendStream[str]) -> None:
    async with arriving:
        async for delta in deltas:
            await arriving.send(delta)
