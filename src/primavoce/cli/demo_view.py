"""What the demo shows: the answer being written, the segment being spoken, and the figures at the end."""

from dataclasses import dataclass, field

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from primavoce.agent.comparison import Listener, Run

MEASURES = (
    ("first_token_s", "time to first token"),
    ("text_complete_s", "text complete"),
    ("first_audio_s", "time to first audio"),
    ("first_sound_s", "time to first sound"),
    ("total_s", "total"),
    ("real_time_factor", "real-time factor"),
)


@dataclass(slots=True)
class DemoView:
    """One way of speaking, while it happens."""

    title: str
    segments: int = 0
    """Segments that are being, or were, spoken, as far as the server tells."""
    speaking: str = ""
    """The segment whose audio came last."""
    audio_s: float = 0.0
    """Seconds of audio received."""
    written: list[str] = field(default_factory=list)
    """Tokens so far."""

    def listener(self) -> Listener:
        """Return what keeps this view up to date."""
        return Listener(self.written.append, self._segment, self._audio)

    def _segment(self, text: str) -> None:
        self.segments += 1
        self.speaking = " ".join(text.split())

    def _audio(self, seconds: float) -> None:
        self.audio_s += seconds

    def __rich__(self) -> Panel:
        """Return what to draw now."""
        text = "".join(self.written)
        spoken, _, rest = text.partition(self.speaking) if self.speaking else ("", "", text)
        shown = Text.assemble((spoken, "green"), (self.speaking, "bold reverse"), rest) if self.speaking else Text(text)
        segments = f" · {self.segments} segments spoken" if self.segments else ""
        state = f"{len(self.written)} tokens written{segments} · {self.audio_s:.1f} s of audio received"
        return Panel(Group(shown, Text(""), Text(state, style="dim")), title=self.title, title_align="left")


def figures(run: Run) -> dict[str, float | None]:
    """Return what was measured, rounded to milliseconds."""
    return {name: _rounded(getattr(run, name)) for name, _ in MEASURES}


def comparison_table(streaming: Run, batch: Run) -> Table:
    """Return the figures of both ways side by side, with their ratio."""
    table = Table(title="seconds after the prompt", title_style="dim", title_justify="left")
    table.add_column()
    for heading in ("streaming", "batch", "batch ÷ streaming"):
        table.add_column(heading, justify="right")
    for name, label in MEASURES:
        ours, theirs = getattr(streaming, name), getattr(batch, name)
        ratio = f"{theirs / ours:.1f}" if ours and theirs else "–"
        table.add_row(label, _shown(ours), _shown(theirs), ratio, style="bold" if name == "first_sound_s" else "")
    return table


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
