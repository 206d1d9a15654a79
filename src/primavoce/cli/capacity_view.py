"""What the benchmarks of capacity show to people."""

import math
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType

from primavoce.cli.bench_view import figures_table, machine_line
from primavoce.synthesis.scheduler import MOST_LOAD

if TYPE_CHECKING:
    from primavoce.bench.overhead import OverheadReport
    from primavoce.bench.soak import SoakReport
    from primavoce.bench.tail import Tail
    from primavoce.bench.throughput import ThroughputReport


def throughput_tables(report: "ThroughputReport") -> RenderableType:
    """Return the figures of `primavoce bench throughput`."""
    levels = figures_table(
        f"sessions at a time, voice {report.voice}: {report.seconds:g} s each, text at {report.tokens_per_s:g} tokens "
        "a second",
        "sessions", "answers", "underruns\n(longest)", "refused", "first sound:\nmedian, 95 %", "audio hours\nan hour",
    )  # fmt: skip
    for level in report.sessions:
        longest = f" ({level.longest_underrun_s:.2f} s)" if level.underruns else ""
        levels.add_row(
            str(level.n),
            str(level.answers),
            f"{level.underruns}{longest}",
            str(level.refused),
            f"{_seconds(level.first_sound_p50_s)}, {_seconds(level.first_sound_p95_s)}",
            f"{level.audio_hours_per_hour:.2f}",
            style="red" if level.underruns else "",
        )
    offline = report.offline
    told = (
        f"whole texts, no pacing: {offline.audio_hours_per_hour:.2f} audio hours an hour "
        f"(real-time factor {1 / offline.audio_hours_per_hour:.3f}), which is {_room(offline.audio_hours_per_hour)}"
    )
    return Group(levels, "", told, "", machine_line(report.machine, report.versions))


def overhead_tables(report: "OverheadReport") -> RenderableType:
    """Return the figures of `primavoce bench overhead`."""
    table = figures_table(
        f"all but the model: milliseconds, {report.trials} trials each", "", "median", "least", "95 %", "most"
    )
    rows = {"an utterance": report.per_utterance_s, "a frame": report.per_frame_s, "a token": report.per_token_s}
    for name, tail in rows.items():
        table.add_row(name, *_milliseconds(tail))
    loop = report.event_loop
    told = (
        f"the event loop's longest callback: {loop.longest_callback_cpu_s * 1000:.2f} ms of processor, "
        f"{loop.callback}, of {loop.callbacks}"
    )
    return Group(table, "", told, "", machine_line(report.machine, report.versions))


def soak_table(report: "SoakReport") -> RenderableType:
    """Return the figures of `primavoce bench soak`."""
    table = figures_table(
        f"a server of the {report.model} model, {report.visitors} visitors at a time for {report.minutes:g} minutes",
        "", "memory, MB", "threads", "tasks", "files", "sessions",
    )  # fmt: skip
    for name, state in (("before", report.before), ("when all have left", report.after)):
        if state is None:
            table.add_row(name, "–")
            continue
        counts = (state.threads, state.tasks, state.files, state.sessions)
        table.add_row(name, f"{state.resident_bytes / 1e6:.1f}", *(f"{count:.0f}" for count in counts))
    growth = "" if report.growth is None else f" ({report.growth:+.2%})"
    table.add_row("once warm", _megabytes(report.warm_bytes))
    table.add_row("at the end", f"{_megabytes(report.end_bytes)}{growth}")
    visits = report.visits
    told = (
        f"{visits.sessions} sessions: {visits.utterances} utterances heard out, {visits.cancelled} cancelled, "
        f"{visits.left} left; {visits.requests} over HTTP; {visits.nonsense} pieces of nonsense"
    )
    errors = ", ".join(f"{code} {count}" for code, count in visits.errors.most_common()) or "none"
    looks = f"; {report.failed_looks} looks at the server told nothing" if report.failed_looks else ""
    return Group(table, "", told, f"errors: {errors}{looks}", "", machine_line(report.machine, report.versions))


def _room(hours: float) -> str:
    """Return for how many sessions that many ``hours`` of audio in an hour are enough."""
    count = max(1, math.floor(MOST_LOAD * hours))
    return f"room for {count} {'session' if count == 1 else 'sessions'}"


def _megabytes(found: float | None) -> str:
    return "–" if found is None else f"{found / 1e6:.1f}"


def _seconds(found: float | None) -> str:
    return "–" if found is None else f"{found:.2f}"


def _milliseconds(tail: "Tail") -> list[str]:
    return [f"{value * 1000:.3f}" for value in (tail.median, tail.min, tail.p95, tail.max)]
