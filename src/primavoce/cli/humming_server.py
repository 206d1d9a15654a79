"""The server that `primavoce bench overhead` measures: the real one, round a model that costs nothing."""

from collections.abc import Mapping

import msgspec

from primavoce.bench.instant_model import InstantModel
from primavoce.bench.loop_meter import LoopMeter, metered
from primavoce.cli.own_server import serve_on_loopback
from primavoce.server.run import configure_logging
from primavoce.settings import Settings
from primavoce.testing.fake_engine import fake_engine


def serve_hum(environ: Mapping[str, str]) -> None:
    """Serve as `serve_on_loopback` does, and answer with what the event loop has done.

    Args:
        environ: Settings.

    Raises:
        PrimavoceError: a setting can't be used.
    """
    settings = Settings.from_env(environ)
    configure_logging(settings.log_level)
    meter = LoopMeter()
    with metered(meter):
        serve_on_loopback(
            fake_engine(model=InstantModel()), settings, lambda: msgspec.json.encode(meter.take()).decode()
        )
