"""Environment variables: their names, what they set, and how their text is read.

A reader takes the variable's name and its text, and returns the value, or raises `InvalidSetting`.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from primavoce.errors import InvalidSetting

type Read[T] = Callable[[str, str], T]


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable."""

    name: str
    sets: str
    """The field that it sets, of the settings or of their ``assets``."""
    read: Read[object]
    """Makes the value from the variable's name and text."""
    of_assets: bool = field(default=False, kw_only=True)


def plain_text(_: str, text: str) -> str:
    """Return ``text`` as it stands."""
    return text


def file_path(_: str, text: str) -> Path:
    """Return the path that ``text`` is; ``~`` is the user's own folder."""
    return Path(text).expanduser()


def whole_number(lowest: int, highest: int) -> Read[int]:
    """Return what reads a whole number from ``lowest`` to ``highest``."""

    def read(name: str, text: str) -> int:
        if not text.isdecimal() or not lowest <= int(text) <= highest:
            raise InvalidSetting(name, f"must be a whole number from {lowest} to {highest}, not {text[:40]!r}")
        return int(text)

    return read


def seconds(name: str, text: str) -> float:
    """Return a number of seconds above 0."""
    return _above_zero(name, text, "a number of seconds")


def seconds_or_none(name: str, text: str) -> float:
    """Return a number of seconds; 0 where there is to be no limit."""
    return 0.0 if text == "0" else seconds(name, text)


def factor(name: str, text: str) -> float:
    """Return a number above 0."""
    return _above_zero(name, text, "a number")


def _above_zero(name: str, text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise InvalidSetting(name, f"must be {what} above 0, not {text[:40]!r}")
    return value


def one_of(*known: str) -> Read[str]:
    """Return what reads one of the words ``known``, in small letters."""

    def read(name: str, text: str) -> str:
        if text.lower() not in known:
            raise InvalidSetting(name, f"must be one of {', '.join(known)}, not {text[:40]!r}")
        return text.lower()

    return read


def flag(name: str, text: str) -> bool:
    """Return whether ``text`` is 1; it may also be 0."""
    return one_of("0", "1")(name, text) == "1"


def address(name: str, text: str) -> str:
    """Return an address that begins with http:// or https://."""
    if not text.lower().startswith(("http://", "https://")):
        raise InvalidSetting(name, f"must be an address that begins with http:// or https://, not {text[:40]!r}")
    return text


def values_in(environ: Mapping[str, str], variables: Iterable[Variable]) -> tuple[dict[str, object], dict[str, object]]:
    """Return what ``environ`` sets, by field: of the settings themselves, and of their ``assets``.

    Raises:
        InvalidSetting: a value can't be used.
    """
    own: dict[str, object] = {}
    assets: dict[str, object] = {}
    for variable in variables:
        text = environ.get(variable.name)
        if text is not None and text.strip():
            (assets if variable.of_assets else own)[variable.sets] = variable.read(variable.name, text.strip())
    return own, assets
