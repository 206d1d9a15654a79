"""Dates in figures, 3/5/2024 and 2024-05-03, in languages other than English, whose own rules know more forms."""

import re
from datetime import date

from babel.dates import get_month_names

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.tongue import Tongue

_LEFT = r"(?<![A-Za-zÀ-ɏ\d_.,/-])"
_RIGHT = r"(?![A-Za-zÀ-ɏ\d_/]|[-.,][A-Za-zÀ-ɏ\d_])"
"""Letters without case may stand right beside a figure."""
_ISO = re.compile(rf"{_LEFT}(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d){_RIGHT}")
_DAY_FIRST = re.compile(
    rf"{_LEFT}(?P<day>\d{{1,2}})[º°]?(?P<mark>[/.-])(?P<month>\d{{1,2}})(?P=mark)(?P<year>\d{{4}}|\d\d){_RIGHT}"
)
_YEAR_FIRST = re.compile(rf"{_LEFT}(?P<year>\d{{4}})[/.](?P<month>\d{{1,2}})[/.](?P<day>\d{{1,2}}){_RIGHT}")


def dates(draft: Draft, tongue: Tongue) -> None:
    """Say dates with the month's name; what can't be a date is left."""
    first = _YEAR_FIRST if tongue.locale in {"ja", "zh"} else _DAY_FIRST
    for pattern in (_ISO, first):
        draft.say(pattern, lambda match: _date_words(match, tongue))


def _date_words(match: re.Match[str], tongue: Tongue) -> str | None:
    year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
    if len(match["year"]) == 2:
        if "mark" in match.groupdict() and match["mark"] == ".":
            return None  # a version, perhaps
        year += 2000 if year < 70 else 1900
    try:
        date(year, month, day)
    except ValueError:
        return None
    return date_words(day, month, year, tongue)


def date_words(day: int, month: int, year: int, tongue: Tongue) -> str:
    """Return a date in words: "tre maggio duemilaventiquattro"."""
    name = f"{month}月" if tongue.tag in {"ja", "zh"} else get_month_names("wide", locale=tongue.locale)[month]
    return tongue.phrases["date"].format(day=day_words(day, tongue), month=name, year=numbers.cardinal(year, tongue))


def day_words(day: int, tongue: Tongue) -> str:
    """Return the day of a month in words; the first has a name of its own: "primo", "premier"."""
    if day == 1 and "first_day" in tongue.phrases:
        return tongue.phrases["first_day"]
    return numbers.cardinal(day, tongue)
