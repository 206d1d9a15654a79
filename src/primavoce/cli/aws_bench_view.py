"""What ``primavoce aws bench`` shows to people."""

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table

from primavoce.cli.bench_view import figures_table

if TYPE_CHECKING:
    from primavoce.aws.bench_run import AwsBench
    from primavoce.aws.measuring import AgentFigures, Compared, SpeechFigures


def bench_view(report: "AwsBench") -> RenderableType:
    """Return the figures of `primavoce aws bench`."""
    machine = f" on {report.instance_type}" if report.instance_type else ""
    parts: list[RenderableType] = [
        f"endpoint {report.endpoint}{machine}, {report.region}, voice {report.voice}",
        _speech(report.speech, report),
        f"opening the session, before the text: {report.speech.opening_ms:.0f} ms",
    ]
    if report.agents:
        parts += ["", _agents(report), _models(report)]
    return Group(*parts, "", report.remark)


def _speech(found: "SpeechFigures", report: "AwsBench") -> Table:
    table = figures_table(
        f"{found.characters} characters: milliseconds, {report.trials} trials each",
        "", "batch:\nmean", "median", "streaming:\nmean", "median", "less, %:\nmean", "median",
    )  # fmt: skip
    table.add_row("first byte", *_row(found.first_byte))
    table.add_row("first sound", *_row(found.first_sound), style="bold")
    published = report.published_ms
    means = (f"{published['batch']:.1f}", "–", f"{published['stream']:.1f}", "–")
    table.add_row("published", *means, f"{report.published_reduction:.1f}", "–", style="dim")
    return table


def _row(found: "Compared") -> tuple[str, ...]:
    times = (found.batch.mean, found.batch.median, found.stream.mean, found.stream.median)
    less = (found.reduction_of_means, found.reduction_of_medians)
    return tuple(f"{value:.1f}" for value in (*times, *less))


def _agents(report: "AwsBench") -> Table:
    table = figures_table(
        f"an agent's answer: milliseconds to its first audio, medians of {report.trials} trials each",
        "agent", "batch", "streaming", "batch ÷\nstreaming", "published", "characters,\nbatch; streaming",
    )  # fmt: skip
    for found in report.agents:
        table.add_row(
            found.where,
            f"{found.first_audio.batch.median:.0f}",
            f"{found.first_audio.stream.median:.0f}",
            f"{found.ratio:.1f}",
            f"{report.published_ratios[found.where]:.1f}",
            _lengths(found),
        )
    return table


def _models(report: "AwsBench") -> str:
    """Return what wrote: the ratios of agents that write by different models aren't of the same thing."""
    found = {each.where: each.model for each in report.agents}
    unknown = [where for where, model in found.items() if model is None]
    told = "; ".join(f"{where}: {model}" for where, model in found.items() if model is not None)
    if unknown:
        known = f" ({told})" if told else ""
        return f"what the {' and the '.join(unknown)} agent writes by isn't known{known}: perhaps not by the same model"
    if len(set(found.values())) > 1:
        return f"the models differ ({told}), and so may the ratios for that alone"
    return f"both write by {report.agents[0].model}"


def _lengths(found: "AgentFigures") -> str:
    """Return how long the answers were: where they differ, so do the ratios."""
    return "; ".join(f"{min(each)}–{max(each)}" for each in (found.characters["batch"], found.characters["stream"]))
