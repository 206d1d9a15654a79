"""Progress of long steps, on standard error: which step, how what is waited for stands, what programs say."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status
from rich.text import Text

LONGEST_LINE = 200
"""Characters of a line of a program's output that are shown."""


class StepProgress:
    """Shows what goes on; on a terminal, with a last line that changes.

    Args:
        console: Where.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = Status("", console=console)
        self._last: tuple[str, str] | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show it while the block runs."""
        if not self._console.is_terminal:
            yield
            return
        with self._status:
            yield

    def step(self, title: str, number: int, count: int) -> None:
        """Say that a step begins."""
        told = f"[{number}/{count}] {title}"
        self._console.print(Text(told, "bold"))
        self._status.update(Text(told, "dim"))

    def line(self, text: str) -> None:
        """Pass on a line of a program's output."""
        self._console.print(Text(f"  {text[:LONGEST_LINE]}", "dim"), soft_wrap=True)

    def note(self, text: str) -> None:
        """Say what has come of something."""
        self._console.print(Text(f"· {text}"), soft_wrap=True)

    def state(self, what: str, state: str, waited_s: float) -> None:
        """Say how what is waited for stands: a line whenever that changes, and the seconds on the last line."""
        told = f"{what}: {state}, {waited_s:.0f} s"
        if self._last != (what, state):
            self._last = (what, state)
            self.note(told)
        self._status.update(Text(told, "dim"))


def step_progress() -> StepProgress:
    """Return what shows progress on standard error."""
    return StepProgress(Console(stderr=True, highlight=False))
