"""Marks after a figure that are feet, inches, minutes of time or of arc: 65" TV, 12' x 15', 2"x4", 40°42'46"N."""

import re

from primavoce.normalize.attributive import is_attributive
from primavoce.normalize.draft import Draft, left_out
from primavoce.normalize.english.context import text_before, word_after
from primavoce.normalize.english.figures import SPACE
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_FIGURE = r"(?<![\w.,'’\"/-])(\d{1,4}(?:[-–]\d{1,3})?(?:\.\d{1,2})?(?:[ -]\d/\d{1,2})?)"
_SIZE = re.compile(
    rf"(?<![\w.,'’-])(\d{{1,4}}(?:\.\d{{1,2}})?)([\"″”]|['’′]){SPACE}?(?:[x×]|by){SPACE}?(\d{{1,4}}(?:\.\d{{1,2}})?)(\2)"
    rf"(?:{SPACE}?(?:[x×]|by){SPACE}?(\d{{1,4}}(?:\.\d{{1,2}})?)\2)?(?!\w)"
)
_HALF_SIZE = re.compile(
    rf"(?<![\w.,'’-])(\d{{1,4}}(?:\.\d{{1,2}})?)[\"″”]{SPACE}?[x×]{SPACE}?(\d{{1,4}}(?:\.\d{{1,2}})?)(?![\w\"″.])"
)
_INCHES = re.compile(rf"{_FIGURE}([\"″]|'')(?!\w)")
_SINGLE = re.compile(r"(?<![\w.,'’‘\"-])(\d{1,3})['’′](?![\w'’\"])")
_ARC = re.compile(
    rf"(?<![\w.,])(\d{{1,3}})°{SPACE}?(\d{{1,2}})['’′](?:{SPACE}?(\d{{1,2}}(?:\.\d{{1,3}})?)(?:[\"”″]|''))?({SPACE}?[NSEW]\b)?"
)
_STOP = re.compile(r"(?<!\w)[fƒ]/(?=\d)")
"""A lens: f/2.8."""
_COMPASS = {"N": "north", "S": "south", "E": "east", "W": "west"}
_DEGREES = re.compile(rf"(?<=\d)°{SPACE}?([NSEW])(?!\w)")
_LONG = words(
    "long tall wide high deep of away above below apart ceiling ceilings ladder fence board boards cable rope pole",
    "tree boat wall snake drop",
)
_LASTED = re.compile(
    rf"\b(?:ran|run|time|finish(?:ed)?|in|lasts?|lasted|for|after|took|takes?|every|cook|bake|boil|rest|simmer){SPACE}"
    rf"(?:about{SPACE}|under{SPACE}|only{SPACE}|just{SPACE})?\Z",
    re.IGNORECASE,
)


def primes(draft: Draft, _tongue: Tongue) -> None:
    """Write out the marks; the figures stay open to the rules for numbers."""

    def size(match: re.Match[str]) -> str:
        first, mark, second, _, third = match.groups()
        one, many = ("foot", "feet") if mark in "'’′" else ("inch", "inches")
        unit = one if is_attributive(match) else many
        return " by ".join(part for part in (first, second, third) if part) + f" {unit}"

    def inches(match: re.Match[str]) -> str | None:
        if match[2] == '"' and _is_quoted(match):
            return None
        after = word_after(match)
        singular = match[1] == "1" or (after.isalpha() and after.lower() not in _NOT_NOUNS and not after.endswith("s"))
        return f"{match[1]} {'inch' if singular else 'inches'}"

    def single(match: re.Match[str]) -> str | None:
        before = match.string[: match.start()]
        if before.count("'") % 2 and re.search(r"(?<!\w)'[^']*\Z", before[-60:]):
            return None  # a closing quote
        if word_after(match).lower() in _LONG:
            return f"{match[1]} {'foot' if match[1] == '1' else 'feet'}"
        if _LASTED.search(text_before(match)):
            return f"{match[1]} {'minute' if match[1] == '1' else 'minutes'}"
        left_out(1, "a mark that may be feet or minutes")
        return match[1]

    def arc(match: re.Match[str]) -> str:
        degrees, minutes, seconds, side = match.groups()
        said = f"{_many(degrees, 'degree')} {_many(minutes, 'minute')}"
        said += f" {_many(seconds, 'second')}" if seconds else ""
        return f"{said} {_COMPASS[side.strip()]}" if side else said

    draft.rewrite(_STOP, lambda _match: "f ")
    draft.rewrite(_ARC, arc)
    draft.rewrite(_DEGREES, lambda match: f" degrees {_COMPASS[match[1]]}")
    draft.rewrite(_SIZE, size)
    draft.rewrite(_HALF_SIZE, lambda match: f"{match[1]} by {match[2]} {'inch' if is_attributive(match) else 'inches'}")
    draft.rewrite(_INCHES, inches)
    draft.rewrite(_SINGLE, single)


_NOT_NOUNS = words(
    "and or is was are in of on at to from by with for long tall wide high deep thick apart away above below the a an",
    "but so than as x each",
)


_QUOTE = re.compile(r'(?<!\d)"')


def _is_quoted(match: re.Match[str]) -> bool:
    """Whether the mark closes a quotation that is open before it."""
    return len(_QUOTE.findall(match.string, max(0, match.start() - 200), match.start())) % 2 == 1


def _many(figures: str, noun: str) -> str:
    return f"{figures} {noun}{'' if figures == '1' else 's'}"
