"""Every command, and the errors that end them."""

from typing import Annotated

import typer

from primavoce import __version__
from primavoce.cli.agent import agent
from primavoce.cli.assets import assets_app
from primavoce.cli.aws import aws_app
from primavoce.cli.bench import bench_app
from primavoce.cli.calibrate import calibrate
from primavoce.cli.demo import demo
from primavoce.cli.keys import keys_app
from primavoce.cli.say import say
from primavoce.cli.serve import serve
from primavoce.cli.text import text_app
from primavoce.cli.verify import verify
from primavoce.cli.voices import voices

app = typer.Typer(
    help="An agent's answer, spoken while it is still being written.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(agent)
app.command()(calibrate)
app.command()(demo)
app.command()(say)
app.command()(serve)
app.command()(verify)
app.command()(voices)
app.add_typer(assets_app, name="assets")
app.add_typer(aws_app, name="aws")
app.add_typer(bench_app, name="bench")
app.add_typer(keys_app, name="keys")
app.add_typer(text_app, name="text")


def _version(value: bool) -> None:  # noqa: FBT001 - the shape that typer's callbacks have
    if value:
        typer.echo(f"primavoce {__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Take the options that go before any command."""
