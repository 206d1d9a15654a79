"""What `primavoce verify --quality` shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

from primavoce.bench.quality import Verified
from primavoce.calibration.comparison import (
    FLOOR_MEAN_DB,
    GOAL_HALF_SECOND_DB,
    GOAL_MEAN_DB,
    GOAL_P95_DB,
    GOAL_PEAK_RATIO,
    Summary,
)

WHY_WHOLE = {"short": "whole: too short for windows", "far": "whole: unlike all that was calibrated"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found, as the JSON has it."""

    voice: str
    passed: bool
    """Whether something was spoken in windows, and its mean distance is no more than the floor."""
    reaches_goals: bool
    summary: Summary | None
    """Of the sentences that were spoken in windows; null when none was."""
    sentences: tuple[Verified, ...]


def outcome(voice: str, verified: Sequence[Verified]) -> Outcome:
    """Return what the sentences of ``voice`` say together."""
    comparisons = [each.comparison for each in verified if each.comparison is not None]
    summary = Summary.of(comparisons) if comparisons else None
    good, best = (False, False) if summary is None else (summary.above_floor, summary.reaches_goals)
    return Outcome(voice, good, best, summary, tuple(verified))


def sentence_line(verified: Verified) -> str:
    """Return the line of one sentence."""
    found = verified.comparison
    told = (
        WHY_WHOLE[verified.way]
        if found is None
        else f"{found.distance_db:5.2f} dB, worst {found.worst_half_second_db:5.2f}, level {found.level_db:+.2f}, "
        f"peak × {found.peak_ratio:.2f}"
    )
    return f"{told:<52} {verified.audio_s:5.2f} s  {verified.text}"


def summary_table(summary: Summary) -> Table:
    """Return the measures of the sentences that were spoken in windows, with the goals."""
    table = Table(title="in windows, beside the whole run", title_style="dim", title_justify="left")
    table.add_column("")
    for heading in ("mean", "95 %", "most"):
        table.add_column(heading, justify="right")
    table.add_column("goal")
    rows = (
        ("log-mel distance, dB", summary.distance_db, f"mean ≤ {GOAL_MEAN_DB:g}, 95 % ≤ {GOAL_P95_DB:g}"),
        ("its worst half second, dB", summary.worst_half_second_db, f"most ≤ {GOAL_HALF_SECOND_DB:g}"),
        ("level, dB either way", summary.level_db, ""),
        ("peak ÷ peak", summary.peak_ratio, f"most ≤ {GOAL_PEAK_RATIO:g}"),
    )
    for name, found, goal in rows:
        table.add_row(name, *(f"{value:.2f}" for value in (found.mean, found.p95, found.max)), goal)
    return table


def conclusion(found: Outcome) -> str:
    """Return what it comes to, in one line of rich's markup."""
    if found.summary is None:
        return f"[red]FAIL[/] {found.voice}: no sentence was spoken in windows"
    told = (
        f"{found.voice}: {found.summary.segments} of {len(found.sentences)} sentences in windows, "
        f"{found.summary.distance_db.mean:.2f} dB from their whole runs"
    )
    if not found.passed:
        return f"[red]FAIL[/] {told}; no more than {FLOOR_MEAN_DB:g} dB is wanted"
    missed = f"; up to {FLOOR_MEAN_DB:g} dB passes, and goals that aren't reached, as here, fail nothing"
    return f"[green]ok[/]   {told}" + ("" if found.reaches_goals else missed)
