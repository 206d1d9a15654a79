"""Progress of what is fetched and prepared, on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from primavoce.assets.progress import Progress, Report


@contextmanager
def report_progress() -> "Iterator[Report]":
    """Show each step as a line while the block runs; says nothing when there is nothing to do."""
    console = Console(stderr=True, highlight=False)

    def report(progress: "Progress") -> None:
        done, total = progress.done_bytes / 1e6, progress.total_bytes / 1e6
        size = f" [dim]{done:.0f} of {total:.0f} MB[/]" if total else ""
        console.print(f"[dim]·[/] {progress.asset}: {progress.note}{size}")

    yield report
