"""Picture of what each way to a listener costs, as PNG and SVG; needs the extra ``bench``."""

from pathlib import Path
from typing import TYPE_CHECKING

from primavoce.bench.plots import INK, OTHERS, OURS, draw_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from primavoce.bench.transport import TransportReport

MARKS = {"websocket": ("o", OURS, "WebSocket, binary"), "sse": ("s", OTHERS, "SSE, base64"), "": ("D", INK, "not sent")}
"""Shape, colour and name by transport."""


def plot_transport(report: "TransportReport", folder: Path) -> list[Path]:
    """Draw bytes against the time to the first audio that can be decoded, a point for each way; return the files.

    Raises:
        ExtraMissing: the extra isn't installed.
        InvalidSetting: ``folder`` can't be written to.
    """

    def ways(axes: "Axes") -> None:
        _ways(axes, report)

    return list(draw_figure(folder, "transport", ways, 4.6))


def _ways(axes: "Axes", report: "TransportReport") -> None:
    rates: list[float] = []
    for transport, (shape, colour, name) in MARKS.items():
        there = [way for way in report.ways if way.transport == transport]
        kbit_s = [8 * (way.wire_bytes or way.payload_bytes) / report.audio_s / 1000 for way in there]
        first_s = [way.first_decodable_s.median for way in there]
        if there:
            axes.plot(kbit_s, first_s, shape, color=colour, markersize=8, label=name)
        names = {way.format: (x, y) for way, x, y in zip(there, kbit_s, first_s, strict=True)}
        if {"pcm", "wav"} <= names.keys():
            names["pcm, wav"] = names.pop("wav")  # a header apart
            del names["pcm"]
        for format_name, place in names.items():
            above = transport != "sse"
            axes.annotate(
                format_name, place, xytext=(0, 9 if above else -9), textcoords="offset points", ha="center",
                va="bottom" if above else "top", fontsize=10,
            )  # fmt: skip
        rates += kbit_s
    axes.set_xscale("log")
    axes.set_xlim(min(rates) * 0.7, max(rates) * 1.4)
    axes.set_ylim(0, max(way.first_decodable_s.median for way in report.ways) * 1.35)
    ticks = [each for each in (32, 64, 128, 256, 512, 1024) if min(rates) * 0.7 <= each <= max(rates) * 1.4]
    axes.set_xticks(ticks, [str(each) for each in ticks])
    axes.minorticks_off()
    axes.grid(axis="both")
    axes.legend(loc="lower right", frameon=True, framealpha=1.0, edgecolor="white")
    axes.set_title("Bytes, and the wait for the first of them that can be heard")
    axes.set_xlabel("kbit on the wire for a second of audio")
    axes.set_ylabel("seconds")
