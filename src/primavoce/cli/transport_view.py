"""What the benchmark of ways to a listener shows to people."""

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType

from primavoce.cli.bench_view import figures_table, machine_line

if TYPE_CHECKING:
    from primavoce.bench.spread import Spread
    from primavoce.bench.transport import TransportReport
    from primavoce.bench.ways import Way

NAMES = {"websocket": "WebSocket", "sse": "SSE", "": "not sent"}


def transport_table(report: "TransportReport") -> RenderableType:
    """Return the figures of `primavoce bench transport`."""
    table = figures_table(
        f"{report.clips} clips, {report.audio_s:.1f} s in all, voice {report.voice}; medians of {report.trials} trials",
        "", "audio,\nkB", "base64", "wire,\nkB", "heard\nafter, s", "own,\nms", "CPU,\nms/s", "words\nwrong",
    )  # fmt: skip
    for way in report.ways:
        table.add_row(*_row(way))
    cut = "\n".join(_cut(way) for way in report.ways if way.events)
    return Group(table, "", cut, "", machine_line(report.machine, report.versions))


def _row(way: "Way") -> list[str]:
    return [
        f"{NAMES[way.transport]} {way.format}",
        f"{way.payload_bytes / 1000:,.0f}",
        f"{way.base64_overhead:+.1%}" if way.base64_overhead else "–",
        "–" if way.wire_bytes is None else f"{way.wire_bytes / 1000:,.0f}",
        f"{way.first_decodable_s.median:.3f}",
        _milliseconds(way.own_s),
        _milliseconds(way.cpu_s_per_audio_s),
        "–" if way.word_error_rate is None else f"{way.word_error_rate:.1%}",
    ]


def _cut(way: "Way") -> str:
    return (
        f"{NAMES[way.transport]} {way.format}: of {way.events} events, blocks of 4 KiB cut {way.cut_by_4k}, "
        f"reads of the socket {way.cut_by_socket}"
    )


def _milliseconds(spread: "Spread | None") -> str:
    return "–" if spread is None else f"{spread.median * 1000:.1f}"
