"""Whether a number counts what comes after it."""

import re

from primavoce.normalize.english.figures import SPACE
from primavoce.text.languages.rules import words

_BETWEEN = words(
    "more other new active daily monthly different square cubic small large extra additional free paid random",
    "unique total separate single full old young local lost human metric short long open",
)
"""Adjectives that may stand between a count and its noun."""

_PLURALS = words(
    "people men women children folk feet inches mice sheep fish staff percent per yen euro won yuan dollar pound",
    "baht rand km m cm mm kg g mg lb lbs oz ft mi ml l kb mb gb tb kw w kwh v hz khz mhz ghz rpm fps dpi ppm px",
    "ms s sec min h hr hrs bpm cal kcal mph kph k usd eur gbp jpy chf million billion thousand hundred times",
    "years",
)
"""Counted nouns that don't end in s, units and currencies, in small letters."""

_NOT_PLURAL = words(
    "was is has does his its this as us plus thus across unless towards perhaps always besides census crisis",
    "remains brings sees marks begins starts ends shows looks feels comes means seems makes takes gives gets goes",
    "becomes includes requires promises versus process class business witness less analysis basis virus bonus",
    "status campus congress access address success press glass series news politics olympics",
)
"""Words that end in s and are no plural, or none that is counted after a year."""

_NEXT = re.compile(rf"{SPACE}([A-Za-z]{{1,30}})(?![A-Za-z])(?:{SPACE}([A-Za-z]{{1,30}}))?")
_COMPOUND = re.compile(
    r"-(?:page|word|line|foot|mile|meter|metre|seat|piece|pixel|person|point|dollar|calorie|watt|bit|byte|room|step|ton|"
    r"strong|odd|year|day|hour|minute|second|degree|square|row|volt|token|character|mm|cm|km|kg|lb|px|ms|mah)\b",
    re.IGNORECASE,
)


def is_counted(match: re.Match[str]) -> bool:
    """Whether a plural, a unit or a currency comes after the number at the end of ``match``."""
    if _COMPOUND.match(match.string, match.end()):
        return True
    found = _NEXT.match(match.string, match.end())
    if found is None:
        return False
    first, second = found.groups()
    if first.lower() in _BETWEEN and second:
        return _is_counted_noun(second)
    return _is_counted_noun(first)


def _is_counted_noun(word: str) -> bool:
    if word.lower() in _PLURALS:
        return True
    return word.islower() and len(word) > 3 and word.endswith("s") and word not in _NOT_PLURAL
