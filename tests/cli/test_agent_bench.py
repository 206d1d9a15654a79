"""``primavoce bench agent``: what it shows, and what it refuses."""

import sys

import pytest
from rich.console import Console
from typer.testing import CliRunner

from primavoce.bench.agent import AgentReport
from primavoce.cli.agent_bench_view import agent_tables
from primavoce.cli.commands import app
from tests.bench.agent_reports import agent_report


def shown(report: AgentReport) -> str:
    console = Console(width=120, force_terminal=False)
    with console.capture() as capture:
        console.print(agent_tables(report))
    return capture.get()


def row(told: str, name: str) -> list[str]:
    line = next(line for line in told.splitlines() if line.startswith(f"│ {name}"))
    return [cell.strip() for cell in line.strip("│").split("│")]


def test_it_shows_medians_ratios_goals_and_what_was_published() -> None:
    told = shown(agent_report())

    assert "model scripted, 30 tokens/s after 0.35 s, speech local, voice af_heart" in told
    assert "the same 4 characters in each trial" in told
    assert "median of 3 trials (least–most)" in told
    assert row(told, "first audio") == ["first audio", "1.10 (1.00–1.20)", "12.10 (12.00–12.20)", "4.10 (4.00–4.20)"]
    assert row(told, "batch")[1] == "11.0 (10.2–12.0)"
    assert row(told, "batch")[3:] == ["≥ 10", "yes"]
    assert "published: 2.4 local, 3.5 deployed; one trial each, another machine" in told
    assert "interruption, of 2: last audio 2.0 ms after the cancel (most 4.0), told after 3.5 ms (most 5.0)\n" in told
    assert "goal: last audio within 100 ms, reached" in told
    assert "Example 9000, 2 of 4 cores" in told


def test_a_goal_that_is_missed_is_told() -> None:
    told = shown(agent_report())
    lines = [line for line in told.splitlines() if line.startswith("│ text complete")]

    assert "no" in lines[-1]
    assert "≥ 5" in lines[-1]


def test_texts_that_differ_and_interruptions_that_met_nothing_are_told() -> None:
    told = shown(agent_report(trials=1, same_text=False, interruption=None, url="http://127.0.0.1:8081"))

    assert "the agent at http://127.0.0.1:8081, voice af_heart" in told
    assert "the texts differ, and the ratios with them; characters in each trial: stream 4; batch 4; text" in told
    assert "interruption: every answer had ended before it" in told
    assert "seconds after the prompt, one trial" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--url", "http://127.0.0.1:1", "--model", "scripted"], "primavoce: --model: the agent behind --url"),
        (["--model", "local", "--tokens-per-s", "9"], "they are of --model scripted alone"),
        (["--url", "nowhere"], "could not open a session with nowhere"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(arguments: list[str], sentence: str) -> None:
    ended = CliRunner().invoke(app, ["bench", "agent", *arguments])

    assert ended.exit_code == 1
    assert sentence in ended.output


def test_without_the_extra_it_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "strands", None)

    ended = CliRunner().invoke(app, ["bench", "agent"])

    assert ended.exit_code == 1
    assert "`primavoce bench agent` needs the extra 'agent'" in ended.output


@pytest.mark.agent
def test_a_scripts_voice_is_english() -> None:
    ended = CliRunner().invoke(app, ["bench", "agent", "--voice", "if_sara"])

    assert ended.exit_code == 1
    assert "primavoce: --voice: the texts are English" in ended.output


def test_the_agent_it_starts_is_in_no_list() -> None:
    told = CliRunner().invoke(app, ["bench", "--help"]).output

    assert "scripted-agent" not in told
    assert "agent " in told
