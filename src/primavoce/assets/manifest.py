"""The manifest: every file that may be fetched, its digest, and what each source calls it."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Literal

import msgspec

Kind = Literal["weights", "voice", "language model"]


@dataclass(frozen=True, slots=True)
class Package:
    """A package, pinned, that carries assets."""

    registry: Literal["python", "npm"]
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of an asset inside a package: all of it, or one of several pieces that are joined in order."""

    package: str
    """Name of a `Package` of the manifest."""
    member: str
    """Path inside the package, with ``/``."""

    def __post_init__(self) -> None:
        _check_inner(self.member)


@dataclass(frozen=True, slots=True)
class HubRepository:
    """The hub's repository, at one commit."""

    repository: str
    revision: str
    """Commit, 40 hex digits: a branch or tag could move."""


@dataclass(frozen=True, slots=True)
class AssetFile:
    """A file that may be fetched."""

    name: str
    """What it is called in commands and messages: a voice's own name, the name of a weights file, or ``local-llm``."""
    kind: Kind
    path: str
    """Where it lies in the cache, with ``/``."""
    size_bytes: int
    sha256: str
    """Hex digits, lower case."""
    parts: tuple[Part, ...] = ()
    """What packages carry it in; empty when none does."""
    hub_file: str | None = None
    """Path in the hub's repository; `None` when it isn't there."""

    def __post_init__(self) -> None:
        _check_inner(self.path)


@dataclass(frozen=True, slots=True)
class Manifest:
    """Every file that may be fetched.

    Several files may have the kind ``weights``: they are exports of one model, any of which will do. The first
    that a source has is the one fetched from there.
    """

    packages: tuple[Package, ...]
    hub: HubRepository
    files: tuple[AssetFile, ...]

    def __post_init__(self) -> None:
        known = {package.name for package in self.packages}
        for file in self.files:
            if missing := {part.package for part in file.parts} - known:
                raise ValueError(f"{file.name} is in packages that the manifest doesn't list: {', '.join(missing)}")

    @property
    def weights(self) -> tuple[AssetFile, ...]:
        """The exports of the model, best first."""
        return tuple(file for file in self.files if file.kind == "weights")

    @property
    def voices(self) -> tuple[AssetFile, ...]:
        """The voices, by name."""
        return tuple(file for file in self.files if file.kind == "voice")

    @property
    def language_models(self) -> tuple[AssetFile, ...]:
        """What an agent may write with on this machine; fetched only when asked for."""
        return tuple(file for file in self.files if file.kind == "language model")

    def find(self, name: str, kind: Kind | None = None) -> AssetFile | None:
        """Return the file called ``name``, of ``kind`` if given; `None` if the manifest has none."""
        return next((file for file in self.files if file.name == name and kind in {None, file.kind}), None)

    def package(self, name: str) -> Package:
        """Return the pinned package ``name``."""
        return next(package for package in self.packages if package.name == name)


@cache
def read_manifest() -> Manifest:
    """Return the manifest that comes with primavoce."""
    text = files("primavoce.assets").joinpath("manifest.json").read_bytes()
    return msgspec.json.decode(text, type=Manifest)


def _check_inner(path: str) -> None:
    """Refuse a path that could lead out of the folder that it is looked up in."""
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path:
        raise ValueError(f"not a path inside a folder: {path!r}")
