"""The longest callback of an event loop."""

import asyncio
import functools

import anyio
import pytest

from primavoce.bench.loop_meter import Longest, LoopMeter, metered, name_of


def some_function() -> None:
    """Do nothing."""


def test_the_longest_is_kept_with_its_name_and_all_are_counted() -> None:
    meter = LoopMeter()

    meter.note(0.001, "short")
    meter.note(0.02, some_function)
    meter.note(0.003, "short")

    assert meter.take() == Longest(0.02, "some_function", 3)


def test_who_asks_again_is_told_what_came_since() -> None:
    meter = LoopMeter()
    meter.note(0.02, some_function)
    meter.take()

    meter.note(0.001, some_function)

    assert meter.take() == Longest(0.001, "some_function", 1)
    assert meter.take() == Longest(0.0, "", 0)


def test_what_has_no_name_is_called_by_its_type() -> None:
    assert name_of(functools.partial(some_function)) == "partial"


class Step:
    """Bound to a task, as asyncio's own callbacks are."""

    def __init__(self, task: asyncio.Task) -> None:
        self.__self__ = task


@pytest.mark.anyio
async def test_a_step_of_a_task_is_called_by_its_coroutine_or_by_the_name_it_was_given() -> None:
    async def step() -> None:
        await asyncio.sleep(0)

    tasks = asyncio.create_task(step()), asyncio.create_task(step(), name="reading")
    plain, named = (name_of(Step(task)) for task in tasks)
    await asyncio.gather(*tasks)

    assert plain.endswith("step")
    assert named == "reading"


def test_every_callback_is_measured_by_the_clock_while_the_block_runs() -> None:
    meter, ticks = LoopMeter(), iter(range(1_000_000))

    async def slow() -> None:
        for _ in range(100):
            next(ticks)
        await asyncio.sleep(0)

    async def quick() -> None:
        await asyncio.sleep(0)

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(quick)
            tasks.start_soon(slow)

    with metered(meter, clock=lambda: float(next(ticks))):
        anyio.run(run)
    found = meter.take()
    anyio.run(run)

    assert found.longest_callback_cpu_s == 101.0
    assert found.callback.endswith("slow")
    assert found.callbacks > 3
    assert meter.take().callbacks == 0
