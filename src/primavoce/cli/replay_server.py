"""The server that `primavoce bench transport` measures: the real one, round a model that replays clips."""

import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import anyio

from primavoce.bench.recording import load
from primavoce.bench.replaying import replay_engine
from primavoce.errors import InvalidSetting
from primavoce.server.garbage import spare_what_is_loaded
from primavoce.server.run import configure_logging, listen, serve
from primavoce.settings import Settings


def serve_replay(environ: Mapping[str, str], clips: Path) -> None:
    """Serve on a free loopback port, and answer each byte on standard input with this process's processor seconds.

    Ends when told to leave, or when standard input does: with whoever started it.

    Args:
        environ: Settings.
        clips: The file that they are in.

    Raises:
        PrimavoceError: a setting can't be used, or the clips can't be read.
    """
    settings = Settings.from_env(environ)
    configure_logging(settings.log_level)
    try:
        engine = replay_engine(load(clips))
    except (OSError, ValueError) as error:
        raise InvalidSetting(str(clips), "has no clips") from error
    listener = listen("127.0.0.1", 0)
    threading.Thread(target=_answer, daemon=True).start()

    def announce(address: str) -> None:
        spare_what_is_loaded()
        print(f"ready {address}", flush=True)  # noqa: T201 - whoever started it waits for it

    async def run() -> None:
        await serve(engine, settings, listener, on_ready=announce)

    anyio.run(run)


def _answer() -> None:
    # By the system's call, which holds no lock of the interpreter's that its end would wait for.
    while os.read(sys.stdin.fileno(), 1):
        print(time.process_time(), flush=True)  # noqa: T201 - to whoever asked
    os.kill(os.getpid(), signal.SIGTERM)
