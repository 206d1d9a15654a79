"""Pictures of how many can be spoken to at a time, as PNG and SVG; needs the extra ``bench``."""

from pathlib import Path
from typing import TYPE_CHECKING

from primavoce.bench.plots import FAINT, INK, OTHERS, OURS, draw_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from primavoce.bench.throughput import Level, ThroughputReport

TROUBLE = "#b3412f"
"""Colour of what went wrong."""


def plot_throughput(report: "ThroughputReport", folder: Path) -> list[Path]:
    """Draw the first sound, and the audio that was heard, by the number of sessions; return the files.

    Raises:
        ExtraMissing: the extra isn't installed.
        InvalidSetting: ``folder`` can't be written to.
    """

    def first_sound(axes: "Axes") -> None:
        _first_sound(axes, report)

    def audio(axes: "Axes") -> None:
        _audio(axes, report)

    drawn = {"throughput-first-sound": (first_sound, 4.2), "throughput-audio": (audio, 4.2)}
    return [file for name, (draw, height) in drawn.items() for file in draw_figure(folder, name, draw, height)]


def _first_sound(axes: "Axes", report: "ThroughputReport") -> None:
    heard = [level for level in report.sessions if level.first_sound_p50_s is not None]
    counts = [level.n for level in heard]
    middle = [level.first_sound_p50_s or 0.0 for level in heard]
    slow = [level.first_sound_p95_s or 0.0 for level in heard]
    axes.vlines(counts, middle, slow, color=OTHERS, linewidth=2, zorder=1)
    axes.plot(counts, slow, "_", color=INK, markersize=12, markeredgewidth=2, label="95 of 100 within", zorder=2)
    axes.plot(counts, middle, "o", color=OURS, markersize=8, label="median", zorder=3)
    for level in heard:
        _tell_trouble(axes, level, level.first_sound_p95_s or 0.0, above=True)
    axes.set_ylim(0, max([*slow, 0.1]) * 1.4)
    _by_sessions(axes, report)
    axes.set_title("From a certain sentence to its first sound")
    axes.set_ylabel("seconds")


def _audio(axes: "Axes", report: "ThroughputReport") -> None:
    counts = [level.n for level in report.sessions]
    hours = [level.audio_hours_per_hour for level in report.sessions]
    most = max(counts)
    axes.plot([0, most], [0, most], color=FAINT, linewidth=2, label="all that was wished for", zorder=1)
    axes.axhline(
        report.offline.audio_hours_per_hour, color=INK, linewidth=1.2, linestyle=(0, (4, 3)),
        label="whole texts, nobody listening", zorder=1,
    )  # fmt: skip
    axes.plot(counts, hours, "o", color=OURS, markersize=8, label="heard", zorder=2)
    top = max(most, report.offline.audio_hours_per_hour, *hours) * 1.25
    for level in report.sessions:
        # Under the point, where no line runs, if there is room.
        _tell_trouble(axes, level, level.audio_hours_per_hour, above=level.audio_hours_per_hour < top * 0.15)
    axes.set_ylim(0, top)
    _by_sessions(axes, report)
    axes.set_title("Audio heard")
    axes.set_ylabel("hours an hour")


def _by_sessions(axes: "Axes", report: "ThroughputReport") -> None:
    counts = [level.n for level in report.sessions]
    axes.set_xlim(0, max(counts) + 0.6)
    axes.set_xticks(counts)
    axes.grid(axis="y")
    axes.legend(loc="upper left", frameon=True, framealpha=1.0, edgecolor="white")
    axes.set_xlabel(f"sessions at a time; {report.seconds:g} s each, text at {report.tokens_per_s:g} tokens a second")


def _tell_trouble(axes: "Axes", level: "Level", height: float, *, above: bool) -> None:
    """Write underruns and refusals beside a point, where there were any."""
    counted = {"dry": level.underruns, "refused": level.refused}
    told = "\n".join(f"{count} {what}" for what, count in counted.items() if count)
    if told:
        axes.annotate(
            told, (level.n, height), xytext=(0, 8 if above else -8), textcoords="offset points", ha="center",
            va="bottom" if above else "top", color=TROUBLE, fontsize=10,
        )  # fmt: skip
