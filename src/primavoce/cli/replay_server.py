"""The server that `primavoce bench transport` measures: the real one, round a model that replays clips."""

import time
from collections.abc import Mapping
from pathlib import Path

from primavoce.bench.recording import load
from primavoce.bench.replaying import replay_engine
from primavoce.cli.own_server import serve_on_loopback
from primavoce.errors import InvalidSetting
from primavoce.server.run import configure_logging
from primavoce.settings import Settings


def serve_replay(environ: Mapping[str, str], clips: Path) -> None:
    """Serve as `serve_on_loopback` does, and answer with this process's processor seconds.

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
    serve_on_loopback(engine, settings, lambda: str(time.process_time()))
