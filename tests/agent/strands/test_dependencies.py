import re
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.agent

LICENCES = Path(__file__).parents[3] / "docs" / "licences.md"


def needed_by(name: str, extras: frozenset[str], seen: set[str]) -> set[str]:
    """The names of what ``name`` with ``extras`` needs on this machine, and what that needs."""
    for text in requires(name) or ():
        need = Requirement(text)
        other = canonicalize_name(need.name)
        wanted = need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras))
        if wanted and other not in seen:
            seen.add(other)
            try:
                needed_by(other, frozenset(need.extras), seen)
            except PackageNotFoundError:
                pytest.fail(f"{other} is not installed")
    return seen


def test_every_dependency_of_the_agent_has_its_licence_listed_and_torch_is_none_of_them() -> None:
    listed = set(re.findall(r"(?m)^\| ([\w.-]+) \| .+ \| .+ \|$", LICENCES.read_text()))

    needed = needed_by("primavoce", frozenset({"agent"}), set())

    assert {"strands-agents", "xllamacpp", "openai", "botocore"} <= needed
    assert needed - listed == set()
    assert "torch" not in needed
