"""The servers that benchmarks start as processes of their own; none of them is for people."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from primavoce.cli.ending import ending


def replay_server(clips: Path) -> None:
    """Serve a model that replays the clips of a file, until standard input ends; `transport` starts it."""
    with ending():
        from primavoce.cli.replay_server import serve_replay

        serve_replay(os.environ, clips)


def humming_server() -> None:
    """Serve a model that costs nothing, until standard input ends; `overhead` starts it."""
    with ending():
        from primavoce.cli.humming_server import serve_hum

        serve_hum(os.environ)


def scripted_agent(
    *,
    tokens_per_s: Annotated[float, typer.Option("--tokens-per-s")],
    first_token_s: Annotated[float, typer.Option("--first-token-s")],
) -> None:
    """Serve an agent round a script of a set pace; `agent` starts it."""
    with ending():
        from primavoce.cli.scripted_agent import serve_scripted

        serve_scripted(os.environ, tokens_per_s=tokens_per_s, first_token_s=first_token_s)


SERVERS: dict[str, Callable[..., None]] = {
    "replay-server": replay_server,
    "humming-server": humming_server,
    "scripted-agent": scripted_agent,
}
"""Name of the command → it."""
