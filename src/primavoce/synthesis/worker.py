"""One thread for blocking work, in the order of its deadlines, and what can be told of it from outside."""

import asyncio
import logging
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from primavoce.synthesis.together import Joint, Together

Clock = Callable[[], float]

FOLLOW_UP_S = 0.005
"""How long the thread waits for the next job of whoever it has just served, while others wait: an event loop that isn't
busy says it within a millisecond."""
LEAST_EXPECTED_S = 1.0
"""A job isn't expected to take less: an interpreter that collects its garbage, or a neighbour on the machine, takes
tenths of a second now and then."""

log = logging.getLogger("primavoce.synthesis")


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A job in the queue."""

    due_at: Callable[[], float]
    expected_s: float
    job: Callable[[], Any]
    future: Future[Any]
    joint: Joint | None


def _at_once() -> float:
    return -math.inf


class Worker:
    """Runs blocking jobs one at a time, the one that is due first before the others, on one thread of its own.

    The thread is the lock: what runs on it needs none, and a caller that is cancelled can't let a second job in
    beside the one that it leaves running. A job that has begun can't be interrupted, only outlived.

    Args:
        name: The thread's name.
        clock: Monotonic seconds.
    """

    def __init__(self, name: str, *, clock: Clock = time.monotonic) -> None:
        self.busy_s = 0.0
        """Seconds that it has worked."""
        self._together: Together | None = None
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._clock = clock
        self._changed = threading.Condition()
        self._queue: list[_Waiting] = []
        self._unfinished = 0
        self._running: tuple[float, float] | None = None  # since when, and for how long that is likely to take
        self._asked = 0  # jobs, ever
        self._asked_by_then: int | None = None  # when the last one was done, if others waited

    def join(self, together: Together) -> None:
        """Have jobs that can be joined done one after another, once what they share was made ``together``."""
        self._together = together

    async def run[T](
        self,
        job: Callable[[], T],
        *,
        due_at: Callable[[], float] = _at_once,
        expected_s: float = 0.0,
        joint: Joint | None = None,
    ) -> T:
        """Run ``job`` in its turn and return its result.

        Cancelling the caller withdraws a job that has not begun, and abandons the result of one that has.

        Args:
            job: Blocking, without arguments.
            due_at: Tells when its result is needed, on a clock that all callers share; asked when the thread is free.
                Those that are due at the same time are done as they came.
            expected_s: How long it is likely to take, for `lateness`.
            joint: What can be done beforehand together with others', where something is gained from it.

        Raises:
            Exception: whatever the job raises.
        """
        return await asyncio.wrap_future(self._submit(job, due_at, expected_s, joint))

    def run_if_idle(self, job: Callable[[], None], *, expected_s: float) -> bool:
        """Have ``job`` run unless another is running or waits; nobody gets its result, and an error of it is logged.

        Args:
            job: Blocking, without arguments.
            expected_s: How long it is likely to take, for `lateness`.

        Returns:
            Whether it will run.
        """
        if self._unfinished:
            return False
        self._submit(job, _at_once, expected_s).add_done_callback(_log_error)
        return True

    def lateness(self) -> float:
        """Return how many times as long as expected, or as `LEAST_EXPECTED_S`, the running job has taken; 0: none."""
        running = self._running
        return 0.0 if running is None else (self._clock() - running[0]) / max(LEAST_EXPECTED_S, running[1])

    def close(self) -> None:
        """Withdraw what has not begun; a running job ends by itself."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        with self._changed:
            withdrawn, self._queue = self._queue, []
        for waiting in withdrawn:
            waiting.future.cancel()

    def _submit[T](
        self, job: Callable[[], T], due_at: Callable[[], float], expected_s: float, joint: Joint | None = None
    ) -> Future[T]:
        future: Future[T] = Future()
        with self._changed:
            self._queue.append(_Waiting(due_at, expected_s, job, future, joint))
            self._unfinished += 1
            self._asked += 1
            self._changed.notify()
        future.add_done_callback(self._done)
        # One call of the thread for each job in the queue: which one it does is decided when it is free.
        self._executor.submit(self._do_next)
        return future

    def _done(self, _: Future[Any]) -> None:
        with self._changed:  # on whichever thread ends it
            self._unfinished -= 1

    def _do_next(self) -> None:
        with self._changed:
            if self._asked_by_then == self._asked:
                # Who was served a moment ago may be due before all who wait, and is about to say so.
                self._changed.wait(FOLLOW_UP_S)
            self._asked_by_then = None
            chosen = self._choose()
        chosen = [waiting for waiting in chosen if waiting.future.set_running_or_notify_cancel()]
        if not chosen:
            return
        self._running = self._clock(), sum(waiting.expected_s for waiting in chosen)
        if len(chosen) > 1 and self._together is not None:
            self._together.make([waiting.joint for waiting in chosen if waiting.joint is not None])
        for number, waiting in enumerate(chosen, 1):
            result, error = _outcome(waiting.job)
            if number == len(chosen):
                self._finish()  # before its caller can ask for more
            if error is None:
                waiting.future.set_result(result)
            else:
                waiting.future.set_exception(error)

    def _choose(self) -> list[_Waiting]:
        """Take the job that is due first off the queue, and those that can be joined to it."""
        if not self._queue:
            return []
        due = sorted(self._queue, key=lambda each: each.due_at())
        first, *others = due
        joined = [each for each in others if each.joint is not None] if first.joint is not None else []
        chosen = [first, *joined[: (1 if self._together is None else self._together.most) - 1]]
        for each in chosen:
            self._queue.remove(each)
        return chosen

    def _finish(self) -> None:
        with self._changed:
            if self._running is not None:
                self.busy_s += self._clock() - self._running[0]
            self._running = None
            others_wait = any(not each.future.cancelled() for each in self._queue)
            self._asked_by_then = self._asked if others_wait else None


def _outcome(job: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return job(), None
    except BaseException as error:  # noqa: BLE001 - it is the caller's
        return None, error


def _log_error(future: Future[None]) -> None:
    if not future.cancelled() and (error := future.exception()) is not None:
        log.error("a job that nobody waits for failed", exc_info=error)
