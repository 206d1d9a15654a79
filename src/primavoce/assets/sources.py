"""What the store needs of a source, and how a source says that it failed."""

import errno
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from primavoce.assets.manifest import AssetFile

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""What the system calls a full disk or a used-up quota."""


class SourceFailed(Exception):
    """A source could not deliver. Never leaves the package: the store makes a `FetchFailed` of it.

    Args:
        reason: Why, and what to do about it; for people, without addresses or credentials.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ClientDiskFull(OSError):
    """A package client found a disk full: the cache's, or the one that the client keeps its own files on.

    Args:
        client: What people call it.
    """

    def __init__(self, client: str) -> None:
        super().__init__(errno.ENOSPC, f"{client} found the disk full")
        self.client = client


@dataclass(frozen=True, slots=True)
class Delivery:
    """An asset as it came, not yet verified."""

    asset: AssetFile
    parts: tuple[Path, ...]
    """Files inside the workspace; joined in order they are the asset."""


class Source(Protocol):
    """Somewhere that assets can be fetched from; blocking."""

    name: str
    copies: int
    """How many times an asset's bytes lie on the disk while it is fetched."""

    def offers(self, asset: AssetFile) -> bool:
        """Say whether ``asset`` is to be had here."""

    def deliver(self, assets: Sequence[AssetFile], workspace: Path) -> Iterator[Delivery]:
        """Fetch ``assets`` into the empty folder ``workspace``, yielding each as it comes.

        Raises:
            SourceFailed: it can't be done.
            OSError: the workspace can't be written; `DISK_FULL` has the numbers of a full disk.
        """
