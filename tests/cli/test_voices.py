import json

import pytest
import typer
from typer.testing import CliRunner

from primavoce.cli.voices import voices


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
    assert lines[4].split() == ["af_heart", "*", "en-us", "American", "English", "female"]


def test_json_has_all_voices_for_machines(app: typer.Typer) -> None:
    listed = json.loads(CliRunner().invoke(app, ["--json"]).stdout)

    assert len(listed) == 54
    assert listed[3] == {"name": "af_heart", "language": "en-us", "gender": "female", "default": True}
    assert sum(voice["default"] for voice in listed) == 9


def test_one_language_can_be_asked_for(app: typer.Typer) -> None:
    listed = json.loads(CliRunner().invoke(app, ["--json", "--language", "IT"]).stdout)

    assert [voice["name"] for voice in listed] == ["if_sara", "im_nicola"]


def test_an_unknown_language_is_one_sentence(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["--language", "de"])

    assert result.exit_code == 1
    assert result.stderr.startswith("primavoce: unknown language 'de'; known languages are en-us,")
    assert result.stderr.count("\n") == 1
