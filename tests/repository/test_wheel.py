"""The wheel, without extras, in an empty environment."""

import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.quality, pytest.mark.timeout(180)]

ROOT = Path(__file__).parents[2]


def run(*command: str | Path) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment's commands, with nothing but the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("wheel")
    run("uv", "build", "--quiet", "--wheel", "--out-dir", folder)
    (wheel,) = folder.glob("*.whl")
    run("uv", "venv", "--quiet", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    run("uv", "pip", "install", "--quiet", "--python", python, wheel)
    return python.parent


def test_it_brings_the_client(environment: Path) -> None:
    run(environment / "python", "-I", "-W", "error", "-c", "import primavoce.client, primavoce.testing")


def test_its_command_says_what_it_can_do(environment: Path) -> None:
    assert "serve" in run(environment / "primavoce", "--help")


def test_it_brings_no_model_run_time(environment: Path) -> None:
    packages = run("uv", "pip", "list", "--quiet", "--python", environment / "python", "--format", "freeze")

    assert "websockets==" in packages
    assert "numpy" not in packages


def test_it_carries_its_licence_and_its_types(environment: Path) -> None:
    code = "from importlib.metadata import files; print(*files('primavoce'), sep='\\n')"

    names = run(environment / "python", "-I", "-c", code)

    assert "primavoce/py.typed" in names
    assert "licenses/LICENSE" in names
    assert "licenses/NOTICE" in names
