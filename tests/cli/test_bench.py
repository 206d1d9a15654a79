"""``primavoce bench``."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from primavoce.bench.hearing import Figures, Heard
from primavoce.bench.latency import Lag, LatencyReport
from primavoce.bench.peers import PeersReport
from primavoce.bench.setting import Machine
from primavoce.bench.spread import LagFit, Spread
from primavoce.cli.bench_view import latency_tables, peers_tables
from primavoce.cli.commands import app

MACHINE = Machine("Example 9000", 4, 2, 2, 8 * 2**30, 0.25)
FIGURES = Figures.of([Heard(1.0, 1.25, 4.0, 8.0), Heard(2.0, 2.25, 6.0, 8.0)])


def shown(tables: object) -> str:
    console = Console(width=120, force_terminal=False)
    with console.capture() as capture:
        console.print(tables)
    return capture.get()


def test_latency_shows_medians_with_their_range_and_the_fit() -> None:
    modes = dict.fromkeys(("batch", "first_sentence", "streaming"), FIGURES)
    lags = (Lag(19, 21, Spread.of([0.5])),)
    report = LatencyReport(
        "latency", "af_heart", 2, 267, modes, {"a_to_b": 0.25}, lags, LagFit(0.35, 0.0012), MACHINE, "", {}
    )

    told = shown(latency_tables(report))

    assert "267 characters, voice af_heart: seconds, median of 2" in told
    assert "1.75 (1.25–2.25)" in told
    assert "0.350 s + 1.20 ms · phonemes" in told
    assert "a to b" in told
    assert "Example 9000, 2 of 4 cores, 2 threads, 8 GiB, load 0.2 before" in told


def test_peers_shows_each_text_by_all_ways() -> None:
    texts = {"isolated": FIGURES}
    report = PeersReport(
        "peers", "af_heart", 2, {"isolated": 267}, {"streaming": texts}, {"create": texts}, {}, MACHINE, "", {"x": "1"}
    )

    told = shown(peers_tables(report))

    assert "isolated, 267 characters" in told
    assert "primavoce" in told
    assert "kokoro-onnx" in told
    assert "x 1" in told


@pytest.mark.parametrize("name", ["latency", "peers"])
def test_a_plot_without_the_extra_is_refused_before_anything_is_measured(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    ended = CliRunner().invoke(app, ["bench", name, "--plot", str(tmp_path)])

    assert ended.exit_code == 1
    assert "--plot needs the extra 'bench'" in ended.output


@pytest.mark.parametrize("name", ["latency", "peers"])
def test_a_voice_of_another_language_is_one_sentence(name: str) -> None:
    ended = CliRunner().invoke(app, ["bench", name, "--voice", "if_sara"])

    assert ended.exit_code == 1
    assert "primavoce: --voice: the texts are English" in ended.output


@pytest.mark.peers
@pytest.mark.timeout(600)
def test_latency_measures_the_real_voice_and_prints_one_object_alone(tmp_path: Path, weights_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "primavoce",
        "bench",
        "latency",
        "--trials",
        "1",
        "--json",
        "--plot",
        str(tmp_path),
    ]

    done = subprocess.run(command, capture_output=True, timeout=580, check=True)

    told = json.loads(done.stdout)
    modes = {name: figures["first_sound_s"]["median"] for name, figures in told["modes"].items()}
    assert modes["streaming"] < modes["batch"]
    assert told["ratios"]["streaming_to_batch_first_sound"] == pytest.approx(
        modes["streaming"] / modes["batch"], abs=1e-4
    )
    assert [lag["characters"] for lag in told["by_length"]] == [19, 37, 59, 95, 134, 206, 303]
    assert len(list(tmp_path.iterdir())) == 4
