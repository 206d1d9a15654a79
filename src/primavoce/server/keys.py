"""API keys: made once, kept as digests, looked up without telling how near a guess was.

A file of keys has a line a key, ``NAME sha256:HEX``; blank lines and lines that begin with ``#`` count for nothing.
"""

import hmac
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog

from primavoce.access import DIGEST_PREFIX, ApiKey, digest_of, parse_digest
from primavoce.errors import InvalidSetting

KEY_PREFIX = "pv_"
"""What a key begins with, so that scanners for leaked secrets can know one."""
KEY_BYTES = 32
LOOK_PERIOD_S = 1.0
"""Seconds between two looks at whether the file has changed."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

log = structlog.get_logger("primavoce.server")

type _Stamp = tuple[int, int, int]


def make_key() -> str:
    """Return a new key of 256 random bits."""
    return KEY_PREFIX + secrets.token_urlsafe(KEY_BYTES)


def read_keys(path: Path) -> tuple[ApiKey, ...]:
    """Read a file of keys.

    Raises:
        InvalidSetting: it can't be read, or a line of it is no key; the sentence doesn't quote it.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InvalidSetting(str(path), "is not UTF-8") from error
    except OSError as error:
        raise InvalidSetting(str(path), f"can't be read: {error.strerror}") from error
    keys: dict[str, ApiKey] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, _, spelt = line.strip().partition(" ")
        digest = parse_digest(spelt.strip())
        if not _NAME.fullmatch(name) or digest is None:
            raise InvalidSetting(str(path), f"line {number} is not NAME {DIGEST_PREFIX}HEX")
        if name in keys:
            raise InvalidSetting(str(path), f"line {number}: {name!r} has a key already")
        keys[name] = ApiKey(name, digest)
    return tuple(keys.values())


def add_key(path: Path, name: str) -> str:
    """Make a key for ``name``, append its digest to the file, and return the key: it can't be had again.

    Raises:
        InvalidSetting: the name or the file can't be used, or the name has a key already.
    """
    if not _NAME.fullmatch(name):
        raise InvalidSetting(name[:80], "a name has up to 64 letters, digits, dots, dashes and underscores")
    there = path.exists()
    if there and any(key.name == name for key in read_keys(path)):
        raise InvalidSetting(name, f"has a key in {path} already; remove it, or choose another name")
    key = make_key()
    line = f"{name} {DIGEST_PREFIX}{digest_of(key.encode()).hex()}\n"
    try:
        with os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "r+b") as file:
            if there and (before := path.read_bytes()) and not before.endswith(b"\n"):
                line = "\n" + line
            file.write(line.encode())
    except OSError as error:
        raise InvalidSetting(str(path), f"can't be written: {error.strerror}") from error
    return key


def remove_key(path: Path, name: str) -> None:
    """Take the key of ``name`` out of the file; comments stay.

    Raises:
        InvalidSetting: it isn't there, or the file can't be used, or not by us without its changing hands.
    """
    if all(key.name != name for key in read_keys(path)):
        raise InvalidSetting(name[:80], f"has no key in {path}")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = "".join(line for line in lines if line.split(maxsplit=1)[:1] != [name])
    target = path.resolve()  # a link stays one
    try:
        # Written beside and put in place, so that a server never reads half of it.
        number, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(number, "w", encoding="utf-8") as file:
                file.write(kept)
            _copy_owner(target, beside)
            shutil.copymode(target, beside)
            Path(beside).replace(target)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InvalidSetting(str(path), f"can't be written: {error.strerror}") from error


def _copy_owner(path: Path, beside: str) -> None:
    """Give the file ``beside`` to the owner and the group of ``path``: the server may run as somebody else than we."""
    if sys.platform == "win32":
        return
    there = path.stat()
    try:
        os.chown(beside, there.st_uid, there.st_gid)
    except PermissionError as error:
        reason = "can't be written without taking it from its owner; run this as its owner, or as root"
        raise InvalidSetting(str(path), reason) from error


class KeyRing:
    """The keys that let people in; those of a file are read again when it has changed.

    Args:
        keys: Those that never change.
        path: A file of more.
        clock: Seconds.

    Raises:
        InvalidSetting: the file can't be used. When that happens later, the keys that were there hold on until it
            can be.
    """

    def __init__(
        self, keys: Sequence[ApiKey] = (), path: Path | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fixed = tuple(keys)
        self._path = path
        self._clock = clock
        self._stamp = None if path is None else _stamp(path)
        self._filed = () if path is None else read_keys(path)
        self._looked_at = clock()
        self._told: tuple[_Stamp | None, str] | None = None  # of the file that can't be read, as long as it can't

    @property
    def asks(self) -> bool:
        """Whether a key is needed at all; an empty file lets nobody in."""
        return bool(self._fixed) or self._path is not None

    def name_of(self, key: bytes) -> str | None:
        """Return whose ``key`` it is; None if it is nobody's."""
        self._look()
        shown, name = digest_of(key), None
        for known in (*self._fixed, *self._filed):
            # All are compared, whichever fits: how long it takes tells nothing.
            if hmac.compare_digest(known.digest, shown) and name is None:
                name = known.name
        return name

    def _look(self) -> None:
        if self._path is None or self._clock() - self._looked_at < LOOK_PERIOD_S:
            return
        self._looked_at = self._clock()
        stamp = _stamp(self._path)
        if stamp == self._stamp and self._told is None:
            return
        try:
            self._filed = read_keys(self._path)
        except InvalidSetting as error:
            # Tried again at each look, for what kept us from it may pass without a trace on the file.
            if self._told != (stamp, str(error)):
                log.error(  # noqa: TRY400 - an error of ours says all in one line
                    "keys not read again: those that were there hold on", reason=str(error)
                )
            self._told = stamp, str(error)
        else:
            self._stamp, self._told = stamp, None
            log.info("keys read again", keys=len(self._filed))


def _stamp(path: Path) -> _Stamp | None:
    """Return what changes when the file does; None if it isn't there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
