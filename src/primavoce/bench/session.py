"""Our way: a session with our own server."""

import time
from collections.abc import Callable

from primavoce.bench.hearing import Heard, Hearing
from primavoce.client import SpeechSession
from primavoce.errors import SynthesisFailed

BARRIER = "Yes."
"""Spoken to its end before the next measurement: a step of the model that a cancel leaves behind is over by then."""

Clock = Callable[[], float]


async def hear(session: SpeechSession, text: str, voice: str, *, clock: Clock = time.perf_counter) -> Heard:
    """Have ``text``, which is complete, spoken to its end.

    Raises:
        SessionError: the session fails.
        SynthesisFailed: there was no sound.
    """
    hearing, began = Hearing(), clock()
    async with session.utterance(text, voice=voice) as utterance:
        async for pcm in utterance.audio():
            hearing.take(pcm, clock() - began)
    return hearing.end(clock() - began)


async def hear_first_sound(session: SpeechSession, text: str, voice: str, *, clock: Clock = time.perf_counter) -> float:
    """Return the seconds from ``text``, complete and therefore certain, to its first sound; the rest is cancelled.

    Raises:
        SessionError: the session fails.
        SynthesisFailed: there was no sound.
    """
    hearing, began = Hearing(), clock()
    async with session.utterance(text, voice=voice) as utterance:
        async for pcm in utterance.audio():
            hearing.take(pcm, clock() - began)
            if hearing.first_sound_s is not None:
                break
    if hearing.first_sound_s is None:
        raise SynthesisFailed
    await hear(session, BARRIER, voice, clock=clock)
    return hearing.first_sound_s
