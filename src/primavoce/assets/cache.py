"""The cache folder: what is in it is whole, whoever dies when."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from primavoce.assets.manifest import AssetFile
from primavoce.assets.verification import Verifier, join
from primavoce.errors import DigestMismatch

if sys.platform != "win32":
    import fcntl

WORKSPACE_PREFIX = ".fetch-"
"""How the folders begin in which files lie until they are verified."""


class Cache:
    """Verified files in a folder.

    A file enters by one rename, after its digest was verified and its bytes are on disk; a fetch that is cut off
    leaves a workspace behind, which the next one removes.

    Args:
        folder: The cache folder; made by the first fetch.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.verifier = Verifier(folder / ".verified")

    def path_of(self, asset: AssetFile) -> Path:
        """Return where ``asset`` lies when it is here."""
        return self.folder / asset.path

    @contextmanager
    def exclusive(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Keep other fetches into this cache waiting while the block runs, those of other processes too.

        Where the system or the file system has no locks, fetches may run side by side; each then does the whole
        work in a workspace of its own, and all succeed.

        Args:
            waiting: Called once if another fetch runs and this one has to wait.

        Raises:
            OSError: the folder can't be made or written.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("ab") as file:
            if _lock(file.fileno(), waiting):
                # Alone: whatever workspace is here, nobody works in it any more.
                for stale in self.folder.glob(f"{WORKSPACE_PREFIX}*"):
                    shutil.rmtree(stale, ignore_errors=True)
            yield

    @contextmanager
    def workspace(self) -> Iterator[Path]:
        """Make a folder on the cache's own file system, for the time of the block.

        Raises:
            OSError: the folder can't be made.
        """
        folder = Path(tempfile.mkdtemp(prefix=WORKSPACE_PREFIX, dir=self.folder))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def install(self, asset: AssetFile, parts: Sequence[Path], *, source: str) -> None:
        """Verify what ``source`` delivered and make it the cached file.

        Args:
            asset: The file.
            parts: Files in a workspace that are joined to make it; they are used up.
            source: Where they come from, for the error.

        Raises:
            DigestMismatch: it is not what the manifest lists; the cache is as it was.
            OSError: the cache can't be written.
        """
        incoming = parts[0].with_name(f"{parts[0].name}.incoming")
        found = join(parts, incoming)
        if not found.matches(asset):
            raise DigestMismatch(asset.name, expected=asset.sha256, found=found.sha256, source=source)
        target = self.path_of(asset)
        target.parent.mkdir(parents=True, exist_ok=True)
        incoming.replace(target)
        _sync_folder(target.parent)


def _lock(descriptor: int, waiting: Callable[[], None]) -> bool:
    """Lock an open file until it is closed; return False where there are no locks."""
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:  # some network file systems have none
        return False
    return True


def _sync_folder(folder: Path) -> None:
    """Put a rename on disk; Windows does so by itself and can't open a folder."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
