"""Who gets the model next, and for how long: many listeners, none of whom may run dry.

The unit is a job, a window or what must see a segment whole: it can't be interrupted. Jobs are done by earliest
deadline first (Liu and Layland 1973), a deadline being the moment at which the listener has heard everything. How long
a job may take follows from what the others have in hand. Pure: everything is told the time.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from primavoce.synthesis.pace import Pace
from primavoce.synthesis.playback import Playback

COMFORT_S = 1.0
"""Seconds in hand from which a listener can wait. Whoever has heard nothing comes before those in comfort and after all
others, however long it takes: a gap is worse than a late beginning."""
SHORT_JOB_S = 0.3
"""Seconds that any job may take, also while somebody is waited for."""
LEAST_PART_S = 0.5
"""Seconds of sound in any part while others are spoken to: a job of theirs, and the next part's own."""
SHORTEST_GAP_S = 0.01
"""Seconds of silence below which a gap is none: any sound card bridges them."""
MOST_LOAD = 0.9
"""Share of the model's time that may be promised: what is left is for what estimates miss."""
ROUNDING = 1e-9
"""Nine tenths by three tenths are three."""


class Stream:
    """An utterance that is being spoken, as the scheduler knows it."""

    def __init__(self) -> None:
        self.playback = Playback()
        self._working_since: float | None = None

    @property
    def has_work(self) -> bool:
        """Whether there is something to say that isn't made yet."""
        return self._working_since is not None

    def work(self, *, now: float) -> None:
        """Note that there is something to say."""
        if self._working_since is None:
            self._working_since = now

    def rest(self) -> None:
        """Note that there is nothing to say, or nobody to take it."""
        self._working_since = None

    def hand_over(self, duration_s: float, *, now: float) -> float:
        """Note that ``duration_s`` seconds of audio have come.

        Returns:
            Seconds that the listener has waited for them though there was something to say.
        """
        dry_at, since = self.playback.dry_at(), self._working_since
        self.playback.hand_over(duration_s, now=now)
        return 0.0 if dry_at is None or since is None else max(0.0, now - max(dry_at, since))

    def due_at(self, now: float) -> float:
        """Return the moment by which there should be more audio, as it is seen ``now``."""
        dry_at = self.playback.dry_at()
        return now + COMFORT_S if dry_at is None else dry_at

    def is_speaking(self, now: float) -> bool:
        """Whether it needs the model, or will most likely before its listener has heard everything."""
        return self.has_work or self.playback.in_hand_s(now) > 0


class Scheduler:
    """Knows all that is being spoken.

    Args:
        pace: The model's measured speed.
    """

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        """The model's measured speed."""
        self.underruns = 0
        """Gaps in what listeners heard, had they played it as it came: from when what comes next had been read, so that
        waiting for text, and for the phonemiser, doesn't count."""
        self.dry_s = 0.0
        """Seconds of them, all together."""
        self._streams: dict[Stream, None] = {}

    def __len__(self) -> int:
        return len(self._streams)

    @contextmanager
    def knowing(self, stream: Stream) -> Iterator[Stream]:
        """Have ``stream`` among the others while the block runs."""
        self._streams[stream] = None
        try:
            yield stream
        finally:
            del self._streams[stream]

    def hand_over(self, stream: Stream, duration_s: float, *, now: float) -> None:
        """Note that ``duration_s`` seconds of audio have come to the listener of ``stream``."""
        waited_s = stream.hand_over(duration_s, now=now)
        if waited_s >= SHORTEST_GAP_S:
            self.underruns += 1
            self.dry_s += waited_s

    def speaking(self, *, now: float) -> int:
        """Return how many need the model, or will before their listeners have heard everything."""
        return sum(each.is_speaking(now) for each in tuple(self._streams))

    @property
    def capacity(self) -> int | None:
        """How many utterances the model can speak at a time, one at least; None while its speed isn't known."""
        factor = self.pace.s_per_audio_s
        return None if factor is None else max(1, math.floor(MOST_LOAD / factor + ROUNDING))

    def has_room_for(self, stream: Stream, *, now: float) -> bool:
        """Whether ``stream`` can be spoken without making others run dry; those that wait for text don't count."""
        capacity = self.capacity
        return capacity is None or len(self._others(stream, now)) < capacity

    def _others(self, stream: Stream, now: float) -> list[Stream]:
        # Of a copy: streams come and go on another thread.
        return [each for each in tuple(self._streams) if each is not stream and each.is_speaking(now)]

    def job_s(self, stream: Stream, *, now: float) -> float:
        """Return how many seconds the next job of ``stream`` may take, for the others' sake; infinite without any.

        `SHORT_JOB_S` while one of them has less than `COMFORT_S` in hand, and more as they have more.
        """
        others = (other.due_at(now) - now for other in self._others(stream, now))
        return max(SHORT_JOB_S, min(others, default=math.inf) - (COMFORT_S - SHORT_JOB_S))

    def segment_phonemes(self, stream: Stream, *, now: float) -> float:
        """Return how many phonemes the next segment of ``stream`` may have, so that neither it nor others run dry."""
        work_s = min(self.pace.share_of(stream.playback.in_hand_s(now)), self.job_s(stream, now=now))
        return self.pace.phonemes_within(work_s)

    def part_s(self, stream: Stream, *, now: float) -> float:
        """Return how many seconds of audio the next part of ``stream`` may have.

        As many as its own listener has in hand, who is streamed to faster than that; and as the others have time for.
        Among others it has `LEAST_PART_S` at least, for one of them is served before the next, unless that would take
        longer than the others can wait.
        """
        in_hand_s = max(0.0, stream.playback.in_hand_s(now))
        if self._others(stream, now):
            in_hand_s = max(LEAST_PART_S, in_hand_s)
        return min(in_hand_s, self.pace.audio_within(self.job_s(stream, now=now)))
