from pathlib import Path

import pytest
from typer.testing import CliRunner

from primavoce.access import digest_of
from primavoce.cli.commands import app


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["keys", *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_a_key_is_printed_once_and_then_only_its_name(tmp_path: Path) -> None:
    file = str(tmp_path / "keys")

    status, said, _ = run("add", "ada", "--file", file)
    listed = run("list", "--file", file)

    assert status == 0
    assert said.startswith("pv_")
    assert digest_of(said.strip().encode()).hex() in Path(file).read_text()
    assert listed == (0, "ada\n", "")


def test_a_key_is_taken_away(tmp_path: Path) -> None:
    file = str(tmp_path / "keys")
    for name in ("ada", "grace"):
        run("add", name, "--file", file)

    status, _, _ = run("remove", "ada", "--file", file)

    assert status == 0
    assert run("list", "--file", file)[1] == "grace\n"


def test_the_file_may_be_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAVOCE_KEYS_FILE", str(tmp_path / "keys"))

    assert run("add", "ada")[0] == 0
    assert (tmp_path / "keys").exists()


def test_without_a_file_the_command_says_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRIMAVOCE_KEYS_FILE", raising=False)

    status, _, said = run("add", "ada")

    assert status == 1
    assert "PRIMAVOCE_KEYS_FILE" in said


@pytest.mark.parametrize("command", ["list", "remove"])
def test_a_file_that_is_not_there_ends_with_a_sentence(tmp_path: Path, command: str) -> None:
    status, _, said = run(command, *(["ada"] if command == "remove" else []), "--file", str(tmp_path / "none"))

    assert status == 1
    assert said.startswith("primavoce: ")
    assert "can't be read" in said
