"""What the rules must know of a language to read in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from primavoce.normalize.draft import Draft

Rule = Callable[[Draft, "Tongue"], None]
"""Rewrites what it knows of a draft, and leaves the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """A language as the rules see it; each is a file in ``primavoce.normalize.languages``."""

    tag: str
    """Its wire tag."""
    locale: str
    """Its name in CLDR, by which Babel finds names of units, currencies and months."""
    numerals: str | None
    """Its name in num2words; None where the phonemiser reads figures better than any library spells them out."""
    decimal_mark: str = "."
    group_marks: str = ","
    """Characters that may stand between thousands."""
    symbols: Mapping[str, str] = field(default_factory=dict)
    """Symbol → its name in prose: ``&`` "and", ``%`` "percent"."""
    address: Mapping[str, str] = field(default_factory=dict)
    """Symbol → its name inside a URL, a mail address or a path: ``.`` "dot", ``@`` "at"."""
    phrases: Mapping[str, str] = field(default_factory=dict)
    """What we say of our own: ``code``, ``table``, ``image``, ``done`` and ``to_do`` (task lists), ``point`` (decimals),
    ``minus``, ``percent``, ``to`` (ranges), ``hour`` and ``minute`` forms, as the rules ask for them."""
    rules: tuple[Rule, ...] = ()
    """Its own rules, applied before those that hold for all."""
