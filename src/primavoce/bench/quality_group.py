"""Modules of the dependency group `quality`, which few install: a recogniser, and FFmpeg's decoders."""

import importlib
from importlib.util import find_spec
from typing import Any

from primavoce.errors import InvalidSetting

WITH_IT = "uv run --group quality primavoce bench transport"


def has(module: str) -> bool:
    """Say whether ``module`` is installed."""
    return find_spec(module) is not None


def load(module: str, *, wanted_for: str) -> Any:  # noqa: ANN401 - a module without types
    """Return ``module``.

    Args:
        module: Its name; it has no types that can be relied on, for it is rarely there.
        wanted_for: What can't be done without.

    Raises:
        InvalidSetting: it isn't installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise InvalidSetting(wanted_for, f"needs the group `quality`: {WITH_IT}") from error
