"""``primavoce keys``: who may speak to the server."""

import os
from pathlib import Path
from typing import Annotated

import typer

from primavoce.cli.ending import ending
from primavoce.errors import InvalidSetting

keys_app = typer.Typer(help="API keys of the server, in a file that holds their digests.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Whose key it is.")]
KeysFile = Annotated[Path | None, typer.Option(help="File of the keys' digests [PRIMAVOCE_KEYS_FILE].")]


@keys_app.command()
def add(name: Name, file: KeysFile = None) -> None:
    """Make a key for NAME, and print it: this once, for only its digest is kept."""
    with ending():
        from primavoce.server.keys import add_key

        typer.echo(add_key(_file(file), name))


@keys_app.command("list")
def list_names(file: KeysFile = None) -> None:
    """List who has a key, a name a line."""
    with ending():
        from primavoce.server.keys import read_keys

        for key in read_keys(_file(file)):
            typer.echo(key.name)


@keys_app.command()
def remove(name: Name, file: KeysFile = None) -> None:
    """Take the key of NAME away; a running server knows within a second, and lets sessions end that are open."""
    with ending():
        from primavoce.server.keys import remove_key

        remove_key(_file(file), name)


def _file(asked: Path | None) -> Path:
    from primavoce.settings import Settings

    path = asked or Settings.from_env(os.environ).keys_file
    if path is None:
        raise InvalidSetting("--file", "say in which file the keys are: --file, or PRIMAVOCE_KEYS_FILE")
    return path
