"""What goes on: what is fetched and prepared, and which step is next; on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

if TYPE_CHECKING:
    from primavoce.assets.progress import Progress, Report


@contextmanager
def report_progress() -> "Iterator[Report]":
    """Show a bar for each thing that is fetched or prepared while the block runs; nothing when nothing is.

    Where standard error is no terminal, each thing gets a line when it begins and one when it is done.
    """
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("[dim]·[/] {task.description}"), BarColumn(24), TextColumn("{task.fields[size]}"))
    bars = Bars(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal)
    tasks: dict[str, object] = {}

    def report(progress: "Progress") -> None:
        done, total = progress.done_bytes / 1e6, progress.total_bytes / 1e6
        size = f"{done:.0f} of {total:.0f} MB" if total else ""
        new = progress.asset not in tasks
        ended = total > 0 and progress.done_bytes >= progress.total_bytes
        if console.is_terminal:
            if not tasks:
                bars.start()
            task = tasks[progress.asset] = tasks.get(progress.asset) or bars.add_task(progress.asset, size=size)
            bars.update(task, description=f"{progress.asset}: {progress.note}", size=size)  # type: ignore[arg-type]
            bars.update(task, completed=progress.done_bytes, total=progress.total_bytes or None)  # type: ignore[arg-type]
        elif new or ended or not total:
            tasks[progress.asset] = True
            console.print(f"· {progress.asset}: {progress.note} {size}".rstrip())

    try:
        yield report
    finally:
        bars.stop()


def tell_step(text: str) -> None:
    """Say what goes on, if standard error is a terminal: somebody waits there, and a log needs none of it."""
    console = Console(stderr=True, highlight=False)
    if console.is_terminal:
        console.print("[dim]·[/]", escape(text), soft_wrap=True)
