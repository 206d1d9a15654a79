"""Figures → words, by num2words; other languages' digits and marks included."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from babel import Locale
from num2words import num2words

from primavoce.normalize.tongue import Tongue

LONGEST_NUMBER = 15
"""Digits of a number said as one; longer ones are said digit by digit."""

_MARKS = r"[.,'’\u00a0\u202f ]"
_THOUSANDS = re.compile(rf"\d{{1,3}}(?:({_MARKS})\d{{3}})(?:\1\d{{3}})*+")
_BEFORE_DECIMALS = re.compile(rf"(\d++|\d{{1,3}}(?:({_MARKS})\d{{3}})++)([.,])(\d++)")


def figure_pattern(tongue: Tongue) -> str:
    """Return an expression for a number with whatever marks between its digits; `read` says what they mean."""
    spaces = r"\u00a0\u202f" + (" " if " " in tongue.group_marks else "")
    return rf"(?>\d{{1,3}}(?:[{spaces}]\d{{3}}(?!\d)){{1,6}}+(?:[.,]\d++)?|\d++(?:[.,'’]\d++)*+)"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as it was written."""

    whole: str
    """Its digits before the decimal mark, in ASCII."""
    fraction: str = ""
    """Its digits after it."""
    foreign: bool = False
    """Whether the decimal mark isn't the language's own."""

    @property
    def value(self) -> Decimal:
        """What it is worth."""
        return Decimal(f"{self.whole}.{self.fraction}" if self.fraction else self.whole)


def read(figures: str, tongue: Tongue) -> Figure | None:
    """Return the number that ``figures`` are, or None if they are none, as in 1.2.3 or 12,34,5.

    The language's own marks come first. In *3.5* the other language's decimal mark can't part thousands, so it is taken
    for one.
    """
    plain = ascii_digits(figures)
    if plain.isdigit():
        return Figure(plain)
    grouped = _THOUSANDS.fullmatch(plain)
    if grouped and grouped[1] != tongue.decimal_mark and plain[0] != "0":
        return Figure(_only_digits(plain))
    if grouped and plain.count(grouped[1]) > 1:
        return Figure(_only_digits(plain))
    parted = _BEFORE_DECIMALS.fullmatch(plain)
    if parted is None or parted[2] == parted[3]:
        return _indian(plain)
    return Figure(_only_digits(parted[1]), parted[4], foreign=parted[3] != tongue.decimal_mark)


def _indian(plain: str) -> Figure | None:
    """Return a number with pairs before its last thousand: 1,00,000."""
    parted = re.fullmatch(r"(\d{1,2}(?:,\d\d){1,6},\d{3})(?:\.(\d++))?", plain)
    return Figure(_only_digits(parted[1]), parted[2] or "") if parted else None


def cardinal(value: int, tongue: Tongue) -> str:
    """Return ``value`` in words: "forty-two"."""
    if len(str(abs(value))) > LONGEST_NUMBER:
        return digits(str(abs(value)), tongue)
    words = _words(value, tongue, to="cardinal")
    return _replaced(words, tongue.number_forms)


def counted(value: int, noun: str, tongue: Tongue) -> str:
    """Return ``value`` in words as it stands before ``noun``: *un euro*, *una sterlina*."""
    is_feminine = noun.partition(" ")[0].lower() in tongue.feminine
    return _replaced(cardinal(value, tongue), tongue.before_feminine if is_feminine else tongue.before_noun)


def ordinal(value: int, tongue: Tongue) -> str:
    """Return the ordinal of ``value`` in words: "forty-second"."""
    return _replaced(_words(value, tongue, to="ordinal"), tongue.number_forms)


def year(value: int, tongue: Tongue) -> str:
    """Return ``value`` as a year is said: "nineteen eighty-two"."""
    return _replaced(_words(value, tongue, to="year"), tongue.number_forms)


def digits(figures: str, tongue: Tongue) -> str:
    """Return each digit's name: "four one five"."""
    return " ".join(cardinal(unicodedata.decimal(figure), tongue) for figure in figures if figure.isdecimal())


def decimal(figures: str, tongue: Tongue) -> str:
    """Return a number as written with ``tongue``'s marks, such as ``1,250.50``, in words.

    The figures after the decimal mark are said one by one where English says them so, and as a number elsewhere.
    """
    whole, _, fraction = ungrouped(figures, tongue).partition(".")
    return said(Figure(whole or "0", fraction), tongue)


def said(figure: Figure, tongue: Tongue, *, noun: str = "") -> str:
    """Return ``figure`` in words, as it stands before ``noun`` if there is one."""
    if tongue.numerals is None:
        return f"{figure.whole}.{figure.fraction}" if figure.fraction else figure.whole
    if (len(figure.whole) > 1 and figure.whole.startswith("0")) or len(figure.whole) > LONGEST_NUMBER:
        whole = digits(figure.whole, tongue)  # a code: 007; or more than anybody counts
    elif figure.fraction or not noun:
        whole = cardinal(int(figure.whole), tongue)
    else:
        whole = counted(int(figure.whole), noun, tongue)
    if not figure.fraction:
        return whole
    point = tongue.phrases["point"]
    if figure.foreign and not noun:
        point = tongue.address.get(figure_mark(tongue), point)
    return f"{whole} {point} {fraction_words(figure.fraction, tongue)}"


def figure_mark(tongue: Tongue) -> str:
    """Return the decimal mark of the other half of the world."""
    return "," if tongue.decimal_mark == "." else "."


def fraction_words(fraction: str, tongue: Tongue) -> str:
    """Return the digits after a decimal mark in words.

    English says them one by one; languages with a decimal comma say *tre virgola quattordici*.
    """
    if tongue.decimal_mark == "." or len(fraction) > 2:
        return digits(fraction, tongue)
    zeros = len(fraction) - len(fraction.lstrip("0"))
    rest = fraction[zeros:]
    said_zeros = digits(fraction[:zeros], tongue)
    return f"{said_zeros} {cardinal(int(rest), tongue)}".strip() if rest else said_zeros


def is_one(figure: Figure, tongue: Tongue) -> bool:
    """Whether what ``figure`` counts is in the singular, which in French is so up to 1,99."""
    return _locale(tongue.locale).plural_form(figure.value) == "one"


def of_millions(figure: Figure, noun: str, tongue: Tongue) -> str:
    """Return what stands between a number that ends in millions and its noun: *un milione di euro*."""
    if figure.fraction or not figure.whole.strip("0") or not figure.whole.endswith("000000"):
        return ""
    return linked(noun, tongue)


def linked(noun: str, tongue: Tongue) -> str:
    """Return what links a number in millions to ``noun``: "di ", or "d'" in French before a vowel."""
    link = tongue.phrases.get("of", "")
    if tongue.tag == "fr" and noun[:1].lower() in "aeiouyéèêh":
        return "d'"
    return f"{link} " if link else ""


def elided(words: str, tongue: Tongue) -> str:
    """Return ``words`` as they run together: *un'ora*, *uno yen*."""
    return _replaced(words, tongue.elisions)


def ungrouped(figures: str, tongue: Tongue) -> str:
    """Return ``figures`` as ASCII without group marks, with a period as the decimal mark."""
    plain = ascii_digits(figures)
    for mark in tongue.group_marks:
        plain = plain.replace(mark, "")
    return plain.replace(tongue.decimal_mark, ".")


def ascii_digits(text: str) -> str:
    """Return ``text`` with the digits of any script as ASCII."""
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def value_of(figures: str, tongue: Tongue) -> Decimal:
    """Return the value of a number as written with ``tongue``'s marks."""
    return Decimal(ungrouped(figures, tongue))


def _only_digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _replaced(words: str, forms: tuple[tuple[str, str], ...]) -> str:
    for pattern, replacement in forms:
        words = re.sub(pattern, replacement, words)
    return words


def _words(value: int, tongue: Tongue, *, to: str) -> str:
    if tongue.numerals is None:
        return str(value)
    words = _num2words(value, tongue.numerals, to)
    # num2words writes as the British say it: one hundred and one.
    return words.replace(" and ", " ") if tongue.tag == "en-us" else words


@lru_cache(maxsize=4096)
def _num2words(value: int, language: str, to: str) -> str:
    return str(num2words(value, lang=language, to=to))


@cache
def _locale(name: str) -> Locale:
    return Locale.parse(name)
