"""A model that costs nothing, so that what is left of an utterance's time is everything else."""

import numpy as np

from primavoce.synthesis.segment import Rendering, RenderRequest
from primavoce.testing.fake_engine import SAMPLE_RATE, SECONDS_PER_PHONEME, FakeModel
from primavoce.text.segments import HARD_LIMIT

SLOWEST = 0.5
"""The least speed that may be asked for."""
PITCH_HZ = 220.0


class InstantModel(FakeModel):
    """Hands out as much as is asked for of a tone that was made before."""

    def __init__(self) -> None:
        super().__init__()
        count = round(HARD_LIMIT * SECONDS_PER_PHONEME / SLOWEST * SAMPLE_RATE)
        time_s = np.arange(count, dtype=np.float32) / SAMPLE_RATE
        self._tone = (0.25 * np.sin(2 * np.pi * PITCH_HZ * time_s)).astype(np.float32)

    def render(self, request: RenderRequest) -> Rendering:
        """Begin a segment that is as long as its ids are many, in one part."""
        count, each_s = len(request.ids), SECONDS_PER_PHONEME / request.speed
        samples = self._tone[: round(count * each_s * SAMPLE_RATE)]
        return Rendering([0.0, *[each_s] * count, 0.0], iter([samples]), whole=True)
