"""What the rules must know of a language to read in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from primavoce.normalize.draft import Draft

Rule = Callable[[Draft, "Tongue"], None]
"""Rewrites what it knows of a draft, and leaves the rest."""


def spellings(*lines: str) -> dict[str, str]:
    """Return the entries of ``lines``, each ``written: spelled`` and parted by semicolons."""
    entries = (entry.partition(":") for line in lines for entry in line.split(";") if entry.strip())
    return {written.strip(): spelled.strip() for written, _, spelled in entries}


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day as it was written."""

    hour: int
    minute: int
    second: int | None = None
    half: str = ""
    """``a`` or ``p`` where the day has two halves, as in 7:30 p.m."""
    before: str = ""
    """The word before it: Italian says *alle quattordici* but *ore quattordici*."""

    def after_its_word(self, words: str) -> str:
        """Return ``words`` after the word that is before the time."""
        return f"{self.before} {words}".strip()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tongue:
    """A language as the rules see it; each is a file in ``primavoce.normalize.languages``.

    There is one of each, so that what is made from its tables can be kept with it.
    """

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
    """What we say of our own: ``code``, ``table``, ``image``, ``done`` and ``to_do`` (task lists), ``point``
    (decimals), ``minus``, ``percent``, ``to`` (ranges), ``hour`` and ``minute`` forms, as the rules ask for them.
    ``full_stop`` and ``comma`` are the marks that end a line and part a table's cells, where they aren't ``.`` and
    ``,``."""
    number_forms: tuple[tuple[str, str], ...] = ()
    """Expression → replacement, in order: what to set right in num2words' cardinals."""
    before_noun: tuple[tuple[str, str], ...] = ()
    """Expression → replacement, in order: a cardinal before the noun it counts, *un euro* and not *uno euro*."""
    before_feminine: tuple[tuple[str, str], ...] = ()
    """The same before a feminine noun: *una sterlina*, *doscientas libras*."""
    elisions: tuple[tuple[str, str], ...] = ()
    """The same for a number together with its noun: *un'ora*."""
    feminine: frozenset[str] = frozenset()
    """First words of the currencies' and units' names that are feminine."""
    currencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """ISO code → its name for one and for many, and its hundredth's, where Babel's don't read well."""
    units: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """CLDR's name of a unit → its name for one and for many, ``{}`` for the number, where Babel's don't read well."""
    magnitudes: Mapping[str, tuple[int, str, str]] = field(default_factory=dict)
    """Written after a figure, in small letters → its value, and its word for one and for many: ``bn``, ``mln``."""
    per: Mapping[str, str] = field(default_factory=dict)
    """Written after a price and a slash → how that is said: ``mese`` "al mese"."""
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    """Written → said. The period belongs to it, but one that ends the sentence stays."""
    before_number: Mapping[str, str] = field(default_factory=dict)
    """The same for those that only mean this before a figure: ``n.`` "numero"."""
    respellings: Mapping[str, str] = field(default_factory=dict)
    """Word → a spelling that the phonemiser says as people do, last of all: English loans, acronyms said as letters.
    With a capital in it, it stands for itself alone; without one, for any case."""
    letters: Mapping[str, str] = field(default_factory=dict)
    """Letter → its name, where the phonemiser would say acronyms in another language."""
    clock: Callable[[Time, "Tongue"], str] | None = None
    """How a time of day is said, with the word before it; None where hour and minute stand side by side."""
    rules: tuple[Rule, ...] = ()
    """Its own rules, applied before those that hold for all."""
