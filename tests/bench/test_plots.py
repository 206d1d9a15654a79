"""Pictures of what was measured."""

import sys
from pathlib import Path

import pytest

from primavoce.bench.hearing import Figures, Heard
from primavoce.bench.latency import Lag, LatencyReport
from primavoce.bench.peers import PeersReport
from primavoce.bench.plots import plot_latency, plot_peers, require_plots
from primavoce.bench.setting import Machine
from primavoce.bench.spread import LagFit, Spread
from primavoce.errors import ExtraMissing, InvalidSetting

MACHINE = Machine("Example 9000", 2, 2, 2, None, None)


def figures(first_sound_s: float) -> Figures:
    heards = [Heard(first_sound_s, first_sound_s * share, 12.0, 16.0) for share in (1.0, 1.1, 1.3)]
    return Figures.of(heards)


@pytest.fixture
def latency() -> LatencyReport:
    lags = tuple(
        Lag(count, count, Spread.of([0.3 + 0.001 * count, 0.35 + 0.001 * count, 0.5])) for count in (20, 100, 300)
    )
    modes = {"batch": figures(10.0), "first_sentence": figures(3.0), "streaming": figures(0.5)}
    return LatencyReport(
        "latency", "af_heart", 3, 267, modes, {}, lags, LagFit(0.35, 0.001), MACHINE, "6e74", {}
    )  # fmt: skip


@pytest.fixture
def peers() -> PeersReport:
    ratios = dict.fromkeys(("first_sound", "first_sound_first_sentence", "real_time_factor_whole"), 0.5)
    return PeersReport(
        "peers", "af_heart", 3, {}, {}, {}, {**ratios, "real_time_factor": 1.3}, MACHINE, "6e74", {}
    )  # fmt: skip


def test_without_the_extra_a_plot_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(ExtraMissing, match=r"--plot needs the extra 'bench'"):
        require_plots()


@pytest.mark.peers
def test_latency_is_drawn_as_png_and_svg(latency: LatencyReport, tmp_path: Path) -> None:
    files = plot_latency(latency, tmp_path / "new" / "folder")

    assert [file.name for file in files] == [
        "latency-first-sound.png", "latency-first-sound.svg", "latency-lag.png", "latency-lag.svg",
    ]  # fmt: skip
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files if file.suffix == ".png")
    assert all(b"<svg" in file.read_bytes() for file in files if file.suffix == ".svg")


@pytest.mark.peers
def test_ratios_are_drawn(peers: PeersReport, tmp_path: Path) -> None:
    assert [file.name for file in plot_peers(peers, tmp_path)] == ["peers.png", "peers.svg"]


@pytest.mark.peers
def test_the_same_figures_make_the_same_picture(latency: LatencyReport, tmp_path: Path) -> None:
    first, second = (plot_latency(latency, tmp_path / name) for name in ("one", "two"))

    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


@pytest.mark.peers
def test_a_folder_that_cannot_be_made_is_told(latency: LatencyReport, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(InvalidSetting, match="can't write to"):
        plot_latency(latency, tmp_path / "file")
