"""A model, its listeners and their texts in virtual time, for tests of who gets the model when.

It does what `primavoce.synthesis.speech` does: a segment is begun, which must see all of it, and made in windows; after
each job the model is given to whoever is due first. Costs are those that were measured on two cores.
"""

import heapq
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from primavoce.kokoro.windows import FRAMES_A_SECOND, windows
from primavoce.synthesis.pace import Pace
from primavoce.synthesis.scheduler import Scheduler, Stream

S_PER_PHONEME = 0.07
"""Seconds of speech."""
LEAD_FRAMES = 26
KEPT_FRAMES = 3
LEAST_SEGMENT = 60
"""Phonemes that a segment may have however little is in hand, as `primavoce.text.segments` has it."""
MOST_SEGMENT = 250
LISTENED_S = 30.0
"""Audio ahead of the listener at which nothing more is made."""

type Moment = float


@dataclass(frozen=True)
class Job:
    """Something uninterruptible for the model."""

    work_s: float


@dataclass(frozen=True)
class Costs:
    """Seconds of work on two cores without VNNI's help for fp32, and how much faster the device is."""

    faster: float = 1.0
    noise: float = 0.1

    def begin_s(self, phonemes: int, chance: random.Random) -> float:
        return (0.03 + 0.0029 * phonemes) / self.faster * chance.uniform(1 - self.noise, 1 + self.noise)

    def window_s(self, frames: int, chance: random.Random) -> float:
        return (0.034 + 0.0019 * frames) / self.faster * chance.uniform(1 - self.noise, 1 + self.noise)


@dataclass
class Listener:
    """One utterance, and what became of it."""

    texts: Sequence[tuple[Moment, int]]
    """When a sentence is certain, and its phonemes; in order."""
    leaves_at: Moment = float("inf")
    """When it barges in, or goes."""
    stream: Stream | None = None
    first_sound_s: float | None = None
    gaps_s: list[float] = field(default_factory=list)
    """How long the listener waited for the model each time, the text having been there."""
    most_ahead_s: float = 0.0
    longest_job_s: float = 0.0
    refused: bool = False
    made_after_leaving: int = 0

    @property
    def asks_at(self) -> Moment:
        return self.texts[0][0]


class Simulation:
    """Runs listeners until all are served."""

    def __init__(self, listeners: Sequence[Listener], *, costs: Costs | None = None, seed: int = 1) -> None:
        self.costs = costs or Costs()
        self.chance = random.Random(seed)
        self.pace = Pace()
        # As a model is tried when it is loaded.
        tried_s = self.costs.begin_s(6, self.chance) + sum(self.costs.window_s(each, self.chance) for each in (42, 30))
        self.pace.note_segment(72 / FRAMES_A_SECOND, tried_s)
        self.scheduler = Scheduler(self.pace)
        self.listeners = sorted(listeners, key=lambda each: each.asks_at)
        self.now = 0.0
        self.busy_s = 0.0
        self.most_at_once = 0

    def run(self) -> "Simulation":
        later = [(each.asks_at, number, each, None) for number, each in enumerate(self.listeners)]
        heapq.heapify(later)  # type: ignore[type-var]
        order = itertools.count(len(later))
        ready: list[tuple[int, Listener, Iterator[Job | Moment], float]] = []

        def proceed(listener: Listener, jobs: Iterator[Job | Moment]) -> None:
            step = next(jobs, None)
            if isinstance(step, Job):
                ready.append((next(order), listener, jobs, step.work_s))
            elif step is not None:
                heapq.heappush(later, (step, next(order), listener, jobs))  # type: ignore[misc]

        while later or ready:
            if not ready:
                self.now = max(self.now, later[0][0])
            while later and later[0][0] <= self.now:
                _, _, listener, jobs = heapq.heappop(later)
                proceed(listener, jobs or self._spoken(listener))
            if not ready:
                continue
            turn = min(ready, key=lambda each: (each[1].stream.due_at(self.now), each[0]))  # type: ignore[union-attr]
            ready.remove(turn)
            _, listener, jobs, work_s = turn
            if listener.leaves_at <= self.now:
                jobs.close()  # type: ignore[attr-defined]
                continue
            self._check_job(listener, work_s)
            self.now += work_s
            self.busy_s += work_s
            proceed(listener, jobs)
        return self

    def _check_job(self, listener: Listener, work_s: float) -> None:
        others = (each.due_at(self.now) - self.now for each in self.scheduler._streams if each is not listener.stream)
        if min(others, default=9.0) < 1.0:
            listener.longest_job_s = max(listener.longest_job_s, work_s)

    def _spoken(self, listener: Listener) -> Iterator[Job | Moment]:
        stream = Stream()
        if not self.scheduler.has_room_for(stream, now=self.now):
            listener.refused = True
            return
        with self.scheduler.knowing(stream):
            listener.stream = stream
            self.most_at_once = max(self.most_at_once, len(self.scheduler))
            yield from self._sentences(listener, stream)

    def _sentences(self, listener: Listener, stream: Stream) -> Iterator[Job | Moment]:
        for certain_at, phonemes in listener.texts:
            if certain_at > self.now:
                stream.rest()
                yield certain_at
            stream.work(now=self.now)
            left = phonemes
            while left:
                budget = int(self.scheduler.segment_phonemes(stream, now=self.now))
                size = LEAST_SEGMENT if not stream.playback.begun else max(LEAST_SEGMENT, min(MOST_SEGMENT, budget))
                taken = left if left <= 1.2 * size else size
                left -= taken
                yield from self._segment(listener, stream, taken, certain_at)
                yield from self._ahead(stream)

    def _ahead(self, stream: Stream) -> Iterator[Moment]:
        if (ahead_s := stream.playback.in_hand_s(self.now) - LISTENED_S) > 0:
            yield self.now + ahead_s

    def _segment(self, listener: Listener, stream: Stream, phonemes: int, certain_at: Moment) -> Iterator[Job | Moment]:
        begin_s = self.costs.begin_s(phonemes, self.chance)
        hurried = not stream.playback.begun
        if not hurried:
            yield Job(begin_s)
        frames = round(phonemes * S_PER_PHONEME * FRAMES_A_SECOND)
        work_s, heard_s = begin_s, 0.0
        planned = windows(
            frames,
            lead=LEAD_FRAMES,
            affordable=lambda: int(self.scheduler.part_s(stream, now=self.now) * FRAMES_A_SECOND),
        )
        for number, window in enumerate(planned):
            size = window.end - window.start
            window_s = self.costs.window_s(size, self.chance)
            yield Job(window_s + begin_s if hurried else window_s)
            hurried = False
            work_s += window_s
            # Silence before the first sound is trimmed.
            audio_s = (size - LEAD_FRAMES + KEPT_FRAMES if number == 0 else size) / FRAMES_A_SECOND
            heard_s += audio_s
            self.pace.note_part(audio_s, window_s)
            if number == 0:
                self.pace.note_first(phonemes, work_s)
            self._hand_over(listener, stream, audio_s, certain_at)
            yield from self._ahead(stream)
        self.pace.note_segment(heard_s, work_s)

    def _hand_over(self, listener: Listener, stream: Stream, audio_s: float, certain_at: Moment) -> None:
        if self.now >= listener.leaves_at:
            listener.made_after_leaving += 1
        dry_at = stream.playback.dry_at()
        if dry_at is None:
            listener.first_sound_s = self.now - listener.asks_at
        elif self.now > max(dry_at, certain_at):
            listener.gaps_s.append(self.now - max(dry_at, certain_at))
        stream.playback.hand_over(audio_s, now=self.now)
        listener.most_ahead_s = max(listener.most_ahead_s, stream.playback.in_hand_s(self.now))


def agent_text(
    asks_at: Moment, seconds: float, chance: random.Random, *, tokens_a_second: float = 30.0
) -> list[tuple[Moment, int]]:
    """Return sentences of an answer that an agent writes: about four phonemes a token, as long as ``seconds``."""
    texts: list[tuple[Moment, int]] = []
    written, spoken = asks_at, 0.0
    while spoken < seconds:
        phonemes = chance.randint(25, 140)
        texts.append((written, phonemes))
        written += phonemes / 4 / tokens_a_second
        spoken += phonemes * S_PER_PHONEME
    return texts
