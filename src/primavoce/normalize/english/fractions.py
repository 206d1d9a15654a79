"""Fractions: 1/2, 2 3/4, ½, 9/10; and what only looks like one: 24/7, 50/50, 9/11."""

import re
import unicodedata

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import final_period, word_after
from primavoce.normalize.english.figures import SPACE, count, place
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_SIGNS = "¼½¾⅐-⅞↉"
_UNITS = {
    "km": "kilometer",
    "cm": "centimeter",
    "mm": "millimeter",
    "m": "meter",
    "kg": "kilogram",
    "g": "gram",
    "mg": "milligram",
    "l": "liter",
    "L": "liter",
    "ml": "milliliter",
    "mL": "milliliter",
    "mi": "mile",
    "lb": "pound",
    "lbs": "pound",
    "oz": "ounce",
    "ft": "foot",
    "in": "inch",
    "s": "second",
    "hr": "hour",
    "hrs": "hour",
    "min": "minute",
    "tsp": "teaspoon",
    "Tsp": "teaspoon",
    "tbsp": "tablespoon",
    "Tbsp": "tablespoon",
    "c": "cup",
    "C": "cup",
    "t": "teaspoon",
    "T": "tablespoon",
    "pt": "pint",
    "qt": "quart",
    "gal": "gallon",
    '"': "inch",
    "″": "inch",
}
_UNIT = (
    rf"(?:{SPACE}?(?:(km|cm|mm|kg|mg|ml|mL|lbs?|oz|hrs?|min|[Tt]bsp|[Tt]sp|qt|gal|[mglLs])\.?(?![\w'’/²³^])"
    r"|(ft|in|pt|mi|[cCtT](?=\.[  ][a-z(]))\.(?!\w)|([\"″])(?!\w)))?"
)
_NOT_INSIDE = r"(?<![\w.,/$€£¥⁄:-])"
_NOT_AFTER = r"(?![\w/⁄%°]|[.,:]\d|-\d)"

_IDIOMS = {
    "24/7": "twenty-four seven",
    "24-7": "twenty-four seven",
    "24/7/365": "twenty-four seven, three sixty-five",
    "9/11": "nine eleven",
    "7/11": "seven eleven",
    "50/50": "fifty-fifty",
    "20/20": "twenty twenty",
    "60/40": "sixty-forty",
    "80/20": "eighty-twenty",
    "70/30": "seventy-thirty",
    "90/10": "ninety-ten",
}
_IDIOM = re.compile(rf"{_NOT_INSIDE}(?:{'|'.join(sorted(_IDIOMS, key=len, reverse=True))}){_NOT_AFTER}")
_MIXED = re.compile(rf"{_NOT_INSIDE}(?<!\d )(\d{{1,4}})(?:{SPACE}|-)(\d{{1,3}})[/⁄](\d{{1,4}}){_UNIT}{_NOT_AFTER}")
_MIXED_SIGN = re.compile(rf"{_NOT_INSIDE}(\d{{1,6}}){SPACE}?([{_SIGNS}]){_UNIT}(?!\w)")
_SIGN = re.compile(rf"(?<![\d{_SIGNS}])([{_SIGNS}]){_UNIT}")
_PLAIN = re.compile(rf"{_NOT_INSIDE}(\d{{1,6}})[/⁄](\d{{1,6}})((?:th|[nr]d)s?)?{_UNIT}{_NOT_AFTER}")

_DIVISIONS = frozenset({2, 3, 4, 5, 6, 8, 16, 32, 64})
"""What people divide by; the rest are marks and counts: 13/15 is "thirteen out of fifteen"."""
_PARTED = words(
    "of mile miles inch inches cup cups second seconds teaspoon tablespoon pound ounce acre",
)
_RATED = words(
    "stars star points rating score tests passed correct votes done complete completed",
)


def fractions(draft: Draft, tongue: Tongue) -> None:
    """Say fractions, with the unit after them: ½ km is "half a kilometer"."""

    def mixed(match: re.Match[str]) -> str | None:
        whole, upper, lower = match[1], int(match[2]), int(match[3])
        if not 0 < upper < lower or not (lower in _DIVISIONS or lower in {7, 9, 10, 12, 100}):
            return None
        part = _fraction(upper, lower, tongue, article=True)
        return f"{count(whole, tongue)} and {part}{_plural(_unit(match, 4))}{final_period(match)}"

    def mixed_sign(match: re.Match[str]) -> str:
        part = _fraction(*_parts(match[2]), tongue, article=True)
        return f"{count(match[1], tongue)} and {part}{_plural(_unit(match, 3))}{final_period(match)}"

    def sign(match: re.Match[str]) -> str:
        upper, lower = _parts(match[1])
        if not upper:
            return "zero thirds"
        return _with_unit(upper, lower, _unit(match, 2), tongue) + final_period(match)

    def plain(match: re.Match[str]) -> str | None:
        upper, lower, suffix = int(match[1]), int(match[2]), match[3]
        unit, after = _unit(match, 4), word_after(match).lower()
        if not upper or not lower or (match[1][0] == "0" or match[2][0] == "0"):
            return None
        is_part = suffix or unit or after in _PARTED or upper == 1 or lower in _DIVISIONS
        if upper < lower <= 1000 and is_part and after not in _RATED and lower > 1:
            return _with_unit(upper, lower, unit, tongue) + final_period(match)
        if unit:
            return None
        if upper <= lower:
            return f"{count(upper, tongue)} out of {count(lower, tongue)}"
        return f"{count(upper, tongue)} over {count(lower, tongue)}"

    draft.say(_IDIOM, lambda match: _IDIOMS[match.group()])
    draft.say(_MIXED, mixed)
    draft.say(_MIXED_SIGN, mixed_sign)
    draft.say(_SIGN, sign)
    draft.say(_PLAIN, plain)


def _fraction(upper: int, lower: int, tongue: Tongue, *, article: bool = False) -> str:
    one = ("an" if lower in {8, 11, 18} else "a") if article else "one"
    name = {2: "half", 4: "quarter"}.get(lower) or place(lower, tongue)
    if upper == 1:
        return f"{one} {name}"
    many = {2: "halves", 4: "quarters"}.get(lower) or f"{name}s"
    return f"{count(upper, tongue)} {many}"


def _with_unit(upper: int, lower: int, unit: str, tongue: Tongue) -> str:
    if not unit:
        return _fraction(upper, lower, tongue)
    article = "an" if unit[0] in "aeiou" or unit == "hour" else "a"
    if (upper, lower) == (1, 2):
        return f"half {article} {unit}"
    return f"{_fraction(upper, lower, tongue, article=upper == 1)} of {article} {unit}"


def _parts(sign: str) -> tuple[int, int]:
    upper, _, lower = unicodedata.normalize("NFKC", sign).partition("⁄")
    return int(upper), int(lower)


def _unit(match: re.Match[str], group: int) -> str:
    written = match[group] or match[group + 1] or match[group + 2]
    return _UNITS[written] if written else ""


def _plural(unit: str) -> str:
    if not unit:
        return ""
    return {"foot": " feet", "inch": " inches"}.get(unit, f" {unit}s")
