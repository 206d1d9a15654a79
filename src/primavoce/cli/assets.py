"""``primavoce assets``: what is where, verified or not; and getting what is missing."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from primavoce.assets.store import AssetStatus, AssetStore
from primavoce.cli.ending import ending
from primavoce.cli.progress import report_progress
from primavoce.settings import Settings

assets_app = typer.Typer(help="Show where weights and voices are, or fetch them.", no_args_is_help=False)

STYLES = {"verified": "green", "wrong digest": "red", "missing": "yellow"}


@assets_app.callback(invoke_without_command=True)
def show(
    context: typer.Context,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show every asset: where it is, its size and digest, and whether it is what it should be."""
    if context.invoked_subcommand is not None:
        return
    with ending():
        locations = Settings.from_env(os.environ).assets
        found = AssetStore(locations).status()
        if as_json:
            typer.echo(json.dumps([asdict(each) for each in found], default=str, indent=2))
            return
        console = Console(highlight=False)
        console.print(table(found))
        for name, folder in (("local", locations.local_dir), ("cache", locations.cache_dir)):
            if folder is not None:
                console.print(f"{name}: {folder}", markup=False, soft_wrap=True)


@assets_app.command()
def fetch(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]…",
            help="Assets by name; without a name, everything missing that speaking needs. local-llm is a small "
            "language model (98 MB), for an agent on this machine.",
        ),
    ] = None,
) -> None:
    """Get what is missing and verify it."""
    with ending(), report_progress() as report:
        AssetStore(Settings.from_env(os.environ).assets, progress=report).fetch(names or None)


def table(found: Sequence[AssetStatus]) -> Table:
    """Return the table of ``found`` for people."""
    rows = Table(box=None, pad_edge=False)
    for name in ("asset", "MB", "SHA-256", "state", "where"):
        rows.add_column(name, justify="right" if name == "MB" else "left", no_wrap=name != "where")
    for each in found:
        where = each.source if each.place else f"from {each.source or 'no source'}"
        state = f"[{STYLES[each.state]}]{each.state}[/]"
        rows.add_row(each.name, f"{each.size_bytes / 1e6:.1f}", f"{each.sha256[:12]}…", state, where)
    return rows
