"""A session that is spoken to all the time: an agent writes, a listener hears it out, and the next answer follows."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import anyio

from primavoce.bench.listener import Listener
from primavoce.bench.writing import TOKENS_PER_S, Clock, Sleep, write
from primavoce.client import SpeechSession
from primavoce.errors import Overloaded, RequestFailed, SynthesisFailed
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import SegmentSpoken
from primavoce.voices.blend import Blend

RETRY_S = 1.0
"""Seconds that somebody who was refused waits before the next try."""


@dataclass(slots=True)
class Conversation:
    """What came of one session's answers."""

    listeners: list[Listener] = field(default_factory=list)
    """Of each answer that was begun, refused ones too."""
    refused: int = 0


async def converse(
    address: str,
    answers: Iterator[str],
    conversation: Conversation,
    *,
    voice: Blend,
    until_s: float,
    tokens_per_s: float = TOKENS_PER_S,
    clock: Clock = time.perf_counter,
    sleep: Sleep = anyio.sleep,
) -> None:
    """Have one answer after another spoken; none begins after ``until_s``, and all that were begun are heard out.

    Args:
        address: The server's.
        answers: What the agent writes.
        conversation: Told what comes of it.
        voice: The one that speaks.
        until_s: On the same clock as ``clock``.
        tokens_per_s: The agent's rate.
        clock: Seconds.
        sleep: Waits for a number of seconds.

    Raises:
        SessionError: the server fails otherwise than by refusing.
        SynthesisFailed: there was no sound.
    """

    async def wait_for(at_s: float) -> None:
        await sleep(max(0.0, min(at_s, until_s) - clock()))

    while clock() < until_s:
        # A refusal may end the session, too: then the next try has a new one.
        async with SpeechSession(address) as session:
            while clock() < until_s and session.failure is None:
                listener = Listener()
                conversation.listeners.append(listener)
                deltas = write(
                    next(answers), listener.know, language=voice.language, tokens_per_s=tokens_per_s, clock=clock,
                    sleep=sleep,
                )  # fmt: skip
                try:
                    async with session.utterance(deltas, voice=voice.name, events=["segments"]) as utterance:
                        async for event in utterance:
                            if isinstance(event, SegmentSpoken):
                                listener.expect(event.start)
                            elif isinstance(event, Audio):
                                listener.take(event.pcm, clock())
                except RequestFailed as error:
                    if error.code != Overloaded.code:
                        raise
                    conversation.refused += 1
                    await wait_for(clock() + RETRY_S)
                    continue
                if listener.first_sound_s is None or listener.dry_at_s is None:
                    raise SynthesisFailed
                await wait_for(listener.dry_at_s)
