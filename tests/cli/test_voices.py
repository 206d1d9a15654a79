import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from primavoce.cli.voices import voices
from primavoce.kokoro import prediction


@pytest.fixture(autouse=True)
def nothing_calibrated_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAVOCE_CACHE", str(tmp_path))


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    app.command()(voices)
    return app


def test_the_table_has_all_voices_with_their_language(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, [])

    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert len(lines) == 1 + 54
    assert lines[4].split() == ["af_heart", "*", "en-us", "American", "English", "female", "stream"]


def test_json_has_all_voices_for_machines(app: typer.Typer) -> None:
    listed = json.loads(CliRunner().invoke(app, ["--json"]).stdout)

    assert len(listed) == 54
    assert listed[3] == {
        "name": "af_heart",
        "language": "en-us",
        "gender": "female",
        "default": True,
        "vocoder": "stream",
    }
    assert sum(voice["default"] for voice in listed) == 9
    assert {voice["vocoder"] for voice in listed} == {"stream"}


def test_where_nothing_tells_what_is_calibrated_every_voice_is_whole(
    app: typer.Typer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prediction, "packaged_predictor", lambda: None)

    listed = json.loads(CliRunner().invoke(app, ["--json"]).stdout)

    assert {voice["vocoder"] for voice in listed} == {"whole"}


def test_one_language_can_be_asked_for(app: typer.Typer) -> None:
    listed = json.loads(CliRunner().invoke(app, ["--json", "--language", "IT"]).stdout)

    assert [voice["name"] for voice in listed] == ["if_sara", "im_nicola"]


def test_an_unknown_language_is_one_sentence(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["--language", "de"])

    assert result.exit_code == 1
    assert result.stderr.startswith("primavoce: unknown language 'de'; known languages are en-us,")
    assert result.stderr.count("\n") == 1
