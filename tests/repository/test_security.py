"""docs/security.md's table of minimum versions holds everywhere, and nothing here can load a pickle."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/security.md").read_text()
ROW = re.compile(r"(?m)^\| ([a-z0-9-]+) \| (\d[\d.]*) \| ([^|]+) \| [^|]+ \|$")
ADVISORY = re.compile(r"(?:PYSEC-\d{4}-\d+|CVE-\d{4}-\d{4,}|GHSA(?:-[0-9a-z]{4}){3})")
FLOORS = {name: Version(floor) for name, floor, _ in ROW.findall(DOCUMENT)}
LOCKS = ("requirements.lock", *(f"docker/{path.name}" for path in sorted((ROOT / "docker").glob("*.lock"))))
NEVER_SHIPPED = {"torch", "transformers", "tensorflow"}
LOADERS_OF_PICKLES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "torch"}

SERVING = """
import sys
import primavoce.server.run, primavoce.synthesis.kokoro_engine
from primavoce.server.app import create_app
from primavoce.server.lobby import Lobby
from primavoce.server.state import ServerState
from primavoce.settings import Settings
from primavoce.testing.fake_engine import fake_engine

create_app(fake_engine(), Settings.from_env({}), ServerState(Lobby(1)), on_loopback=True)
print(*sys.modules)
"""
READING = """
import sys
from primavoce.phonemes.phonemizer import Phonemizer

Phonemizer(preload=("en-us",))
print(*sys.modules)
"""


def pinned_in(text: str) -> dict[str, Version]:
    found = re.findall(r"(?m)^([\w.-]+)==([^\s;\\]+)", text)
    return {canonicalize_name(name): Version(version) for name, version in found}


def too_old(versions: dict[str, Version]) -> dict[str, str]:
    return {name: str(version) for name, version in versions.items() if name in FLOORS and version < FLOORS[name]}


def test_the_table_has_the_floors_that_it_was_made_for() -> None:
    assert FLOORS["torch"] >= Version("2.10.0")
    assert FLOORS["starlette"] >= Version("1.3.1")
    assert FLOORS["h11"] >= Version("0.16.0")
    assert FLOORS["aiohttp"] >= Version("3.14.3")
    assert {"onnx", "onnxruntime", "transformers"} <= set(FLOORS)


@pytest.mark.parametrize(("name", "advisories"), [(name, text) for name, _, text in ROW.findall(DOCUMENT)])
def test_every_floor_names_its_advisories(name: str, advisories: str) -> None:
    assert ADVISORY.search(advisories) or advisories == "none is published"


def test_a_version_below_its_floor_is_noticed() -> None:
    assert too_old(pinned_in("starlette==1.3.0 \\\n    --hash=sha256:00\nh11==0.16.0\n")) == {"starlette": "1.3.0"}


def test_no_pin_of_the_project_is_below_its_floor() -> None:
    pins = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["constraint-dependencies"]
    pinned = pinned_in("\n".join(pins))

    assert len(pinned) > 100
    assert too_old(pinned) == {}


@pytest.mark.parametrize("lock", LOCKS)
def test_no_version_of_a_lock_is_below_its_floor(lock: str) -> None:
    pinned = pinned_in((ROOT / lock).read_text())

    assert pinned
    assert too_old(pinned) == {}


def test_nothing_that_is_installed_is_below_its_floor() -> None:
    installed = {
        canonicalize_name(each.name): Version(each.version)
        for each in metadata.distributions()
        if each.name  # a folder that an uninstallation left behind has none
    }

    assert {"starlette", "h11"} <= set(installed)
    assert too_old(installed) == {}


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_has_a_library_that_loads_pickled_weights(lock: str) -> None:
    assert NEVER_SHIPPED & set(pinned_in((ROOT / lock).read_text())) == set()


def test_no_requirement_of_the_project_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    named = {Requirement(each).name for each in [*project["dependencies"], *(each for some in extras for each in some)]}

    assert NEVER_SHIPPED & named == set()


@pytest.mark.parametrize(
    "statements", [pytest.param(SERVING, id="serving"), pytest.param(READING, id="reading", marks=pytest.mark.model)]
)
def test_serving_imports_no_library_that_loads_pickled_weights(statements: str) -> None:
    imported = subprocess.run([sys.executable, "-c", statements], check=False, capture_output=True, text=True)

    assert imported.returncode == 0, imported.stderr
    modules = set(imported.stdout.split())
    assert modules & {"onnxruntime", "misaki"}
    assert NEVER_SHIPPED & modules == set()


def test_no_source_loads_a_pickle() -> None:
    found = {path: loaders_in(path.read_text()) for path in (ROOT / "src").rglob("*.py")}

    assert len(found) > 100
    assert {path: loaders for path, loaders in found.items() if loaders} == {}


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from torch import load",
        "import joblib.numpy_pickle",
        "np.load(path, allow_pickle=True)",
        "np.load(path, allow_pickle=asked)",
        "eval(text)",
        "exec(text)",
    ],
)
def test_a_loader_of_pickles_would_be_noticed(source: str) -> None:
    assert loaders_in(source)


def loaders_in(source: str) -> list[str]:
    """Return what in ``source`` could run what it loads."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found += [each.name for each in names if each.name.partition(".")[0] in LOADERS_OF_PICKLES]
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in LOADERS_OF_PICKLES:
                found.append(module)
            case ast.Call(func=ast.Name(id="eval" | "exec" as name)):
                found.append(name)
            case ast.keyword(arg="allow_pickle", value=value) if not (
                isinstance(value, ast.Constant) and value.value is False
            ):
                found.append("allow_pickle")
    return found
