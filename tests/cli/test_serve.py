import pytest
from typer.testing import CliRunner

from primavoce.cli.commands import app


def test_a_default_voice_that_does_not_exist_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAVOCE_VOICE", "nobody")

    done = CliRunner().invoke(app, ["serve", "--port", "0"])

    assert done.exit_code == 1
    assert done.stderr.startswith("primavoce: PRIMAVOCE_VOICE: unknown voice")


@pytest.mark.parametrize("asked", ["fast", "auto,af_sky=loud", "nobody=whole"])
def test_a_vocoder_that_does_not_exist_is_refused_at_the_start(asked: str) -> None:
    done = CliRunner().invoke(app, ["serve", "--port", "0", "--vocoder", asked])

    assert done.exit_code == 1
    assert done.stderr.startswith("primavoce: --vocoder: ")


def test_the_environments_vocoder_is_refused_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAVOCE_VOCODER", "fast")

    done = CliRunner().invoke(app, ["serve", "--port", "0"])

    assert done.exit_code == 1
    assert done.stderr.startswith("primavoce: PRIMAVOCE_VOCODER: ")
