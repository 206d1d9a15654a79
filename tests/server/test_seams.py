"""Audio that is made in windows, as it arrives: where they meet, nothing is heard, whatever the format and the rate."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from primavoce.synthesis.segment import Samples
from primavoce.testing.fake_engine import SAMPLE_RATE, SECONDS_PER_PHONEME, FakeModel, fake_engine
from tests.audio.test_encoders import COMBINATIONS, decoded
from tests.server.test_http import ask

pytestmark = pytest.mark.anyio

WINDOWS = 23
TEXT = "one two three four five six seven eight nine ten eleven twelve."
TONE_HZ = 437.0
STRETCH_S = 0.01
"""Longer than four periods of the tone: all stretches of it are alike."""
MOST_UNLIKE = 1.3
"""How much further two samples may lie apart in one stretch than in most: lossy formats make ripples."""


class HummingOn(FakeModel):
    """Hums one tone through all windows.

    Args:
        shift: What each window adds to the phase, radians: anything but 0 is a jump that must be seen.
    """

    def __init__(self, *, shift: float = 0.0) -> None:
        super().__init__(parts_per_segment=WINDOWS)
        self._shift = shift

    def _parts(self, ids: Sequence[int], speed: float) -> Iterator[Samples]:
        count = len(ids) * int(SECONDS_PER_PHONEME / speed * SAMPLE_RATE)
        for number, window in enumerate(np.array_split(np.arange(count) / SAMPLE_RATE, WINDOWS)):
            yield (0.4 * np.sin(2 * np.pi * TONE_HZ * window + number * self._shift)).astype(np.float32)


def unlikeness(samples: np.ndarray, rate: int) -> float:
    """Return how far apart neighbours lie in the worst of all stretches, beside the median of all."""
    inside = samples[len(samples) // 10 : -len(samples) // 10].astype(float)  # the tone begins and ends by a jump
    steps = np.abs(np.diff(inside))
    size = round(STRETCH_S * rate)
    largest = steps[: steps.size // size * size].reshape(-1, size).max(axis=1)
    return float(largest.max() / np.median(largest))


async def heard(serving, model: FakeModel, name: str, rate: int) -> np.ndarray:
    async with serving(fake_engine(model=model)) as server:
        _, _, pcm = await ask(server.address, {"text": TEXT, "format": "pcm", "sample_rate": rate})
        _, _, body = await ask(server.address, {"text": TEXT, "format": name, "sample_rate": rate})
    return decoded(name, rate, body, count=len(pcm) // 2)


@pytest.mark.parametrize(("name", "rate"), COMBINATIONS)
async def test_between_windows_nothing_jumps_that_does_not_within_them(serving, name: str, rate: int) -> None:
    samples = await heard(serving, HummingOn(), name, rate)

    assert samples.size / rate > 3
    assert unlikeness(samples, rate) < MOST_UNLIKE


@pytest.mark.parametrize(("name", "rate"), [("pcm", 24_000), ("mulaw", 8_000), ("mp3", 24_000), ("opus", 48_000)])
async def test_a_jump_would_be_seen(serving, name: str, rate: int) -> None:
    samples = await heard(serving, HummingOn(shift=1.0), name, rate)

    assert unlikeness(samples, rate) > MOST_UNLIKE
