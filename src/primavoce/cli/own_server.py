"""The servers that benchmarks measure: the real one, round another model, answering whoever started it."""

import os
import signal
import sys
import threading
from collections.abc import Callable

import anyio

from primavoce.server.garbage import spare_what_is_loaded
from primavoce.server.run import listen, serve
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine


def serve_on_loopback(engine: Engine, settings: Settings, answer: Callable[[], str]) -> None:
    """Serve on a free loopback port, and answer each byte on standard input with a line.

    Ends when told to leave, or when standard input does: with whoever started it.

    Args:
        engine: Not yet entered.
        settings: Those of the server.
        answer: Makes the line; called on a thread of its own, not on the event loop, which may be what is measured.
    """
    listener = listen("127.0.0.1", 0)
    threading.Thread(target=_answer, args=[answer], daemon=True).start()

    def announce(address: str) -> None:
        spare_what_is_loaded()
        print(f"ready {address}", flush=True)  # noqa: T201 - whoever started it waits for it

    async def run() -> None:
        await serve(engine, settings, listener, on_ready=announce)

    anyio.run(run)


def _answer(answer: Callable[[], str]) -> None:
    # By the system's call, which holds no lock of the interpreter's that its end would wait for.
    while os.read(sys.stdin.fileno(), 1):
        print(answer(), flush=True)  # noqa: T201 - to whoever asked
    os.kill(os.getpid(), signal.SIGTERM)
