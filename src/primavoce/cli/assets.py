"""``primavoce assets``: what is where, verified or not; and getting what is missing."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Table

from primavoce.assets.progress import Progress, Report
from primavoce.assets.store import AssetStatus, AssetStore
from primavoce.errors import PrimavoceError
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
    with one_sentence():
        found = store().status()
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in found], default=str, indent=2))
    else:
        Console().print(table(found))


@assets_app.command()
def fetch(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]…", help="Assets by name; without a name, everything that is missing."),
    ] = None,
) -> None:
    """Get what is missing and verify it."""
    with one_sentence(), fetch_display() as report:
        store(report).fetch(names or None)


def store(report: Report | None = None) -> AssetStore:
    """Return the store that the environment asks for.

    Raises:
        InvalidSetting: an environment variable can't be used.
    """
    return AssetStore(Settings.from_env(os.environ).assets, progress=report)


def table(found: Sequence[AssetStatus]) -> Table:
    """Return the table of ``found`` for people."""
    rows = Table(box=None, pad_edge=False)
    for name in ("asset", "MB", "SHA-256", "state", "where"):
        rows.add_column(name, justify="right" if name == "MB" else "left", no_wrap=name != "where", overflow="fold")
    for each in found:
        where = str(each.place) if each.place else f"to be had from: {each.source or 'no source'}"
        state = f"[{STYLES[each.state]}]{each.state}[/]"
        rows.add_row(each.name, f"{each.size_bytes / 1e6:.1f}", f"{each.sha256[:12]}…", state, where)
    return rows


@contextmanager
def one_sentence() -> Iterator[None]:
    """Print an error of ours as one sentence on standard error, and end with status 1."""
    try:
        yield
    except PrimavoceError as error:
        typer.echo(f"primavoce: {error}", err=True)
        raise typer.Exit(1) from error


@contextmanager
def fetch_display(console: Console | None = None) -> Iterator[Report]:
    """Show the progress of fetches on standard error while the block runs; the value takes it.

    A terminal gets bars; anything else a line whenever the note's subject changes.
    """
    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield _lines(console)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Bars(*columns, console=console) as bars:
        tasks: dict[str, TaskID] = {}

        def show_bar(progress: Progress) -> None:
            if progress.asset not in tasks:
                tasks[progress.asset] = bars.add_task(progress.asset, note="")
            # Package clients don't say how far they are: a bar without a total moves, one with total stands still.
            total = progress.total_bytes if progress.done_bytes else None
            bars.update(tasks[progress.asset], completed=progress.done_bytes, total=total, note=progress.note)

        yield show_bar


def _lines(console: Console) -> Report:
    """Return what prints progress as lines, without one for each of dozens of files."""

    def show_line(progress: Progress) -> None:
        if progress.done_bytes in {0, progress.total_bytes}:
            megabytes = f"{progress.done_bytes / 1e6:.1f} of {progress.total_bytes / 1e6:.1f} MB"
            console.print(
                f"{progress.asset}: {megabytes}, {progress.note}", markup=False, highlight=False, soft_wrap=True
            )

    return show_line
