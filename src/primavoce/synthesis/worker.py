"""One thread for blocking work, and what can be told of it from outside."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

Clock = Callable[[], float]

IDLE_JOB_EXPECTED_S = 60.0
"""How long a job that nobody waits for is likely to take: the longest segment, spoken whole on a slow machine."""

log = logging.getLogger("primavoce.synthesis")


class Worker:
    """Runs blocking jobs one at a time, first come first served, on one thread of its own.

    The thread is the lock: what runs on it needs none, and a caller that is cancelled can't let a second job in
    beside the one that it leaves running. A job that has begun can't be interrupted, only outlived.

    Args:
        name: The thread's name.
        clock: Monotonic seconds.
    """

    def __init__(self, name: str, *, clock: Clock = time.monotonic) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._clock = clock
        self._counting = threading.Lock()
        self._waiting = 0
        self._busy_since: float | None = None
        self._expected_s = 0.0

    async def run[T](self, job: Callable[[], T], *, expected_s: float = 0.0) -> T:
        """Run ``job`` in its turn and return its result.

        Cancelling the caller withdraws a job that has not begun, and abandons the result of one that has.

        Args:
            job: Blocking, without arguments.
            expected_s: How long it is likely to take, for `overdue_s`.

        Raises:
            Exception: whatever the job raises.
        """
        return await asyncio.wrap_future(self._submit(job, expected_s))

    def run_if_idle(self, job: Callable[[], None], *, expected_s: float = IDLE_JOB_EXPECTED_S) -> bool:
        """Have ``job`` run unless another is running or waits; nobody gets its result, and an error of it is logged.

        Args:
            job: Blocking, without arguments.
            expected_s: How long it is likely to take, for `overdue_s`.

        Returns:
            Whether it will run.
        """
        if self._waiting:
            return False
        self._submit(job, expected_s).add_done_callback(_log_error)
        return True

    def overdue_s(self) -> float:
        """Return by how many seconds the running job has outlived its expectation; 0 when none has."""
        since = self._busy_since
        return 0.0 if since is None else max(0.0, self._clock() - since - self._expected_s)

    def close(self) -> None:
        """Withdraw what has not begun; a running job ends by itself."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _submit[T](self, job: Callable[[], T], expected_s: float) -> Future[T]:
        future = self._executor.submit(self._timed, job, expected_s)
        with self._counting:
            self._waiting += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, _: Future[Any]) -> None:
        with self._counting:  # on whichever thread ends it
            self._waiting -= 1

    def _timed[T](self, job: Callable[[], T], expected_s: float) -> T:
        self._expected_s = expected_s
        self._busy_since = self._clock()
        try:
            return job()
        finally:
            self._busy_since = None


def _log_error(future: Future[None]) -> None:
    if not future.cancelled() and (error := future.exception()) is not None:
        log.error("a job that nobody waits for failed", exc_info=error)
