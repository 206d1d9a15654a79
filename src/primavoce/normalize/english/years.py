"""Years: in 1982, 2008, the 1990s, ’98, 1990–95, 300 BC, FY2024, Q3 2024.

A number of four figures is a year when the words beside it say so: after "in", "since" and their like, in brackets, or
alone between 1900 and 2099 before a mark or a word that no count stands before. Before a plural, a unit or a currency
it is a count (2000 rows, 1999 yen), after "room" or "page" a label.
"""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.calendar import MONTH_NAMES, MONTHS
from primavoce.normalize.english.context import final_period, text_before, word_after, word_before
from primavoce.normalize.english.counted import is_counted
from primavoce.normalize.english.figures import DASH, SPACE, count, short_year, year_words
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_YEAR = r"(?:1[1-9]\d\d|20\d\d)"
_BARE = (
    r"(?<![\w.,:/$€£¥₹#+=<>*^×÷±~@&%])(?<![$€£¥₹=<>*×÷+≤≥≠] )"
    r"(?:(?<!-)|(?<=mid-)|(?<=early-)|(?<=late-)|(?<=pre-)|(?<=post-))"
)
_ERA = re.compile(
    rf"(?<![\w.,])(?:({{figures}}){SPACE}?(BCE?|CE|AD)\b(?!\.\w)|({{figures}}){SPACE}?(B\.C\.(?:E\.)?|C\.E\.|A\.D\.)"
    rf"|A\.?D\.?{SPACE}(\d{{1,4}})(?![\w,.]\d)\b)".replace("{figures}", r"\d{1,3}(?:,\d{3})++|\d{1,5}")
)
_FISCAL = re.compile(r"(?<!\w)(FY|CY)[ '’-]?((?:20)?\d\d)(?:[/–-](\d\d))?(?!\w|[.,]\d)")
_PART = re.compile(
    rf"(?<!\w)([QH])([1-4])(?:(?:{SPACE}|,{SPACE}|/|-)(?:FY|['’])?((?:20)?\d\d)|(?:FY|['’])(\d\d)|(20\d\d))?(?!\w|[.,]\d|-\d)"
)
_RANGE = re.compile(rf"{_BARE}({_YEAR}){SPACE}?({DASH}|/){SPACE}?({_YEAR}|\d\d)(?![\w/%°]|{DASH}\d|[.,:]\d)")
_DECADE = re.compile(r"(?<![\w.,/$€£])(?:(1[1-9]\d0|20\d0)|(['’‘]?)([2-9]0))['’]?s(?!\w)")
_SHORT = re.compile(r"(?<![\w'’‘])['’‘](\d\d)(?![\w'’‘]|[.,:]\d)")
_SINGLE = re.compile(rf"{_BARE}((?:10|1[1-9]|20)\d\d)(?![\w/°€£¥%]|[.,:]\d|{SPACE}?[%°€£¥×*=<>^+≤≥÷])")
_OPENED = re.compile(r"(?:^|[\s—–;,:])[(\[]\Z")

_LEADS = words(
    "in since until till before after during circa ca c year years summer spring autumn fall winter season early",
    "mid late copyright vintage founded established born died est published released © ©️ of from by",
)
_NOT_OF = words(
    "total sum out average maximum minimum limit price cost number score value speed size count",
)
_QUANTITIES = words(
    "about over than under costs cost paid pay only just exactly nearly almost approximately approx least most",
    "roughly some another all additional extra total around up reached holds equals holding",
)
_LABELS = words(
    "room page line lines port error code number no nos id step route flight item model order bus apartment apt",
    "suite unit extension ext pages version build rfc iso din highway gate channel chapter psalm section",
)
_IS = frozenset(["is", "was", "are", "were", "be", "been"])
_LINKED = re.compile(rf"(?<!\d)(\d{{1,7}}),?{SPACE}(?:to |and |or |through |until )?\Z")
_FROM_YEAR = re.compile(
    rf"\b(?:from|between){SPACE}(?:19|20)\d\d{SPACE}(?:to|until|through|and){SPACE}\Z", re.IGNORECASE
)
_AFTER = words(
    "a an and are as at because before brought but by came can did during every for from had has have he her his",
    "how i if in into is it its just led like many may more most no of on or our over people's saw she should so",
    "than that the their then there these they this through to under until was we were what when where which",
    "while who will with would you your after also already alone",
)
"""Words that a count doesn't stand before."""
_ANNUAL = words(
    "census election elections edition report season model budget survey film movie book album version tax paper study",
    "law act deal crisis war campaign game games world annual figures show hit debut vintage",
)
"""What there is one of a year."""
_BEFORE_DECADES = words(
    "the his her their my your our early mid late mid-",
)
_DECADE_LINK = re.compile(rf"\d0s{SPACE}(?:and|or|to){SPACE}\Z")
_ARTICLES = words(
    "the this that a our his her their my your its last",
)


def eras(draft: Draft, tongue: Tongue) -> None:
    """Say years with their era: 300 BC, AD 79."""

    def words(match: re.Match[str]) -> str:
        figures, era, dotted_figures, dotted, after_ad = match.groups()
        if after_ad:
            return f"AD {year_words(int(after_ad), tongue)}"
        value = int((figures or dotted_figures).replace(",", ""))
        said = year_words(value, tongue) if value < 2100 else count(value, tongue)
        return f"{said} {(era or dotted).replace('.', '')}{final_period(match)}"

    draft.say(_ERA, words)


def business_years(draft: Draft, tongue: Tongue) -> None:
    """Say fiscal years, quarters and halves: FY2024, Q3 2024, H1."""

    def fiscal(match: re.Match[str]) -> str:
        kind, year, to_year = match.groups()
        said = f"{'fiscal' if kind == 'FY' else 'calendar'} year {_full(year, tongue)}"
        return f"{said} to {short_year(to_year, tongue)}" if to_year else said

    def part(match: re.Match[str]) -> str | None:
        letter, number, year = match[1], match[2], match[3] or match[4] or match[5]
        if letter == "H" and int(number) > 2:
            return None
        return f"{letter} {count(number, tongue)}" + (f" {_full(year, tongue)}" if year else "")

    draft.say(_FISCAL, fiscal)
    draft.say(_PART, part)


def year_ranges(draft: Draft, tongue: Tongue) -> None:
    """Say spans of years: 1990–95, 1914-1918, the season 2023/24."""

    def words(match: re.Match[str]) -> str | None:
        first, mark, last = match.groups()
        if is_counted(match) or word_before(match).lower() in _LABELS | _QUANTITIES:
            return None
        full = int(last) if len(last) == 4 else int(first[:2] + last)
        if mark == "/" and full != int(first) + 1:
            return None
        if full > int(first):
            said = year_words(full, tongue) if len(last) == 4 else short_year(last, tongue)
            return f"{year_words(int(first), tongue)} to {said}"
        if mark == "-" and len(last) == 2 and 1 <= int(last) <= 12:
            return f"{MONTHS[int(last) - 1]} {year_words(int(first), tongue)}"
        return None

    draft.say(_RANGE, words)


def decades(draft: Draft, tongue: Tongue) -> None:
    """Say decades and two-figure years: the 1990s, the ’80s, mid-90s, the class of ’98."""

    def words(match: re.Match[str]) -> str | None:
        full, apostrophe, short = match.groups()
        if full:
            return _many(year_words(int(full), tongue))
        before = text_before(match).lower()
        led = word_before(match).lower() in _BEFORE_DECADES or before.endswith(("mid-", "early-", "late-", "the "))
        led = led or _DECADE_LINK.search(before) is not None
        return _many(count(short, tongue)) if apostrophe or led else None

    draft.say(_DECADE, words)
    draft.say(_SHORT, lambda match: short_year(match[1], tongue) if match[1] != "00" else "oh oh")


def years(draft: Draft, tongue: Tongue) -> None:
    """Say single numbers that are years."""
    draft.say(_SINGLE, lambda match: year_words(int(match[1]), tongue) if _is_year(match) else None)


def _is_year(match: re.Match[str]) -> bool:
    if _FROM_YEAR.search(text_before(match)):
        return True
    if is_counted(match):
        return False
    value = int(match[1])
    before = word_before(match).lower().rstrip(".")
    ahead = text_before(match)
    if before in _LABELS | _QUANTITIES or before in {"million", "thousand", "hundred"}:
        return False
    if before == "of" and (words := ahead.lower().split()) and len(words) > 1 and words[-2] in _NOT_OF:
        return False
    if before in _LEADS or before.title() in MONTH_NAMES:
        return True
    if linked := _LINKED.search(ahead):
        return 1000 <= int(linked[1]) <= 2099
    if ahead.endswith(("\ue000 to ", "\ue000 and ", "\ue000, ", "\ue000 or ")):
        return 1900 <= value <= 2099
    if _OPENED.search(ahead):
        return 1900 <= value <= 2099 or (value >= 1000 and match.string[match.end() : match.end() + 1] in set(")],;–-"))
    if ahead.lower().endswith(("mid-", "early-", "late-", "pre-", "post-")):
        return True
    if not 1900 <= value <= 2099 or value in {1920, 2048}:  # sizes of screens and memory
        return False
    after = word_after(match)
    if before in _IS and "year" not in ahead.lower():
        return False
    if not after or (value % 100 and after in _ANNUAL):
        return True
    return after[0].isupper() or after.lower() in _AFTER or before in _ARTICLES


def _full(year: str, tongue: Tongue) -> str:
    return year_words(int(year) if len(year) == 4 else 2000 + int(year), tongue)


def _many(words: str) -> str:
    """Return the plural of the last word: "nineteen nineties"."""
    return words[:-1] + "ies" if words.endswith("y") else words + "s"
