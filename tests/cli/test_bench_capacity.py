"""``primavoce bench throughput`` and ``primavoce bench overhead``."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from primavoce.bench.loop_meter import Longest
from primavoce.bench.overhead import OverheadReport
from primavoce.bench.setting import Machine
from primavoce.bench.tail import Tail
from primavoce.bench.throughput import Level, Offline, ThroughputReport
from primavoce.cli.capacity_view import overhead_tables, throughput_tables
from primavoce.cli.commands import app

MACHINE = Machine("Example 9000", 4, 2, 2, 8 * 2**30, 0.25)


def shown(tables: object) -> str:
    console = Console(width=120, force_terminal=False)
    with console.capture() as capture:
        console.print(tables)
    return capture.get()


def test_throughput_shows_each_level_and_for_how_many_there_is_room() -> None:
    levels = (
        Level(1, 4, 0, 0.0, 0, 0.41, 0.52, 0.97),
        Level(4, 9, 3, 0.25, 17, 0.93, 1.44, 2.12),
        Level(8, 0, 0, 0.0, 99, None, None, 0.0),
    )
    report = ThroughputReport(
        "throughput", "af_heart", 60.0, 30.0, levels, Offline(2.5, 50.0, 20.0), MACHINE, "", {}
    )  # fmt: skip

    told = shown(throughput_tables(report))

    assert "voice af_heart: 60 s each, text at 30 tokens a second" in told
    assert "0.41, 0.52" in told
    assert "3 (0.25 s)" in told
    assert "–, –" in told
    assert "2.50 audio hours an hour (real-time factor 0.400), which is room for 2 sessions" in told
    assert "Example 9000, 2 of 4 cores, 2 threads, 8 GiB, load 0.2 before" in told


@pytest.mark.parametrize(("hours", "room"), [(0.5, "1 session"), (2.2, "1 session"), (3.4, "3 sessions")])
def test_room_is_nine_tenths_of_the_rate_and_never_nothing(hours: float, room: str) -> None:
    report = ThroughputReport("throughput", "af_heart", 60.0, 30.0, (), Offline(hours, 1.0, 1.0), MACHINE, "", {})

    assert shown(throughput_tables(report)).count(f"room for {room}\n") == 1


def test_overhead_shows_milliseconds_and_whose_the_longest_callback_was() -> None:
    report = OverheadReport(
        "overhead",
        300,
        Tail(0.005, 0.004, 0.009, 0.0071, 300),
        Tail(0.00025, 0.0002, 0.0005, 0.00031, 300),
        Tail(0.00004, 0.00002, 0.0001, 0.00005, 300),
        Longest(0.0009, "SessionShell._read", 20000),
        MACHINE,
        None,
        {},
    )

    told = shown(overhead_tables(report))

    assert "milliseconds, 300 trials each" in told
    for value in ("5.000", "7.100", "0.250", "0.040"):
        assert value in told
    assert "0.90 ms of processor, SessionShell._read, of 20000" in told


@pytest.mark.parametrize("listed", ["", "0", "1,", "1,two", "-1", "1001", "1;2", "1.5"])
def test_a_list_of_sessions_that_is_none_is_one_sentence(listed: str) -> None:
    ended = CliRunner().invoke(app, ["bench", "throughput", f"--sessions={listed}"])

    assert ended.exit_code == 1
    assert f"primavoce: --sessions: must list numbers from 1 to 1000, not {listed!r}" in ended.output


def test_a_plot_without_the_extra_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    ended = CliRunner().invoke(app, ["bench", "throughput", "--plot", str(tmp_path)])

    assert ended.exit_code == 1
    assert "--plot needs the extra 'bench'" in ended.output


def test_a_voice_of_another_language_is_one_sentence() -> None:
    ended = CliRunner().invoke(app, ["bench", "throughput", "--voice", "if_sara"])

    assert ended.exit_code == 1
    assert "primavoce: --voice: the texts are English" in ended.output


def test_the_server_that_is_only_for_measuring_is_in_no_list() -> None:
    told = CliRunner().invoke(app, ["bench", "--help"]).output

    assert "throughput" in told
    assert "overhead" in told
    assert "humming" not in told


@pytest.mark.timeout(60)
def test_overhead_prints_one_object_alone() -> None:
    command = [sys.executable, "-m", "primavoce", "bench", "overhead", "--trials", "3", "--json"]

    done = subprocess.run(command, capture_output=True, timeout=50, check=True)

    told = json.loads(done.stdout)
    assert (told["benchmark"], told["trials"]) == ("overhead", 3)
    assert told["per_utterance_s"]["n"] == 3
    assert told["event_loop"]["longest_callback_cpu_s"] > 0


@pytest.mark.timeout(60)
def test_the_measured_server_leaves_with_whoever_started_it() -> None:
    command = [sys.executable, "-m", "primavoce", "bench", "humming-server"]

    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stdout.readline().startswith(b"ready http://127.0.0.1:")
        server.stdin.close()
        assert server.wait(timeout=20) in {0, -signal.SIGTERM}


@pytest.mark.peers
@pytest.mark.timeout(600)
def test_throughput_measures_the_real_voice_and_prints_one_object_alone(tmp_path: Path, weights_path: Path) -> None:
    command = [
        sys.executable, "-m", "primavoce", "bench", "throughput", "--sessions", "1", "--seconds", "5", "--json",
        "--plot", str(tmp_path),
    ]  # fmt: skip

    done = subprocess.run(command, capture_output=True, timeout=580, check=True)

    told = json.loads(done.stdout)
    (level,) = told["sessions"]
    assert (level["n"], level["answers"], level["refused"]) == (1, 1, 0)
    assert 0 < level["audio_hours_per_hour"] <= 1
    assert told["offline"]["audio_hours_per_hour"] > 0
    assert len(list(tmp_path.iterdir())) == 4
