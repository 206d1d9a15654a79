"""The longest callback of an event loop: for so long it can do nothing for anybody else."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from primavoce.bench.tail import NANO_DIGITS

UNNAMED = "Task-"
"""What asyncio's own names of tasks begin with."""


@dataclass(frozen=True, slots=True)
class Longest:
    """What an event loop has done."""

    longest_callback_cpu_s: float
    """Seconds of the loop's own thread: time in which others had the processor, or the interpreter, isn't its fault."""
    callback: str
    """Whose it was: a coroutine's step, or a function."""
    callbacks: int
    """How many there were."""


class LoopMeter:
    """Keeps the longest callback."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._cpu_s, self._name, self._count = 0.0, "", 0

    def note(self, cpu_s: float, callback: object) -> None:
        """Note that ``callback`` took ``cpu_s`` seconds."""
        self._count += 1
        if cpu_s > self._cpu_s:
            self._cpu_s, self._name = cpu_s, name_of(callback)

    def take(self) -> Longest:
        """Return what was noted, and begin afresh."""
        found = Longest(round(self._cpu_s, NANO_DIGITS), self._name, self._count)
        self._begin()
        return found


def name_of(callback: object) -> str:
    """Return whose ``callback`` is: for a step of a task, the task's or its coroutine's."""
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task) and not owner.get_name().startswith(UNNAMED):
        return owner.get_name()
    named = owner.get_coro() if isinstance(owner, asyncio.Task) else callback
    return str(getattr(named, "__qualname__", type(named).__qualname__))


@contextmanager
def metered(meter: LoopMeter, *, clock: Callable[[], float] = time.thread_time) -> Iterator[None]:
    """Tell ``meter`` of every callback of every event loop in this process while the block runs.

    asyncio has no public place for that: debug mode measures too, but by the wall's clock, and slows everything down.
    """
    run = asyncio.Handle._run  # noqa: SLF001 - see above

    def timed(handle: asyncio.Handle) -> None:
        callback = handle._callback  # type: ignore[attr-defined]  # noqa: SLF001 - gone once it has run
        began = clock()
        run(handle)
        meter.note(clock() - began, callback)

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]  # noqa: SLF001 - see above
    try:
        yield
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]  # noqa: SLF001 - see above
