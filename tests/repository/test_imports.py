"""What importing a part of primavoce brings along."""

import subprocess
import sys

import pytest

MODEL = frozenset({"misaki", "onnx", "onnxruntime", "spacy"})
HEAVY = MODEL | {"huggingface_hub", "numpy", "soxr", "starlette", "uvicorn"}


@pytest.mark.parametrize(
    ("module", "left_out"),
    [
        ("primavoce", HEAVY),
        ("primavoce.client", HEAVY),
        ("primavoce.scripting", HEAVY),
        ("primavoce.testing", HEAVY),
        ("primavoce.cli", MODEL),
        ("primavoce.server.app", MODEL),
    ],
)
def test_importing_a_module_imports_nothing_heavier(module: str, left_out: frozenset[str]) -> None:
    statement = f"import sys, {module}; print(*sys.modules)"

    imported = subprocess.run([sys.executable, "-c", statement], check=False, capture_output=True, text=True)

    assert imported.returncode == 0, imported.stderr
    assert left_out & set(imported.stdout.split()) == set()
