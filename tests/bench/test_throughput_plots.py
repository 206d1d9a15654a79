"""Pictures of how many can be spoken to at a time."""

from pathlib import Path

import pytest

from primavoce.bench.setting import Machine
from primavoce.bench.throughput import Level, Offline, ThroughputReport
from primavoce.bench.throughput_plots import plot_throughput

MACHINE = Machine("Example 9000", 2, 2, 2, None, None)
LEVELS = (
    Level(1, 4, 0, 0.0, 0, 0.4, 0.5, 0.97),
    Level(3, 9, 2, 0.25, 30, 0.9, 1.4, 2.1),
    Level(8, 0, 0, 0.0, 99, None, None, 0.0),
)


@pytest.fixture
def report() -> ThroughputReport:
    return ThroughputReport(
        "throughput", "af_heart", 60.0, 30.0, LEVELS, Offline(2.9, 58.0, 20.0), MACHINE, "6e74", {}
    )  # fmt: skip


@pytest.mark.peers
def test_throughput_is_drawn_as_png_and_svg(report: ThroughputReport, tmp_path: Path) -> None:
    files = plot_throughput(report, tmp_path / "new" / "folder")

    assert [file.name for file in files] == [
        "throughput-first-sound.png", "throughput-first-sound.svg", "throughput-audio.png", "throughput-audio.svg",
    ]  # fmt: skip
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files if file.suffix == ".png")
    assert all(b"<svg" in file.read_bytes() for file in files if file.suffix == ".svg")


@pytest.mark.peers
def test_a_level_at_which_nobody_was_heard_can_be_all_there_is(report: ThroughputReport, tmp_path: Path) -> None:
    silent = ThroughputReport(
        "throughput", "af_heart", 60.0, 30.0, LEVELS[2:], report.offline, MACHINE, "6e74", {}
    )  # fmt: skip

    assert len(plot_throughput(silent, tmp_path)) == 4
