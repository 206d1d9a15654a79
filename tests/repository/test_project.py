"""What the project's own files say to each other."""

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import primavoce

ROOT = Path(__file__).parents[2]
TEST_COMMAND = "pip install uv && uv run pytest"
MAIN_COMMAND = "pip install uv && uv run primavoce demo"


def installed_with(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[str]:
    """Yield the distributions that ``name`` brings along, itself left out."""
    for requirement in map(Requirement, metadata.requires(name) or []):
        key = canonicalize_name(requirement.name), frozenset(requirement.extras)
        wanted = requirement.marker is None or any(
            requirement.marker.evaluate({"extra": extra}) for extra in {"", *extras}
        )
        if wanted and key not in seen:
            seen.add(key)
            yield key[0]
            yield from installed_with(key[0], key[1], seen)


def test_the_version_is_the_same_in_the_package_and_in_its_metadata() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project["version"] == primavoce.__version__


@pytest.mark.parametrize("command", [TEST_COMMAND, MAIN_COMMAND])
@pytest.mark.parametrize("file", ["README.md", ".ci/run"])
def test_the_readme_and_ci_run_the_same_two_commands(file: str, command: str) -> None:
    assert re.search(rf"(?m){re.escape(command)}\W*$", (ROOT / file).read_text())


def test_every_dependency_of_the_engine_and_the_server_has_its_licence_listed() -> None:
    listed = re.findall(r"(?m)^\| ([\w.-]+) \| .+ \| .+ \|$", (ROOT / "docs/licences.md").read_text())

    needed = set(installed_with("primavoce", frozenset({"engine", "server"}), set()))

    assert {"misaki", "starlette", "numpy"} <= needed
    assert needed - set(listed) == set()


def test_every_pin_of_the_engine_is_the_version_that_is_installed() -> None:
    pins = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["constraint-dependencies"]
    pinned = {requirement.name: requirement for requirement in map(Requirement, pins)}

    needed = set(installed_with("primavoce", frozenset({"engine", "server"}), set()))

    assert needed <= set(pinned)
    assert [name for name in needed if not pinned[name].specifier.contains(metadata.version(name))] == []


def test_the_changelog_has_a_section_for_what_is_not_released() -> None:
    assert "\n## Unreleased\n" in (ROOT / "CHANGELOG.md").read_text()
