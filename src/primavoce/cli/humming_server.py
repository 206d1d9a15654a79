"""The server that `primavoce bench overhead` measures: the real one, round a model that costs nothing."""

import os
import signal
import sys
import threading
from collections.abc import Mapping

import anyio
import msgspec

from primavoce.bench.instant_model import InstantModel
from primavoce.bench.loop_meter import LoopMeter, metered
from primavoce.server.garbage import spare_what_is_loaded
from primavoce.server.run import configure_logging, listen, serve
from primavoce.settings import Settings
from primavoce.testing.fake_engine import fake_engine


def serve_hum(environ: Mapping[str, str]) -> None:
    """Serve on a free loopback port, and answer each byte on standard input with what the event loop has done.

    Ends when told to leave, or when standard input does: with whoever started it.

    Args:
        environ: Settings.

    Raises:
        PrimavoceError: a setting can't be used.
    """
    settings = Settings.from_env(environ)
    configure_logging(settings.log_level)
    listener = listen("127.0.0.1", 0)
    meter = LoopMeter()
    threading.Thread(target=_answer, args=[meter], daemon=True).start()

    def announce(address: str) -> None:
        spare_what_is_loaded()
        print(f"ready {address}", flush=True)  # noqa: T201 - whoever started it waits for it

    async def run() -> None:
        await serve(fake_engine(model=InstantModel()), settings, listener, on_ready=announce)

    with metered(meter):
        anyio.run(run)


def _answer(meter: LoopMeter) -> None:
    # Not on the event loop, which is what is measured; and by the system's call, which holds no lock of the
    # interpreter's that its end would wait for.
    while os.read(sys.stdin.fileno(), 1):
        print(msgspec.json.encode(meter.take()).decode(), flush=True)  # noqa: T201 - to whoever asked
    os.kill(os.getpid(), signal.SIGTERM)
