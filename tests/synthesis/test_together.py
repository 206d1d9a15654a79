"""Windows of several utterances in one run, where the device gains from it."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import pytest

from primavoce.errors import SynthesisFailed
from primavoce.kokoro.runs import Run
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.segment import Rendering, RenderRequest, Samples
from primavoce.synthesis.speech import Speech
from primavoce.synthesis.together import Joint, Together
from primavoce.synthesis.tools import Voicing
from primavoce.synthesis.worker import Worker
from primavoce.testing.fake_engine import FakeG2P, FakeModel, FakeStyles
from primavoce.text import Sentence
from primavoce.voices.blend import parse_voice

pytestmark = pytest.mark.anyio

PATIENCE_S = 10
TEXT = "abcdefgh ijklm nop qrstuv wxyz abcdefgh ijklm nop qrstuv."
"""One segment, of whose two parts each lasts longer than it takes others to begin."""


@dataclass(frozen=True)
class Planned:
    """A run of so many frames."""

    frames: int


def rendering(*frames: int) -> Rendering:
    runs = [Planned(each) for each in frames]
    return Rendering([], iter(()), ahead=lambda: runs)  # type: ignore[arg-type, return-value]


def broken() -> Rendering:
    def ahead() -> Sequence[Run]:
        raise MemoryError

    return Rendering([], iter(()), ahead=ahead)


@dataclass
class Making:
    """Makes runs, and takes a second of its own clock for each call."""

    together: int = 8
    made: list[list[int]] = field(default_factory=list)
    error: Exception | None = None
    now: float = 0.0

    def make(self, runs: Sequence[Planned]) -> None:
        self.now += 1.0
        if self.error is not None:
            raise self.error
        self.made.append([run.frames for run in runs])


def together(model: Making) -> Together:
    return Together(model, lambda: model.now)  # type: ignore[arg-type]


def test_all_that_is_ahead_is_made_in_one_go_and_its_time_shared_out_by_size() -> None:
    model, joints = Making(), [Joint(rendering(10, 20)), Joint(rendering(10)), Joint(rendering())]

    together(model).make(joints)

    assert model.made == [[10, 20, 10]]
    assert [(joint.shared_s, joint.took_s) for joint in joints] == [(0.75, 1.0), (0.25, 1.0), (0.0, 1.0)]


def test_where_nothing_is_ahead_nothing_is_made() -> None:
    model = Making()

    together(model).make([Joint(rendering()), Joint(rendering())])

    assert model.made == []


def test_one_that_can_not_be_planned_keeps_nobody_from_being_made() -> None:
    model, joints = Making(), [Joint(broken()), Joint(rendering(10))]

    together(model).make(joints)

    assert model.made == [[10]]
    assert [joint.shared_s for joint in joints] == [0.0, 1.0]


def test_what_can_not_be_made_together_is_left_to_each_and_has_taken_its_time() -> None:
    model, joints = Making(error=RuntimeError("out of memory")), [Joint(rendering(10)), Joint(rendering(10))]
    making = together(model)

    limits = [making.most]
    for _ in range(4):
        making.make(joints)
        limits.append(making.most)

    assert [joint.shared_s for joint in joints] == [0.5, 0.5]
    assert limits == [8, 4, 2, 1, 1]


class Jobs:
    """Jobs of a worker that is held until all of them wait."""

    def __init__(self, most: int) -> None:
        self.worker = Worker("joined")
        self.happened: list[object] = []
        making = Making(together=most)
        making.make = lambda runs: self.happened.append(len(runs))  # type: ignore[method-assign]
        self.worker.join(together(making))
        self._let_go = threading.Event()

    async def run(self, *jobs: tuple[str, float, bool]) -> list[object]:
        """Have jobs of a name and a deadline wait, some of which can be joined, and do them."""
        began = threading.Event()

        def hold() -> None:
            began.set()
            assert self._let_go.wait(PATIENCE_S)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.worker.run, hold)
            await anyio.to_thread.run_sync(began.wait, PATIENCE_S)
            for name, due_at, joinable in jobs:
                tasks.start_soon(self._one, name, due_at, joinable)
            while len(self.worker._queue) < len(jobs):
                await anyio.lowlevel.checkpoint()
            self._let_go.set()
        self.worker.close()
        return self.happened

    async def _one(self, name: str, due_at: float, joinable: bool) -> None:
        joint = Joint(rendering(10)) if joinable else None
        await self.worker.run(lambda: self.happened.append(name), due_at=lambda: due_at, joint=joint)


async def test_jobs_that_can_be_joined_are_done_at_once_by_their_deadlines() -> None:
    done = await Jobs(3).run(("d", 4.0, True), ("a", 1.0, True), ("c", 3.0, True), ("b", 2.0, True))

    assert done == [3, "a", "b", "c", "d"]


async def test_a_job_that_can_not_be_joined_waits_for_its_own_turn() -> None:
    done = await Jobs(8).run(("alone", 2.0, False), ("a", 1.0, True), ("b", 3.0, True))

    assert done == [2, "a", "b", "alone"]


async def test_what_is_due_first_and_can_not_be_joined_is_done_by_itself() -> None:
    done = await Jobs(8).run(("alone", 1.0, False), ("a", 2.0, True), ("b", 3.0, True))

    assert done == ["alone", 2, "a", "b"]


class BatchingModel(FakeModel):
    """Hums what was made beforehand, of several at once; says how many that were."""

    together = 4  # type: ignore[assignment]

    def __init__(self, *, error: Exception | None = None) -> None:
        super().__init__(parts_per_segment=2)
        self.batches: list[int] = []
        self.error = error
        self.begun = 0
        self.worker: Worker | None = None
        self.listeners = 0

    def _wait_for(self, count: int, *, joinable: bool) -> None:
        if (worker := self.worker) is not None:
            with worker._changed:
                assert worker._changed.wait_for(
                    lambda: sum((each.joint is not None) is joinable for each in worker._queue) == count, PATIENCE_S
                )

    def render(self, request: RenderRequest) -> Rendering:
        made = super().render(request)
        self.begun += 1
        if self.begun == 1:
            self._wait_for(self.listeners - 1, joinable=False)
        if self.begun == self.listeners:  # by now the others wait for more, which they may get together
            self._wait_for(self.listeners - 1, joinable=True)
        spoken = Ahead(made.parts)
        return replace(made, parts=spoken, ahead=spoken.ahead)

    def make(self, runs: Sequence[Any]) -> None:
        self.batches.append(len(runs))
        if self.error is not None:
            raise self.error
        for spoken in runs:
            spoken.make()


class Ahead:
    """Parts that can be made before they are asked for."""

    frames = 10

    def __init__(self, parts: Iterator[Samples]) -> None:
        self._parts = parts
        self._made: list[Samples] = []

    def ahead(self) -> Sequence[Run]:
        return [self]  # type: ignore[list-item]

    def make(self) -> None:
        self._made += [part for part in [next(self._parts, None)] if part is not None]

    def __iter__(self) -> "Ahead":
        return self

    def __next__(self) -> Samples:
        return self._made.pop() if self._made else next(self._parts)


BROKEN_SPEED = 1.01


async def speak_at_once(model: FakeModel, count: int) -> list[bytes]:
    """Return the audio of as many utterances that begin together."""
    engine = Engine(load_model=lambda: model, load_g2p=FakeG2P, styles=FakeStyles())
    heard: dict[int, bytes] = {}

    async def listen(number: int) -> None:
        async with engine.speaking(Voicing(parse_voice("af_heart"), "en-us", 1.0, 24_000)) as speech:
            await speech.say(Sentence(TEXT, 0, len(TEXT), "prose"))
            await speech.finish()
            heard[number] = b"".join([part.pcm async for part in speech])

    async with engine:
        await engine.load()
        if isinstance(model, BatchingModel):
            model.worker, model.listeners = engine._inference, count
        async with anyio.create_task_group() as tasks:
            for number in range(count):
                tasks.start_soon(listen, number)
    return [heard[number] for number in range(count)]


async def test_utterances_share_runs_and_sound_as_they_do_alone() -> None:
    alone = await speak_at_once(FakeModel(parts_per_segment=2), 1)
    model = BatchingModel()

    together = await speak_at_once(model, 4)

    assert together == alone * 4
    assert max(model.batches) > 1


async def test_a_run_that_fails_for_several_ends_none_of_them() -> None:
    alone = await speak_at_once(FakeModel(parts_per_segment=2), 1)
    model = BatchingModel(error=RuntimeError("out of memory"))

    assert await speak_at_once(model, 3) == alone * 3
    assert model.batches


async def test_one_whose_part_can_not_be_made_fails_and_the_others_go_on() -> None:
    class Broken(BatchingModel):
        def render(self, request: RenderRequest) -> Rendering:
            made = super().render(request)
            if request.speed != BROKEN_SPEED:
                return made
            failing = FailingParts(next(made.parts))
            return replace(made, parts=failing, ahead=failing.ahead)

    model = Broken()
    engine = Engine(load_model=lambda: model, load_g2p=FakeG2P, styles=FakeStyles())
    ends: dict[float, str] = {}

    async def listen(speed: float) -> None:
        async with engine.speaking(Voicing(parse_voice("af_heart"), "en-us", speed, 24_000)) as speech:
            ends[speed] = await ending(speech)

    async with engine:
        await engine.load()
        model.worker, model.listeners = engine._inference, 3
        async with anyio.create_task_group() as tasks:
            for speed in (1.0, BROKEN_SPEED, 1.02):
                tasks.start_soon(listen, speed)

    assert max(model.batches) > 1
    assert ends == {1.0: "whole", BROKEN_SPEED: "failed", 1.02: "whole"}


class FailingParts:
    """All but the first can't be made, whoever asks."""

    frames = 10

    def __init__(self, first: Samples) -> None:
        self._first: Samples | None = first

    def ahead(self) -> Sequence[Run]:
        return [self]  # type: ignore[list-item]

    def make(self) -> None:
        raise RuntimeError("broken")

    def __iter__(self) -> "FailingParts":
        return self

    def __next__(self) -> Samples:
        first, self._first = self._first, None
        if first is None:
            raise RuntimeError("broken")
        return first


async def ending(speech: Speech) -> str:
    try:
        await speech.say(Sentence(TEXT, 0, len(TEXT), "prose"))
        await speech.finish()
        parts = [part async for part in speech]
    except SynthesisFailed:
        return "failed"
    return "whole" if parts else "nothing"
