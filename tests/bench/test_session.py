"""Listening to a session, by a clock of the test's own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.session import BARRIER, hear, hear_first_sound

pytestmark = pytest.mark.anyio

SILENCE = bytes(SAMPLE_RATE // 5)  # a tenth of a second
SOUND = b"\x00\x20\x00\xe0" * (SAMPLE_RATE // 20)


class TimedSession:
    """A session whose audio comes at set times."""

    def __init__(self, *parts: tuple[float, bytes]) -> None:
        self.now_s = 100.0
        self.taken: list[str] = []
        self._parts = parts

    def clock(self) -> float:
        return self.now_s

    @asynccontextmanager
    async def utterance(self, text: str, *, voice: str) -> AsyncIterator["TimedSession"]:
        self._text, self._began_s = text, self.now_s
        yield self

    async def audio(self) -> AsyncIterator[bytes]:
        for at_s, pcm in self._parts:
            self.now_s = self._began_s + at_s
            self.taken.append(self._text)
            yield pcm


async def test_a_run_is_heard_to_its_end() -> None:
    session = TimedSession((1.0, SILENCE + SOUND), (3.0, SOUND))

    heard = await hear(session, "Good morning.", "af_heart", clock=session.clock)

    assert heard.first_audio_s == 1.0
    assert heard.first_sound_s == pytest.approx(1.1)
    assert heard.total_s == 3.0
    assert heard.audio_s == pytest.approx(0.3)


async def test_after_the_first_sound_nothing_more_is_taken() -> None:
    session = TimedSession((1.0, SILENCE), (2.0, SOUND), (9.0, SOUND))

    lag_s = await hear_first_sound(session, "Good morning.", "af_heart", clock=session.clock)

    assert lag_s == 2.0
    assert session.taken.count("Good morning.") == 2


async def test_what_a_cancel_leaves_behind_is_over_before_the_next_measurement() -> None:
    session = TimedSession((1.0, SOUND), (2.0, SOUND))

    await hear_first_sound(session, "Good morning.", "af_heart", clock=session.clock)

    assert session.taken == ["Good morning.", BARRIER, BARRIER]
