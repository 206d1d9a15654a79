"""Threads for calls that block: one for each, and no more than there is room for."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from primavoce.errors import Overloaded


class CallThread:
    """The thread of one call; what it is given it does in that order.

    Args:
        pool: Of one thread.
    """

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    async def run[Result](self, work: Callable[[], Result]) -> Result:
        """Return what ``work`` returns. Who is cancelled leaves it to its end, unless it hasn't begun."""
        return await asyncio.wrap_future(self._pool.submit(work))

    def leave(self, work: Callable[[], object]) -> None:
        """Have ``work`` done, without anybody who waits for it."""
        self._pool.submit(work)


class CallThreads:
    """Counts the threads. One whose call was left counts until what blocks it has come to its end.

    Args:
        capacity: How many there may be.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._lock = threading.Lock()
        self._busy = 0

    def __len__(self) -> int:
        return self._busy

    @contextmanager
    def one(self) -> Iterator[CallThread]:
        """Give a thread to the block. What was begun, or left, in it may end after the block.

        Raises:
            Overloaded: there are as many as there may be.
        """
        with self._lock:
            if self._busy >= self._capacity:
                raise Overloaded(self._capacity)
            self._busy += 1
        pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="runtime-call")
        try:
            yield CallThread(pool)
        finally:
            pool.submit(self._give_back)
            pool.shutdown(wait=False)

    def _give_back(self) -> None:
        with self._lock:
            self._busy -= 1
