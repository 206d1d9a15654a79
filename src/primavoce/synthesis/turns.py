"""One utterance's turns at what all share: when it may begin, how far ahead it may be, and its jobs as they are due."""

import math
from collections.abc import Callable

import anyio

from primavoce.errors import Overloaded
from primavoce.synthesis.scheduler import Stream
from primavoce.synthesis.together import Joint
from primavoce.synthesis.tools import Tools
from primavoce.synthesis.worker import Worker

ADMISSION_PERIOD_S = 0.05
"""Seconds between two looks at whether there is room: it comes of others' listening, too."""

LOOK_AGAIN_S = 0.5
"""Seconds after which an utterance that is far ahead looks again how far it may be: who leaves has no bound."""


class Turns:
    """The turns of one utterance.

    Args:
        tools: What all utterances share.
        stream: It, as the scheduler knows it.
        most_ahead_s: Tells how many seconds of audio may be made before they are heard, now.
    """

    def __init__(self, tools: Tools, stream: Stream, *, most_ahead_s: Callable[[], float] = lambda: math.inf) -> None:
        self._tools = tools
        self._stream = stream
        self._most_ahead_s = most_ahead_s

    @property
    def in_hand_s(self) -> float:
        """Seconds of audio that the listener hasn't heard, had it been played since it first came."""
        return self._stream.playback.in_hand_s(self._tools.clock())

    @property
    def begun(self) -> bool:
        """Whether there was any audio."""
        return self._stream.playback.begun

    def hand_over(self, duration_s: float) -> float:
        """Note that ``duration_s`` seconds of audio go out now, and return how many went before them."""
        before_s = self._stream.playback.handed_s
        self._tools.scheduler.hand_over(self._stream, duration_s, now=self._tools.clock())
        return before_s

    def need_nothing(self) -> None:
        """Note that there is nothing to say, or nobody to take what was said: the model is the others'."""
        self._stream.rest()

    def go_on(self) -> None:
        """Note that there is something to say again."""
        self._stream.work(now=self._tools.clock())

    async def room(self) -> None:
        """Wait until it is far enough from too far ahead, and for room among those that are being spoken.

        Raises:
            Overloaded: there is none, and nothing of this one was heard yet.
        """
        await self.not_too_far_ahead()
        # Who has begun is let go on at once, whatever has come of the machine's speed: waiting would be a gap.
        if self._stream.has_work or self.begun:
            self.go_on()
            return
        for _ in range(math.ceil(self._tools.patience_s / ADMISSION_PERIOD_S)):
            if self._has_room():
                break
            await anyio.sleep(ADMISSION_PERIOD_S)
        if not self._has_room():
            raise Overloaded(self._tools.scheduler.capacity or 0)
        self.go_on()

    async def not_too_far_ahead(self) -> None:
        """Wait until the listener has heard enough of what was made."""
        while True:
            ahead_s = self.in_hand_s - self._most_ahead_s()
            if ahead_s <= 0:
                return
            await anyio.sleep(min(ahead_s, LOOK_AGAIN_S))

    def segment_phonemes(self) -> int:
        """Return how many phonemes the next segment may have, so that nobody runs dry."""
        return int(self._tools.scheduler.segment_phonemes(self._stream, now=self._tools.clock()))

    def part_s(self) -> float:
        """Return how many seconds of audio the next part may have."""
        return self._tools.scheduler.part_s(self._stream, now=self._tools.clock())

    async def run[T](
        self, worker: Worker, job: Callable[[], T], *, expected_s: float, joint: Joint | None = None
    ) -> tuple[T, float]:
        """Do one uninterruptible piece of work in its turn.

        Args:
            worker: Does it.
            job: It.
            expected_s: How long it is likely to take.
            joint: What of it may be done together with others'.

        Returns:
            Its result, and how many seconds it took, of what was done together its share.
        """
        clock = self._tools.clock

        def timed() -> tuple[T, float]:
            began = clock()
            return job(), clock() - began

        result, took_s = await worker.run(
            timed, due_at=lambda: self._stream.due_at(clock()), expected_s=expected_s, joint=joint
        )
        return result, took_s + (0.0 if joint is None else joint.shared_s)

    def _has_room(self) -> bool:
        return self._tools.scheduler.has_room_for(self._stream, now=self._tools.clock())
