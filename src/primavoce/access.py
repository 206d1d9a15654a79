"""What an operator writes down of who may speak to a server: API keys, as digests, and web origins.

An API key is never kept: what is kept is the SHA-256 of it. A fast digest is enough, since a key is 256 random bits:
whoever steals the digests has nothing better than trying all keys. (NIST SP 800-63B, 5.1.2.2, asks for a plain
approved digest from 112 bits on, and for a slow one with salt only below.) A key of somebody's own making may well be
weaker. It is taken from the environment, where it stands in plain text anyway, and is digested in memory only.
"""

import hashlib
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from primavoce.errors import InvalidSetting

DIGEST_PREFIX = "sha256:"
SHORTEST_KEY = 16
"""Characters; a shorter key could be found by asking the server."""
ANY_ORIGIN = "*"
DEFAULT_PORTS = {"http": 80, "https": 443}

_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """One who may speak to the server."""

    name: str
    """Whose key it is; phrases are remembered for each name apart."""
    digest: bytes = field(repr=False)
    """SHA-256 of the key."""


def digest_of(key: bytes) -> bytes:
    """Return what is kept of ``key``."""
    return hashlib.sha256(key).digest()


def parse_digest(text: str) -> bytes | None:
    """Return the digest that ``text`` (``sha256:`` and 64 hexadecimal digits) spells; None if it spells none."""
    spelt = text.removeprefix(DIGEST_PREFIX)
    return bytes.fromhex(spelt) if text.startswith(DIGEST_PREFIX) and _DIGEST.fullmatch(spelt) else None


def parse_keys(name: str, text: str) -> tuple[ApiKey, ...]:
    """Return the keys of a comma-separated list of keys and digests; each is named after its digest.

    Args:
        name: The variable's.
        text: Its value.

    Raises:
        InvalidSetting: one can't be used, or there is none; the sentence doesn't tell it.
    """
    keys: dict[bytes, ApiKey] = {}
    for number, entry in enumerate((part.strip() for part in text.split(",")), start=1):
        if not entry:
            continue
        digest = parse_digest(entry)
        if digest is None:
            if entry.startswith(DIGEST_PREFIX):
                raise InvalidSetting(name, f"key {number}: after {DIGEST_PREFIX} come 64 hexadecimal digits")
            if len(entry) < SHORTEST_KEY or not _KEY.fullmatch(entry):
                raise InvalidSetting(
                    name, f"key {number} must have at least {SHORTEST_KEY} characters, all of them printable ASCII"
                )
            digest = digest_of(entry.encode("ascii"))
        # The colon keeps these names apart from those of a file of keys.
        keys[digest] = ApiKey(f"{DIGEST_PREFIX}{digest.hex()[:12]}", digest)
    if not keys:
        raise InvalidSetting(name, "names no key")
    return tuple(keys.values())


def parse_origin(text: str) -> str | None:
    """Return ``scheme://host[:port]`` as browsers write it (small letters, no default port); None if it is none."""
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
    except ValueError:
        return None
    if not parts.scheme or not host or parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + ("" if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f":{port}")


def parse_origins(name: str, text: str) -> tuple[str, ...]:
    """Return the origins of a comma-separated list; ``*`` stands for all.

    Args:
        name: The variable's.
        text: Its value.

    Raises:
        InvalidSetting: one is no origin.
    """
    origins = []
    for entry in (part.strip().rstrip("/") for part in text.split(",")):
        origin = ANY_ORIGIN if entry == ANY_ORIGIN else parse_origin(entry)
        if origin is None and entry:
            raise InvalidSetting(name, f"must be origins such as https://voice.example.com, or *, not {entry[:80]!r}")
        if origin is not None:
            origins.append(origin)
    return tuple(origins)
