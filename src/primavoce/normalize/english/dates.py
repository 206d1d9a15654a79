"""Dates and days: May 4, 2024; 4 May; 2024-05-03T14:45Z; 3/5/2024; Mon., Jan. 5."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.calendar import CUT_DAYS, CUT_MONTH, DAY_NAME, MONTH, MONTHS, day_name, month_name
from primavoce.normalize.english.context import closing_period, ends, final_period, text_before, word_before
from primavoce.normalize.english.figures import DASH, SPACE, place, year_words
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_SUFFIX = r"(?:st|[nr]d|th)?"
_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_BREAK = rf"(?:{SPACE}?(?:{DASH}|to\b|through\b){SPACE}?)"
_NOT_AFTER = r"(?![\w]|[.,:/]\d)"

_ISO_TIME = re.compile(
    rf"(?<![\w-])({_YEAR}-[01]\d-[0-3]\d)[Tt](\d\d:\d\d)(?::(\d\d)(\.\d{{1,9}})?)?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?(?!\w)"
)
_ISO = re.compile(rf"(?<![\w./-])({_YEAR})([-/])(0?[1-9]|1[0-2])\2({_DAY})(?![\w/-]|\.\d)")
_FIGURES = re.compile(r"(?<![\w./-])(\d{1,2})([/.-])(\d{1,2})\2((?:1[89]|20)\d\d|\d\d)(?![\w/-]|\.\d)")
_SHORT_FIGURES = re.compile(r"(?<![\w./-])(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])(?![\w/-]|\.\d| of\b)")
_TO_DATE = re.compile(
    rf"(?<=\d){SPACE}?[–—]{SPACE}?(?={MONTH}{SPACE}\d|\d{{4}}-\d\d-\d\d|{_DAY}{SPACE}{MONTH}{SPACE}{_YEAR}|\d{{1,2}}/\d{{1,2}}/\d)"
)
_MONTH_FIRST = re.compile(
    rf"(?<!\w)({MONTH}){SPACE}({_DAY}){_SUFFIX}(?:{_BREAK}(?:({MONTH}){SPACE})?({_DAY}){_SUFFIX})?"
    rf"(?:(,?{SPACE})({_YEAR})(?=[^\w]|$)(?![.,:/]\d)|{_NOT_AFTER})"
)
_DAY_FIRST = re.compile(
    rf"(?<![\w.,/])([Tt]he{SPACE})?({_DAY}){_SUFFIX}(?:{_BREAK}({_DAY}){_SUFFIX})?(?:{SPACE}of)?{SPACE}({MONTH})(?!\w)"
    rf"(?:(,?{SPACE})({_YEAR})(?![.,:/]\d)\b)?"
)
_MONTH_YEAR = re.compile(rf"(?<!\w)({MONTH})(?:{DASH}({MONTH}))?(,?{SPACE}){_YEAR}{_NOT_AFTER}(?!{DASH}\d)")
_DAYS = re.compile(rf"(?<!\w)({DAY_NAME})(\.?){SPACE}?[-–—/]{SPACE}?({DAY_NAME})(?!\w)((?(2)\.?))")
_MONTHS = re.compile(rf"(?<!\w)({MONTH}){SPACE}?[-–—/]{SPACE}?({MONTH})(?!\w)")
_CUT_DAY = re.compile(rf"(?<![\w’'])({'|'.join(CUT_DAYS)})(?:\.|\b)(?![\w’'-])")
_CUT_MONTH = re.compile(rf"(?<!\w)({CUT_MONTH})\.(?!\w)|(?<!\w)(Sept|Aug|Oct|Nov)\b(?![.\w'’-])")

_WORDS_TOO = frozenset({"Mon", "Wed", "Sat", "Sun", "Fri"})
"""Days cut short that are words or names by themselves; `Fri` is none, but a file may be called so."""
_FEASTS = frozenset({"12/24", "12/25", "12/31", "10/31", "2/14"})
"""Dates that everybody writes so; in other figures without a year a fraction is as likely."""
_DAY_AHEAD = re.compile(rf"(?<!\w){DAY_NAME}\.?,?{SPACE}\Z")
_HOUR_NEXT = re.compile(rf",?{SPACE}(?:@|at){SPACE}?\d")
_BEFORE_DATES = words(
    "on by until till before after since from due dated through",
)
_AFTER_DAYS = re.compile(rf"{SPACE}?(?:,{SPACE}?)?(?:\d|(?:{MONTH})\b|at\b|and\b|night\b|morning\b|evening\b)")


def date_times(draft: Draft, _tongue: Tongue) -> None:
    """Part an ISO date from its time, which is the clock's: 2024-05-03T14:45Z."""

    def parted(match: re.Match[str]) -> str:
        date, time, second, part, zulu, sign, hours, minutes = match.groups()
        text = f"{date} at {time}"
        if second and (part or second != "00"):
            text += f" and {int(second)}{part or ''} seconds"
        if zulu:
            return f"{text} UTC"
        if sign:
            text += f" UTC {'plus' if sign == '+' else 'minus'} {int(hours)}"
        return f"{text} hours {minutes}" if minutes and int(minutes) else text

    draft.rewrite(_ISO_TIME, parted)


def dates(draft: Draft, tongue: Tongue) -> None:
    """Say dates of figures, then those with the month's name."""

    def iso(match: re.Match[str]) -> str | None:
        return _date(int(match[4]), int(match[3]), int(match[1]), tongue)

    def figures(match: re.Match[str]) -> str | None:
        day_first = tongue.tag == "en-gb" or match[2] == "."
        if match[2] == "." and len(match[4]) == 2:
            return None  # a version rather than a date
        year = int(match[4])
        if len(match[4]) == 2:
            if match[2] == "-" and "0" not in (match[1][0], match[3][0]):
                return None  # a score: 10-2-11
            year += 2000 if year < 50 else 1900
        return _in_either_order(int(match[1]), int(match[3]), year, tongue, day_first=day_first)

    def short_figures(match: re.Match[str]) -> str | None:
        is_date = (
            match.group() in _FEASTS
            or match[1][0] == "0"
            or match[2][0] == "0"
            or word_before(match).lower() in _BEFORE_DATES
            or _DAY_AHEAD.search(text_before(match)) is not None
            or _HOUR_NEXT.match(match.string, match.end()) is not None
        )
        if not is_date or match.group() in {"1/2", "1/3", "2/3", "1/4", "3/4"}:
            return None
        return _in_either_order(int(match[1]), int(match[2]), None, tongue, day_first=tongue.tag == "en-gb")

    def month_first(match: re.Match[str]) -> str:
        month, day, to_month, to_day, _, year = match.groups()
        article = "the " if tongue.tag == "en-gb" else ""
        words = f"{month_name(month)} {article}{place(day, tongue)}"
        if to_day:
            words += f" to {month_name(to_month) + ' ' if to_month else ''}{place(to_day, tongue)}"
        return words + _with_year(year, tongue)

    def day_first(match: re.Match[str]) -> str | None:
        article, day, to_day, month, _, year = match.groups()
        if month == "May" and not year and _is_verb(match):
            return None
        words = f"{'The' if article and article[0] == 'T' else 'the'} {place(day, tongue)}"
        if to_day:
            words += f" to the {place(to_day, tongue)}"
        return f"{words} of {month_name(month)}{_with_year(year, tongue)}" + (final_period(match) if not year else "")

    draft.rewrite(_TO_DATE, lambda _match: " to ")
    draft.say(_ISO, iso)
    draft.say(_FIGURES, figures)
    draft.say(_SHORT_FIGURES, short_figures)
    draft.say(_MONTH_FIRST, month_first)
    draft.say(_DAY_FIRST, day_first)


def months(draft: Draft, tongue: Tongue) -> None:
    """Say a month and its year; write out months that are cut short."""

    def with_year(match: re.Match[str]) -> str:
        first, last, _ = match.groups()
        year = year_words(int(match.group()[-4:]), tongue)
        return f"{month_name(first)} {f'to {month_name(last)} ' if last else ''}{year}"

    def between(match: re.Match[str]) -> str:
        return f"{month_name(match[1])} to {month_name(match[2])}{final_period(match)}"

    def alone(match: re.Match[str]) -> str | None:
        if match.group() in {"Mar.", "Jan.", "Dec.", "Jun.", "Jul."} and ends(match):
            return None  # as likely a name
        return month_name(match[1] or match[2]) + closing_period(match)

    draft.say(_MONTH_YEAR, with_year)
    draft.say(_MONTHS, between)
    draft.say(_CUT_MONTH, alone)


def days(draft: Draft, _tongue: Tongue) -> None:
    """Write out the days of the week that are cut short."""

    def between(match: re.Match[str]) -> str:
        link = "to" if set(match.group()) & set("-–—") else "or"
        return f"{day_name(match[1])} {link} {day_name(match[3])}{closing_period(match)}"

    def alone(match: re.Match[str]) -> str | None:
        cut = match[1]
        if cut not in _WORDS_TOO:
            return CUT_DAYS[cut] + closing_period(match)
        has_period = match.group().endswith(".")
        is_followed = _AFTER_DAYS.match(match.string, match.end()) is not None
        if (has_period and not ends(match)) or is_followed or word_before(match) in {"on", "next", "last", "every"}:
            return CUT_DAYS[cut] + closing_period(match)
        return None

    draft.say(_DAYS, between)
    draft.say(_CUT_DAY, alone)


def _date(day: int, month: int, year: int | None, tongue: Tongue) -> str | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    spoken_year = f", {year_words(year, tongue)}" if year is not None else ""
    if tongue.tag == "en-gb":
        return f"the {place(day, tongue)} of {MONTHS[month - 1]}{spoken_year}"
    return f"{MONTHS[month - 1]} {place(day, tongue)}{spoken_year}"


def _in_either_order(first: int, second: int, year: int | None, tongue: Tongue, *, day_first: bool) -> str | None:
    """Say a date in the usual order of the country, and in the other where only that is one."""
    day, month = (first, second) if day_first else (second, first)
    return _date(day, month, year, tongue) or _date(month, day, year, tongue)


def _with_year(year: str | None, tongue: Tongue) -> str:
    return f", {year_words(int(year), tongue)}" if year else ""


def _is_verb(match: re.Match[str]) -> bool:
    """Whether "May" may be the verb, at the start of a title: Figure 4 May Differ."""
    return word_before(match) in {"Figure", "Table", "Chapter", "Section", "Part", "Step", "Page", "Item", "Number"}
