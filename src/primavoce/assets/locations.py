"""Where assets are looked for, and from where they may be fetched."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SOURCES = ("packages", "hub")
"""Every source, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class AssetLocations:
    """Where assets are looked for, in order, and what may be done when they are in none of these places."""

    cache_dir: Path
    """Folder that fetched files are kept in; made when first needed."""
    local_dir: Path | None = None
    """Folder looked in before the cache and never written to; laid out like the cache or like the hub's repository."""
    sources: tuple[str, ...] = SOURCES
    """Sources of what is missing, in the order in which they are tried."""
    offline: bool = False
    """True if nothing may be fetched."""
    hub_endpoint: str | None = None
    """Address of a mirror of the hub; `None` for the hub library's own choice."""

    def __post_init__(self) -> None:
        if unknown := set(self.sources) - set(SOURCES):
            raise ValueError(f"unknown asset sources: {', '.join(sorted(unknown))}")


def default_cache_dir(environ: Mapping[str, str], *, platform: str = sys.platform) -> Path:
    """Return the folder where this user's programs on ``platform`` keep what can be fetched again."""
    home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
    if platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return (Path(local) if local else home / "AppData" / "Local") / "primavoce"
    if platform == "darwin":
        return home / "Library" / "Caches" / "primavoce"
    given = environ.get("XDG_CACHE_HOME")
    # The XDG standard: a relative path there is invalid and to be ignored.
    return (Path(given) if given and Path(given).is_absolute() else home / ".cache") / "primavoce"
