"""Digests of files, and what was verified before.

Hashing 90 MB at every start would cost more than reading the model's graph. So a file that was verified leaves a
stamp: its place, size and time of change. While these stay, it isn't hashed again.
"""

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import IO

from primavoce.assets.manifest import AssetFile

BLOCK_BYTES = 1 << 20
"""Bytes read at a time when files are joined."""


@dataclass(frozen=True, slots=True)
class Digest:
    """What a file holds."""

    size_bytes: int
    sha256: str
    """Hex digits, lower case."""

    def matches(self, asset: AssetFile) -> bool:
        """Say whether this is what the manifest lists for ``asset``."""
        return self.size_bytes == asset.size_bytes and self.sha256 == asset.sha256


class Verifier:
    """Digests of assets, hashed once and remembered.

    Args:
        folder: Where the stamps are kept. If it can't be written, nothing is remembered.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def digest(self, asset: AssetFile, path: Path) -> Digest | None:
        """Return the digest of the file at ``path``, from its stamp if that holds; `None` if there is no file.

        Raises:
            OSError: the file can't be read.
        """
        try:
            with path.open("rb") as file:
                # Of the open file, not of the path: another process may put a new file there meanwhile.
                stamp = _stamp(asset, path, file)
                if self._read(asset, path) == stamp:
                    return Digest(asset.size_bytes, asset.sha256)
                found = hash_file(file)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None
        if found.matches(asset):
            self._write(asset, path, stamp)
        return found

    def _place(self, asset: AssetFile, path: Path) -> Path:
        # One stamp for each place: a file in the local folder and one in the cache may alternate.
        return self._folder / f"{asset.name}.{hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:16]}"

    def _read(self, asset: AssetFile, path: Path) -> str | None:
        try:
            return self._place(asset, path).read_text(encoding="utf-8")
        except (OSError, UnicodeError):
            return None

    def _write(self, asset: AssetFile, path: Path, stamp: str) -> None:
        # A cache that can't be written, as in a read-only container, costs a hash at each start, nothing else. A stamp
        # cut short by a full disk equals no stamp that is asked for.
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._place(asset, path).write_text(stamp, encoding="utf-8")


def hash_file(file: BufferedIOBase) -> Digest:
    """Return the digest of ``file``, read from where it stands to its end."""
    found = hashlib.file_digest(file, "sha256")
    return Digest(file.tell(), found.hexdigest())


def join(parts: Sequence[Path], into: Path) -> Digest:
    """Make ``into`` of ``parts``, in order, on disk when this returns; each part is removed once it is copied.

    A single part is moved, not copied.

    Raises:
        OSError: a part can't be read, or the whole can't be written.
    """
    if len(parts) == 1:
        parts[0].replace(into)
        with into.open("rb+") as file:
            found = hash_file(file)
            os.fsync(file.fileno())
        return found
    running = hashlib.sha256()
    size = 0
    with into.open("xb") as whole:
        for part in parts:
            with part.open("rb") as piece:
                while block := piece.read(BLOCK_BYTES):
                    running.update(block)
                    size += whole.write(block)
            part.unlink()
        whole.flush()
        os.fsync(whole.fileno())
    return Digest(size, running.hexdigest())


def _stamp(asset: AssetFile, path: Path, file: IO[bytes]) -> str:
    found = os.fstat(file.fileno())
    return f"{asset.sha256} {asset.size_bytes} {found.st_size} {found.st_mtime_ns} {path.absolute()}\n"
