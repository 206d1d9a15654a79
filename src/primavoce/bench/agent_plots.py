"""Picture of how soon an agent is heard, as PNG and SVG; needs the extra ``bench``."""

from pathlib import Path
from typing import TYPE_CHECKING

from primavoce.bench.plots import INK, OTHERS, OURS, draw_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from primavoce.bench.agent import AgentReport

NAMES = {
    "batch": "batch, as published:\nall text, all audio, then sent",
    "text_complete": "all text,\nthen speech that streams",
    "stream": "stream: spoken\nwhile it is written",
}


def plot_agent(report: "AgentReport", folder: Path) -> list[Path]:
    """Draw how long each mode has a listener wait, and when its text was complete; return the files.

    Raises:
        ExtraMissing: the extra isn't installed.
        InvalidSetting: ``folder`` can't be written to.
    """

    def waits(axes: "Axes") -> None:
        _waits(axes, report)

    return list(draw_figure(folder, "agent-first-sound", waits, 3.4))


def _waits(axes: "Axes", report: "AgentReport") -> None:
    figures = [report.modes[mode] for mode in NAMES]
    sounds = [each.first_sound_s for each in figures]
    medians = [spread.median for spread in sounds]
    whiskers = [
        [spread.median - spread.min for spread in sounds],
        [spread.max - spread.median for spread in sounds],
    ]
    several = any(spread.min < spread.max for spread in sounds)
    axes.barh(
        list(NAMES.values()), medians, height=0.62,
        color=[OURS if mode == "stream" else OTHERS for mode in NAMES],
        xerr=whiskers if several else None,
        error_kw={"ecolor": INK, "elinewidth": 1.2, "capsize": 3},
    )  # fmt: skip
    for place, (mode, spread) in enumerate(zip(NAMES, sounds, strict=True)):
        times = report.ratios.get(f"{mode}_to_stream_first_sound")
        shown = f"{spread.median:.1f} s" if times is None else f"{spread.median:.1f} s, {times.median:.1f} times"
        axes.annotate(
            shown, (spread.max, place), xytext=(8, 0), textcoords="offset points", va="center", fontweight="bold"
        )
    written = [each.text_complete_s.median for each in figures]
    axes.plot(written, range(len(NAMES)), "|", color=INK, markersize=26, markeredgewidth=2, label="text complete")
    axes.invert_yaxis()
    axes.set_xlim(0, max(spread.max for spread in sounds) * 1.5)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    axes.legend(loc="lower right", frameon=True, framealpha=1.0, edgecolor="white")
    axes.set_title("From the prompt to the first sound of the answer")
    of = "one trial" if report.trials == 1 else f"median of {report.trials} trials, whiskers from least to most"
    axes.set_xlabel(f"seconds; {of}")
