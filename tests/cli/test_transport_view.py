"""``primavoce bench transport``: what it shows, and what it refuses."""

import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from primavoce.bench.setting import Machine
from primavoce.bench.spread import Spread
from primavoce.bench.transport import TransportReport
from primavoce.bench.ways import Way
from primavoce.cli.commands import app
from primavoce.cli.transport_view import transport_table

MACHINE = Machine("Example 9000", 4, 2, 2, 8 * 2**30, 0.25)


def spread(value: float) -> Spread:
    return Spread(value, value, value, 3)


WAYS = (
    Way("websocket", "mp3", 400_000, 0.0, 410_123, 0, 0, 0, 0.3, spread(0.4321), spread(0.0052), spread(0.0061), 0.05),
    Way("sse", "pcm", 2_400_000, 1 / 3, 3_300_000, 144, 140, 3, 0.2, spread(0.41), spread(0.004), spread(0.01), None),
    Way("", "aac", 200_000, 0.0, None, 0, 0, 0, 0.3, spread(0.43), None, None, 0.0),
)


def shown(report: TransportReport) -> str:
    console = Console(width=80, force_terminal=False)
    with console.capture() as capture:
        console.print(transport_table(report))
    return capture.get()


def test_each_way_is_a_line_and_what_was_not_measured_is_a_dash() -> None:
    told = shown(TransportReport("transport", "af_heart", 3, 24, 49.25, WAYS, MACHINE, "6e74", {}))
    lines = {
        name: line
        for line in told.splitlines()
        for name in ("WebSocket mp3", "SSE pcm", "not sent aac")
        if line.startswith(f"│ {name}")
    }
    cells = {name: [cell.strip() for cell in line.strip("│").split("│")] for name, line in lines.items()}

    assert "24 clips, 49.2 s in all, voice af_heart; medians of 3 trials" in told
    assert cells["WebSocket mp3"][1:] == ["400", "–", "410", "0.432", "5.2", "6.1", "5.0%"]
    assert cells["SSE pcm"][1:] == ["2,400", "+33.3%", "3,300", "0.410", "4.0", "10.0", "–"]
    assert cells["not sent aac"][1:] == ["200", "–", "–", "0.430", "–", "–", "0.0%"]
    assert "SSE pcm: of 144 events, blocks of 4 KiB cut 140, reads of the socket 3\n" in told
    assert "of 0 events" not in told
    assert "Example 9000, 2 of 4 cores" in told


def test_listening_without_the_recogniser_is_refused_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "faster_whisper", None)

    ended = CliRunner().invoke(app, ["bench", "transport", "--wer"])

    assert ended.exit_code == 1
    assert "primavoce: --wer: needs the group `quality`" in ended.output


def test_the_server_that_replays_is_in_no_list_and_says_what_is_missing(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["bench", "--help"]).output
    ended = CliRunner().invoke(app, ["bench", "replay-server", str(tmp_path / "nothing")])

    assert "transport" in told
    assert "replay-server" not in told
    assert ended.exit_code == 1
    assert "has no clips" in ended.output
