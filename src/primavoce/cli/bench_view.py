"""What benchmarks show to people."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table

from primavoce.bench.spread import Spread

if TYPE_CHECKING:
    from primavoce.bench.hearing import Figures
    from primavoce.bench.latency import LatencyReport
    from primavoce.bench.peers import PeersReport
    from primavoce.bench.setting import Machine

MEASURES = (
    ("first_audio_s", "first audio"),
    ("first_sound_s", "first sound"),
    ("total_s", "total"),
    ("audio_s", "audio"),
    ("real_time_factor", "real-time factor"),
)


def latency_tables(report: "LatencyReport") -> RenderableType:
    """Return the figures of `primavoce bench latency`."""
    modes = _figures(
        f"{report.characters} characters, voice {report.voice}: seconds, {_trials(report.trials)}", report.modes
    )
    lags = figures_table(
        "speech lag: seconds from a certain sentence to its first sound", "characters", "phonemes", "lag"
    )
    for lag in report.by_length:
        lags.add_row(str(lag.characters), str(lag.phonemes), _spread(lag.first_sound_s))
    fit = f"lag = {report.lag_fit.base_s:.3f} s + {report.lag_fit.s_per_phoneme * 1000:.2f} ms · phonemes"
    return Group(modes, "", lags, fit, "", _ratios(report.ratios), machine_line(report.machine, report.versions))


def peers_tables(report: "PeersReport") -> RenderableType:
    """Return the figures of `primavoce bench peers`."""
    sides = {"primavoce": report.ours, "kokoro-onnx": report.kokoro_onnx}
    tables: list[RenderableType] = []
    for text, characters in report.characters.items():
        columns = {f"{side}\n{way}": by_text[text] for side, ways in sides.items() for way, by_text in ways.items()}
        name = text.replace("_", " ")
        title = f"{name}, {characters} characters, voice {report.voice}: seconds, {_trials(report.trials)}"
        tables += [_figures(title, columns), ""]
    return Group(*tables, _ratios(report.ratios), machine_line(report.machine, report.versions))


def _figures(title: str, columns: "Mapping[str, Figures]") -> Table:
    table = figures_table(title, "", *(name.replace("_", " ") for name in columns))
    for name, label in MEASURES:
        style = "bold" if name == "first_sound_s" else ""
        table.add_row(label, *(_spread(getattr(figures, name)) for figures in columns.values()), style=style)
    return table


def _ratios(ratios: Mapping[str, float]) -> Table:
    table = figures_table("ratios of medians", "", "ratio")
    for name, value in ratios.items():
        table.add_row(name.replace("_", " "), f"{value:.3f}")
    return table


def machine_line(machine: "Machine", versions: Mapping[str, str]) -> str:
    """Return what was measured on and with, in two lines."""
    memory = "" if machine.memory_bytes is None else f", {machine.memory_bytes / 2**30:.0f} GiB"
    load = "" if machine.load is None else f", load {machine.load:.1f} before"
    used = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"{machine.cpu}, {machine.quota} of {machine.cores} cores, {machine.threads} threads{memory}{load}\n{used}"


def figures_table(title: str, *headings: str) -> Table:
    """Return a table for numbers; its first column is for names if it has no heading."""
    table = Table(title=title, title_style="dim", title_justify="left")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place or heading else "left")
    return table


def _spread(spread: Spread) -> str:
    """Return the median, and the least and the most where they differ."""
    if spread.min == spread.max:
        return f"{spread.median:.2f}"
    return f"{spread.median:.2f} ({spread.min:.2f}–{spread.max:.2f})"


def _trials(trials: int) -> str:
    return "one trial" if trials == 1 else f"median of {trials} trials (least–most)"
