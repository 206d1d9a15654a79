from pathlib import Path

import pytest

LIGHT = frozenset({"test_history.py", "test_extra.py"})
"""Files that need nothing of the extra; the others can't even be imported without it."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_light = collection_path.name in LIGHT or not collection_path.name.startswith("test_")
    return None if is_light or "agent" in config.getoption("with_groups").split(",") else True
