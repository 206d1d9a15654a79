"""What `scripts/tracked` and `scripts/lock` promise."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOST = "pypi-org".replace("-", ".")  # this file is tracked too
MACHINE_PATH = "-root-weights".replace("-", "/")


def run_script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = [sys.executable, str(ROOT / "scripts" / name), *arguments]
    return subprocess.run(script, check=False, capture_output=True, text=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("uv.lock\n")
    return tmp_path


def test_this_repository_is_fit_to_be_published() -> None:
    checked = run_script("tracked")

    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        (
            "docs.md",
            f"fine\nget it from https://files.{HOST.upper()}/x",
            "docs.md: line 2 names a package registry's host",
        ),
        ("run.sh", f"ls {MACHINE_PATH}", "run.sh: line 1 names a path of one machine"),
        ("long.wav", "x" * 200_001, "long.wav: has 200001 bytes; at most 200000 are allowed"),
        ("model.onnx", "x" * 5_000_001, "model.onnx: has 5000001 bytes; at most 5000000 are allowed"),
    ],
)
def test_an_unfit_file_is_named_with_its_fault(repository: Path, name: str, content: str, fault: str) -> None:
    (repository / name).write_text(content)

    checked = run_script("tracked", str(repository))

    assert checked.returncode == 1
    assert fault in checked.stdout
    assert len(checked.stdout.splitlines()) == 1


def test_what_git_ignores_is_not_looked_at(repository: Path) -> None:
    (repository / "uv.lock").write_text(f"https://{HOST}/simple")

    checked = run_script("tracked", str(repository))

    assert checked.returncode == 0, checked.stdout


def test_a_tracked_lock_file_is_a_fault(repository: Path) -> None:
    (repository / "uv.lock").write_text("version = 1")
    subprocess.run(["git", "add", "--force", "uv.lock"], cwd=repository, check=True)

    checked = run_script("tracked", str(repository))

    assert checked.returncode == 1
    assert "uv.lock: is tracked" in checked.stdout
