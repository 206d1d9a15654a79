"""What the benchmark of the agent shows to people."""

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table

from primavoce.bench.spread import Spread
from primavoce.cli.bench_view import figures_table, machine_line

if TYPE_CHECKING:
    from primavoce.bench.agent import AgentReport

MEASURES = (
    ("first_text_s", "first text"),
    ("text_complete_s", "text complete"),
    ("first_audio_s", "first audio"),
    ("first_sound_s", "first sound"),
    ("total_s", "total"),
    ("audio_s", "audio"),
    ("stalled_s", "waited for more"),
)
NAMES = {"stream": "stream", "batch": "batch,\nas published", "text_complete": "text complete,\nthen streaming"}
RATIOS = (("first_audio", "first audio"), ("first_sound", "first sound"))


def agent_tables(report: "AgentReport") -> RenderableType:
    """Return the figures of `primavoce bench agent`."""
    places = ", ".join(f"{value:g} {place}" for place, value in report.published.items())
    return Group(
        f"{_written_by(report)}, voice {report.voice}",
        _texts(report),
        "",
        _modes(report),
        "",
        _ratios(report),
        f"published: {places}; one trial each, another machine",
        "",
        _interruption(report),
        machine_line(report.machine, report.versions),
    )


def _written_by(report: "AgentReport") -> str:
    if report.url is not None:
        return f"the agent at {report.url}"
    if report.tokens_per_s is None:
        return f"model {report.model}, speech {report.speech}"
    pace = f"{report.tokens_per_s:g} tokens/s after {report.first_token_s:g} s"
    return f"model {report.model}, {pace}, speech {report.speech}"


def _texts(report: "AgentReport") -> str:
    counts = {mode: figures.characters for mode, figures in report.modes.items()}
    if report.same_text:
        return f"the same {next(iter(counts.values()))[0]} characters in each trial"
    listed = "; ".join(f"{mode} {', '.join(map(str, each))}" for mode, each in counts.items())
    return f"the texts differ, and the ratios with them; characters in each trial: {listed}"


def _modes(report: "AgentReport") -> Table:
    of = "one trial" if report.trials == 1 else f"median of {report.trials} trials (least–most)"
    table = figures_table(f"seconds after the prompt, {of}", "", *(NAMES[mode] for mode in report.modes))
    for name, label in MEASURES:
        style = "bold" if name in {"first_audio_s", "first_sound_s"} else ""
        spreads = (getattr(figures, name) for figures in report.modes.values())
        table.add_row(label, *(_spread(spread) for spread in spreads), style=style)
    return table


def _ratios(report: "AgentReport") -> Table:
    table = figures_table(
        "times as long as stream, by round", "", *(label for _, label in RATIOS), "goal,\nfirst audio", "reached"
    )
    for baseline, goal in report.goals.items():
        spreads = [report.ratios[f"{baseline}_to_stream_{measure}"] for measure, _ in RATIOS]
        reached = "yes" if spreads[0].median >= goal else "no"
        table.add_row(baseline.replace("_", " "), *(_spread(spread, 1) for spread in spreads), f"≥ {goal:g}", reached)
    return table


def _interruption(report: "AgentReport") -> str:
    found = report.interruption
    if found is None:
        return "interruption: every answer had ended before it"
    last, told = found.last_audio_s, found.cancelled_s
    reached = "reached" if last.max < found.goal_s else "missed"
    return (
        f"interruption, of {last.n}: last audio {last.median * 1000:.1f} ms after the cancel "
        f"(most {last.max * 1000:.1f}), told after {told.median * 1000:.1f} ms (most {told.max * 1000:.1f})\n"
        f"goal: last audio within {found.goal_s * 1000:g} ms, {reached}"
    )


def _spread(spread: Spread, digits: int = 2) -> str:
    middle, least, most = (f"{value:.{digits}f}" for value in (spread.median, spread.min, spread.max))
    return middle if least == most else f"{middle} ({least}–{most})"
