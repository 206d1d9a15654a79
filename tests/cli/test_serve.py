import pytest
from typer.testing import CliRunner

from primavoce.cli.commands import app


def test_a_default_voice_that_does_not_exist_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAVOCE_VOICE", "nobody")

    done = CliRunner().invoke(app, ["serve", "--port", "0"])

    assert done.exit_code == 1
    assert done.stderr.startswith("primavoce: PRIMAVOCE_VOICE: unknown voice")
