"""From one number to another: 5–10, 9am–5pm, $5-10, 20%–30%, A–Z."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.figures import NOT_INSIDE, NUMBER, SPACE
from primavoce.normalize.tongue import Tongue

_MONEY = "[$€£¥₹]"
_DASHES = "[-\u2010-\u2015]"
_WIDE = "[\u2012-\u2015]"
_NOT_AFTER = rf"(?![.,:/]?\d|{_DASHES}\d)"
_TIME = r"\d{1,2}(?::\d\d)?"
_HALF = rf"{SPACE}?[AaPp]\.?[Mm]\b\.?"

_WORDED = re.compile(r"(?<![\w.,-])(\d{1,4})-to-(?=\d{1,4}\b)")
_NOON = re.compile(rf"\b([Nn]oon|[Mm]idnight){_DASHES}(?=\d|[Nn]oon|[Mm]idnight)")
_WHOLE = re.compile(rf"{SPACE}?\d{{1,2}}:\d\d{_HALF}|\d{{1,2}}{_HALF}", re.IGNORECASE)
_HOURS = re.compile(
    rf"(?<![\w.,:/$€£¥-])({_TIME}(?:{_HALF})?){SPACE}?{_DASHES}{SPACE}?(?={_TIME}(?:{_HALF}|(?![\w.,:/-])))"
)
_PRICES = re.compile(rf"({_MONEY})({NUMBER})([KkMmBb]|bn)?{SPACE}?{_DASHES}{SPACE}?(?:({_MONEY})({NUMBER})|({NUMBER}))")
_NUMBERS = re.compile(
    rf"(?<![\w.,:/$€£¥⁄-])(?!0\d)({NUMBER})(?:{SPACE}?{_WIDE}{SPACE}?|-)(?!0\d)({NUMBER}){_NOT_AFTER}(?!-[A-Z]\b)"
)
_WITH_UNITS = re.compile(
    rf"{NOT_INSIDE}({NUMBER}{SPACE}?(?:[%°]{SPACE}?[CF]?|[A-Za-z]{{1,4}})){SPACE}?[-\u2012-\u2015]{SPACE}?"
    rf"({NUMBER}{SPACE}?(?:[%°]{SPACE}?[CF]?|[A-Za-z]{{1,4}})(?![\w])){_NOT_AFTER}"
)
_ORDINALS = re.compile(rf"(?<![\w.,])(\d{{1,4}}(?:st|[nr]d|th)){SPACE}?{_DASHES}{SPACE}?(?=\d{{1,4}}(?:st|[nr]d|th)\b)")
_LETTERS = re.compile(rf"(?<![\w-])(A|a){_DASHES}(Z|z)(?![\w-])")
_UNIT = re.compile(r"[%°A-Za-z]+")


def ranges(draft: Draft, _tongue: Tongue) -> None:
    """Write "to" between the ends of a range; the numbers stay open to the rules for money, units and plain figures."""

    def prices(match: re.Match[str]) -> str | None:
        sign, first, size, second_sign, signed, plain = match.groups()
        if second_sign not in {None, sign}:
            return None
        if signed and "." not in first + signed:
            return f"{first}{size or ''} to {sign}{signed}"
        if signed:
            return f"{sign}{first}{size or ''} to {sign}{signed}"
        return f"{first}{size or ''} to {sign}{plain}"

    def with_units(match: re.Match[str]) -> str | None:
        first, last = match[1], match[2]
        if _units(first) != _units(last):
            return None
        return f"{first} to {last}"

    draft.rewrite(_WORDED, lambda match: f"{match[1]} to ")
    draft.rewrite(_NOON, lambda match: f"{match[1]} to ")
    draft.rewrite(_HOURS, _hours)
    draft.rewrite(_PRICES, prices)
    draft.rewrite(_WITH_UNITS, with_units)
    draft.rewrite(_ORDINALS, lambda match: f"{match[1]} to ")
    draft.rewrite(_NUMBERS, lambda match: f"{match[1]} to {match[2]}")
    draft.say(_LETTERS, lambda match: f"{match[1]}-to-{match[2]}")  # hyphens keep the A from being an article


def _hours(match: re.Match[str]) -> str | None:
    is_time = ":" in match[1] or match[1][-1] in "mM."
    first = match[1].rstrip()
    if first.endswith(":00") and _WHOLE.match(match.string, match.end()):
        first = first.removesuffix(":00")  # "nine to ten thirty a.m.", not "nine o'clock to"
    return f"{first} to " if is_time else None


def _units(text: str) -> list[str]:
    return _UNIT.findall(text)
