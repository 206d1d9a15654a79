"""Figures → words, by num2words; other languages' digits and marks included."""

import unicodedata
from decimal import Decimal

from num2words import num2words

from primavoce.normalize.tongue import Tongue

LONGEST_NUMBER = 15
"""Digits of a number said as one; longer ones are said digit by digit."""


def cardinal(value: int, tongue: Tongue) -> str:
    """Return ``value`` in words: "forty-two"."""
    if len(str(abs(value))) > LONGEST_NUMBER:
        return digits(str(abs(value)), tongue)
    return _words(value, tongue, to="cardinal")


def ordinal(value: int, tongue: Tongue) -> str:
    """Return the ordinal of ``value`` in words: "forty-second"."""
    return _words(value, tongue, to="ordinal")


def year(value: int, tongue: Tongue) -> str:
    """Return ``value`` as a year is said: "nineteen eighty-two"."""
    return _words(value, tongue, to="year")


def digits(figures: str, tongue: Tongue) -> str:
    """Return each digit's name: "four one five"."""
    return " ".join(cardinal(unicodedata.decimal(figure), tongue) for figure in figures if figure.isdecimal())


def decimal(figures: str, tongue: Tongue) -> str:
    """Return a number as written with ``tongue``'s marks, such as ``1,250.50``, in words.

    The figures after the decimal mark are said one by one where English says them so, and as num2words has it
    elsewhere.
    """
    whole, _, fraction = ungrouped(figures, tongue).partition(".")
    words = cardinal(int(whole or "0"), tongue)
    return f"{words} {tongue.phrases['point']} {digits(fraction, tongue)}" if fraction else words


def ungrouped(figures: str, tongue: Tongue) -> str:
    """Return ``figures`` as ASCII without group marks, with a period as the decimal mark."""
    plain = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in figures)
    for mark in tongue.group_marks:
        plain = plain.replace(mark, "")
    return plain.replace(tongue.decimal_mark, ".")


def value_of(figures: str, tongue: Tongue) -> Decimal:
    """Return the value of a number as written with ``tongue``'s marks."""
    return Decimal(ungrouped(figures, tongue))


def _words(value: int, tongue: Tongue, *, to: str) -> str:
    if tongue.numerals is None:
        return str(value)
    return str(num2words(value, lang=tongue.numerals, to=to))
