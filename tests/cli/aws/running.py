"""``primavoce aws`` as tests run it, and what it shows."""

from rich.console import Console
from typer.testing import CliRunner, Result

from primavoce.cli.commands import app

SAID = ("--region", "us-east-1", "--profile", "voice")
"""A region and a profile, as they are said."""


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, ["aws", *words], input=typed)


def shown(view: object) -> str:
    console = Console(width=160, force_terminal=False)
    with console.capture() as capture:
        console.print(view, crop=False)
    return capture.get()
