"""The rules of Italian, Spanish, French and Portuguese; what differs is in their tables."""

import re
from collections.abc import Mapping
from functools import cache

from babel.dates import get_month_names

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.languages.dates import dates, day_words
from primavoce.normalize.languages.identifiers import identifiers
from primavoce.normalize.languages.opening_hours import opening_hours
from primavoce.normalize.languages.romance_agreement import counts
from primavoce.normalize.languages.romance_ordinals import centuries, ordinals, roman
from primavoce.normalize.languages.romance_phones import phones
from primavoce.normalize.quantities import word_before
from primavoce.normalize.tongue import Rule, Tongue
from primavoce.normalize.units import names
from primavoce.text.languages.rules import words

FULL_TITLES = {
    "dottor": "dottore",
    "signor": "signore",
    "professor": "professore",
    "ingegner": "ingegnere",
    "ragionier": "ragioniere",
    "monsignor": "monsignore",
}
"""Titles that lose their last vowel before a name: il dottor Rossi, but il dottore."""

AND_SO_ON = frozenset({"eccetera", "etcétera", "et cetera"})
"""What may end a sentence in the middle of a text."""

BEFORE_NAMES = frozenset(
    {
        "on.",
        "sen.",
        "col.",
        "gen.",
        "arch.",
        "rag.",
        "ing.",
        "geom.",
        "M.",
        "MM.",
        "D.",
        "R.",
        "Me",
        "Pr",
        "St",
        "Ste",
        "Dr",
    }
    | {"Av.", "av.", "S. A."}
)
"""Abbreviations that are only taken for one before a name, since they are also words or initials."""

_NAME_FOLLOWS = re.compile(r"[ \u00a0](?:[dD]['’])?[A-ZÀ-Þ]")
_END = re.compile(r"[\s\"'”’»)\]]*$")

_DAY_MONTH = re.compile(r"(?<![\w.,/-])(?P<day>[0-3]?\d)/(?P<month>[01]?\d)(?![\w/]|[.,]\d)")
_DATED = words(
    "il dal al del nel entro lunedì martedì mercoledì giovedì venerdì sabato domenica el día le du au dia até em ",
    "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo feira",
)
_FIRST_OF = re.compile(r"(?<![\w.,/-])(?:1|1[°º]|1er|1\.º)(?=[ \u00a0](?:de[ \u00a0])?(?P<month>[^\W\d_]{3,10}))")
_DAY_RANGE = re.compile(
    r"(?<![\w.,/-])(?P<first>[0-3]?\d)[-–](?P<last>[0-3]?\d)(?=[ \u00a0](?:de[ \u00a0])?(?P<month>[^\W\d_]{3,10}))"
)
_OF_YEAR = re.compile(r"(?<![\w.,/-])(?P<number>\d{1,3}(?:\.\d{3})?|\d{1,4})/(?P<year>(?:19|20)\d\d)(?![\w/]|[.,]\d)")
_APOSTROPHE_YEAR = re.compile(r"(?<!\w)['’](?=\d\d(?!\d))")

_RATE = re.compile(r"(?<=[^\W\d_][^\W\d_][^\W\d_])/(?P<per>[a-zà-ÿ]{3,9})(?!\w|/)")
_METRES = re.compile(r"(?<![\w.,/-])(?P<metres>[1-9]),(?P<rest>\d\d)[ \u00a0]?m(?![\w²³/]|\.\w)")
_PRIME = re.compile(r"(?<![\w.,:'’\"“-])(?P<minutes>\d{1,3})['’′](?![\w'’′\"”])")


@cache
def _abbreviations(tongue: Tongue) -> tuple[re.Pattern[str], dict[str, str]]:
    said = _with_capitals(tongue.abbreviations)
    forms = "|".join(re.escape(key).replace(r"\ ", r"[ \u00a0]") for key in sorted(said, key=len, reverse=True))
    return re.compile(rf"(?<![\w.@/-])(?P<short>{forms})(?![\w@])"), said


@cache
def _before_numbers(tongue: Tongue) -> tuple[re.Pattern[str], dict[str, str]]:
    said = _with_capitals(tongue.before_number)
    forms = "|".join(re.escape(key) for key in sorted(said, key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?<![\w.@/-])(?P<short>{forms})[ \u00a0]?(?=\d|[IVXLC]{{1,7}}(?!\w))"), said


def abbreviations(draft: Draft, tongue: Tongue) -> None:
    """Write abbreviations out. The period of one that ends the sentence stays."""
    pattern, numbered = _before_numbers(tongue)
    draft.rewrite(pattern, lambda match: f"{numbered[match['short']]} ")
    pattern, said = _abbreviations(tongue)
    draft.rewrite(pattern, lambda match: _written_out(match, said))


def _with_capitals(table: Mapping[str, str]) -> dict[str, str]:
    """Return a table with each lower-case abbreviation also as it begins a sentence."""
    return {key[:1].upper() + key[1:]: said for key, said in table.items() if key[:1].islower()} | dict(table)


def _written_out(match: re.Match[str], said: dict[str, str]) -> str | None:
    short = match["short"]
    words = said.get(short) or said[short.replace("\u00a0", " ")]
    named = _NAME_FOLLOWS.match(match.string, match.end()) is not None
    if short.lower() == "min." and match.string[max(0, match.start() - 2) : match.start()].strip().isdecimal():
        return None  # minutes
    if not named and (short in BEFORE_NAMES or short.lower() in BEFORE_NAMES):
        return None
    if not named:
        words = FULL_TITLES.get(words, words)
    if short.endswith(".") and (_closes(match.string, match.end()) or (named and words in AND_SO_ON)):
        words += "."
    return words


def _closes(text: str, at: int) -> bool:
    """Whether a period before ``at`` ends the sentence too, or begins an ellipsis."""
    return text.startswith(".", at) or _END.match(text, at) is not None


def rates(draft: Draft, tongue: Tongue) -> None:
    """Say what something is for after a slash: 2 volte/giorno "due volte al giorno"."""
    draft.rewrite(_RATE, lambda match: f" {words}" if (words := tongue.per.get(match["per"])) else None)


def heights(draft: Draft, tongue: Tongue) -> None:
    """Say 1,80 m "un metro e ottanta", and the prime after minutes: 45'."""
    draft.say(_METRES, lambda match: _metres(match, tongue))
    draft.rewrite(_PRIME, lambda match: f"{match['minutes']} min")


def _metres(match: re.Match[str], tongue: Tongue) -> str:
    one, many = names("length-meter", tongue)
    count = int(match["metres"])
    noun = (one if count == 1 else many).replace("{}", "").strip()
    metres = f"{numbers.counted(count, noun, tongue)} {noun}"
    rest = int(match["rest"])
    return tongue.phrases["metres"].format(a=metres, b=numbers.cardinal(rest, tongue)) if rest else metres


def days(draft: Draft, tongue: Tongue) -> None:
    """Say days of a month: il 3/5, 1 maggio, 5-7 giugno, gli anni '90."""
    names = dict(get_month_names("wide", locale=tongue.locale))
    months = {name.lower() for name in names.values()}
    draft.say(_DAY_MONTH, lambda match: _day_month(match, names, tongue))
    first = tongue.phrases["first_day"]
    draft.say(_FIRST_OF, lambda match: first if match["month"].lower() in months else None)
    draft.say(_DAY_RANGE, lambda match: _day_range(match, tongue) if match["month"].lower() in months else None)
    of_year = tongue.phrases.get("of_year")
    if of_year:
        draft.rewrite(_OF_YEAR, lambda match: of_year.format(a=match["number"], b=match["year"]))
    draft.drop(_APOSTROPHE_YEAR, "an apostrophe for a century")


def _day_month(match: re.Match[str], names: dict[int, str], tongue: Tongue) -> str | None:
    day, month = int(match["day"]), int(match["month"])
    if not (1 <= day <= 31 and 1 <= month <= 12) or _before(match) not in _DATED:
        return None
    form = tongue.phrases.get("day_month", "{day} {month}")
    return form.format(day=day_words(day, tongue), month=names[month])


def _before(match: re.Match[str]) -> str:
    """Return the word before a match, a comma between them aside: terça-feira, 14/05."""
    at = match.start()
    comma = match.string[max(0, at - 2) : at] == ", "
    return word_before(match.string, at - 2 if comma else at)


def _day_range(match: re.Match[str], tongue: Tongue) -> str:
    first, last = day_words(int(match["first"]), tongue), numbers.cardinal(int(match["last"]), tongue)
    if tongue.tag == "it" and word_before(match.string, match.start()) not in {"dal", "il", "i", "nei"}:
        return f"dal {first} al {last}".replace(" al otto", " all'otto").replace(" al undici", " all'undici")
    return f"{first} {tongue.phrases['to']} {last}"


RULES: tuple[Rule, ...] = (
    abbreviations,
    opening_hours,
    dates,
    days,
    identifiers,
    phones,
    centuries,
    roman,
    ordinals,
    rates,
    heights,
    counts,
)
"""In their order."""
