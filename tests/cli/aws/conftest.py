"""An account in memory, and none of this machine's."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import RenderableType

from primavoce.aws.account import Account
from primavoce.cli import aws_run
from primavoce.cli.aws_view import show
from tests.aws.world import NAMES, World
from tests.cli.aws.running import run

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(params=["terminal", "pipe"])
def printed(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[RenderableType], list[str]]:
    """Return what shows a view in 80 columns, and returns the lines that come out."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    if request.param == "terminal":
        monkeypatch.setenv("FORCE_COLOR", "1")

    def lines(view: RenderableType) -> list[str]:
        show(view)
        return [ESCAPES.sub("", line).rstrip() for line in capsys.readouterr().out.splitlines()]

    return lines


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of this machine's account be found, and nothing be left in the environment."""
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    levels = [
        {"n": n, "answers": 9, "underruns": 0 if n <= 50 else 4, "refused": 0, "first_sound_p95_s": 0.4}
        for n in (10, 50, 80)
    ]
    file = tmp_path / "result.json"
    file.write_text(json.dumps({"benchmark": "throughput", "sessions": levels, "machine": {"cpu": "A10G", "cores": 4}}))
    return file


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """An account in memory, its programs, and a voice that is always there."""
    from primavoce.aws import commands

    world = World()
    monkeypatch.setattr(Account, "open", world.account)
    monkeypatch.setattr(commands, "LocalCommands", lambda *_: world)
    monkeypatch.setattr(aws_run, "_speech", lambda *_, **__: True)
    monkeypatch.setattr(aws_run, "_agent", lambda *_, **__: True)
    return world


@pytest.fixture
def standing(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A deployment, and a look around that finds its endpoint as long as it is there."""
    from primavoce.aws import leftovers

    def look(*_: object) -> leftovers.Leftovers:
        found = leftovers.Leftover("endpoint", NAMES.endpoint, "each instance", "aws sagemaker delete-endpoint")
        return leftovers.Leftovers((found,) if NAMES.speech_stack in world.stacks else (), ())

    monkeypatch.setattr(leftovers, "leftovers", look)
    assert run("deploy", "all").exit_code == 0
    return world
