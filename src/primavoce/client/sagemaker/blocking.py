"""Work that blocks, and may never end: in threads that keep no process from ending, as a pool's would."""

import threading
from collections.abc import Callable
from concurrent.futures import Future


def begun[Result](work: Callable[[], Result], name: str) -> Future[Result]:
    """Begin ``work`` in a thread of its own, and return what will come of it. Nobody who leaves takes it from others.

    Args:
        work: Blocks.
        name: Of the thread.
    """
    ends: Future[Result] = Future()
    ends.set_running_or_notify_cancel()  # so that it can't be cancelled

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, somebody waits for it
            ends.set_exception(error)
        else:
            ends.set_result(result)

    threading.Thread(target=run, name=name, daemon=True).start()
    return ends
