from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what can't be imported without the extras."""
    heavy = collection_path.name.startswith("test_loopback_")
    return True if heavy and "aws" not in config.getoption("with_groups").split(",") else None
