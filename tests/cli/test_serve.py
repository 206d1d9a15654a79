import os
import subprocess
import sys

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


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--host", "0.0.0.0"], "primavoce: PRIMAVOCE_HOST: others reach 0.0.0.0, and no API key is asked for"),
        (["--tls-key", "key.pem"], "primavoce: PRIMAVOCE_TLS_CERTIFICATE: TLS needs a certificate and its key"),
    ],
)
def test_a_server_that_would_let_everybody_in_or_cannot_speak_tls_does_not_start(
    options: list[str], sentence: str
) -> None:
    command = [sys.executable, "-m", "primavoce", "serve", "--port", "0", *options]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PRIMAVOCE_")}

    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=50, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith(sentence)


def test_a_device_that_can_not_be_had_is_refused_and_nothing_else_is_told() -> None:
    code = "import onnxruntime as o; o.get_available_providers = lambda: ['CPUExecutionProvider']; "
    command = [sys.executable, "-c", code + "from primavoce.cli import main; main()", "serve", "--port", "0"]

    done = subprocess.run([*command, "--device", "cuda"], capture_output=True, text=True, timeout=50, check=False)

    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith("primavoce: cuda can't be used: ")


def test_an_unknown_device_is_refused_at_the_start() -> None:
    done = CliRunner().invoke(app, ["serve", "--port", "0", "--device", "gpu"])

    assert done.exit_code == 1
    assert done.stderr.startswith("primavoce: --device: must be one of auto, cpu, cuda")
