"""Phone numbers, figure by figure, with a pause between their groups."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import text_before
from primavoce.normalize.english.figures import spelled
from primavoce.normalize.tongue import Tongue

_GAP = "[ \u00a0\u202f.\u2010\u2011-]"
_EXTENSION = rf"(?:,?{_GAP}?(?:ext\.?|extension|x){_GAP}?(\d{{1,6}}))?(?!\w)(?![.,]\d)"
_NOT_INSIDE = r"(?<![\w.,/+-])(?<!\d[ \u00a0])"

_WORLD = re.compile(
    rf"(?<![\w+])\+{_GAP}?((?>\d{{1,15}}(?:{_GAP}?\(\d{{1,5}}\)(?:\d{{1,10}})?)?(?:{_GAP}{{1,2}}\d{{1,10}}){{0,7}}))(?!-?\d){_EXTENSION}",
    re.IGNORECASE,
)
_NORTH_AMERICA = re.compile(
    rf"{_NOT_INSIDE}((?:1{_GAP})?(?:\(\d{{3}}\){_GAP}?|\d{{3}}{_GAP})\d{{3}}{_GAP}\d{{4}}){_EXTENSION}", re.IGNORECASE
)
_WITH_WORD = re.compile(r"(?<![\w.-])(1-(?:800|888|877|866|855|844|833|900))-([A-Z]{3,10}|\d{3}-[A-Z]{4})(?![\w-])")
_TRUNK = re.compile(
    rf"{_NOT_INSIDE}(\(?0\d{{1,5}}\)?{_GAP}\d{{2,8}}(?:{_GAP}\d{{2,6}}){{0,3}}){_EXTENSION}", re.IGNORECASE
)
_LOCAL = re.compile(rf"{_NOT_INSIDE}(\d{{3}}{_GAP}\d{{4}}){_EXTENSION}", re.IGNORECASE)
_EMERGENCY = re.compile(r"(?<![\w.,])(911|999|112|110|119|101|111|211|311|411|511|811|988)(?![\w-]|[.,]\d)")
_DIALLED = re.compile(
    r"\b(?:call|calls|called|calling|dial|dialled|dialed|dials|ring|phone|phoned|text|tel|telephone|fax|mobile|reach|"
    r"number)(?:\.|:| (?:us|me|him|her|them|is|at|on|number)){0,3}:? ?\Z",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\d+")


def phones(draft: Draft, tongue: Tongue) -> None:
    """Say phone numbers that can be told by their form or by the word before them."""

    def words(match: re.Match[str]) -> str:
        return _grouped(match[1], tongue) + _extension(match[2], tongue)

    def world(match: re.Match[str]) -> str | None:
        figures = sum(char.isdigit() for char in match[1])
        if figures < 7 or figures > 15:
            return None
        return f"plus {words(match)}"

    def with_word(match: re.Match[str]) -> str:
        word = ", ".join(_grouped(part, tongue) if part.isdigit() else part for part in match[2].split("-"))
        return f"{_grouped(match[1], tongue)}, {word}"

    def trunk(match: re.Match[str]) -> str | None:
        return words(match) if 8 <= sum(char.isdigit() for char in match[1]) <= 13 else None

    def local(match: re.Match[str]) -> str | None:
        first, last = match[1][:3], match[1][-4:]
        is_phone = first == "555" or last[0] == "0" or _is_dialled(match)
        return words(match) if is_phone and match[1][3] != "." else None

    def emergency(match: re.Match[str]) -> str | None:
        return spelled(match[1], tongue) if _is_dialled(match) else None

    draft.say(_WORLD, world)
    draft.say(_NORTH_AMERICA, words)
    draft.say(_WITH_WORD, with_word)
    draft.say(_TRUNK, trunk)
    draft.say(_LOCAL, local)
    draft.say(_EMERGENCY, emergency)


def _grouped(figures: str, tongue: Tongue) -> str:
    groups = [part for group in _GROUP.findall(figures) for part in _short_groups(group)]
    if len(groups[0]) == 3 and figures.isdecimal() and len(figures) == 11 and figures[0] == "1":
        groups = [figures[0], figures[1:4], figures[4:7], figures[7:]]
    return ", ".join(
        "eight hundred" if at == 1 and groups[0] == "1" and group == "800" else spelled(group, tongue)
        for at, group in enumerate(groups)
    )


def _short_groups(figures: str) -> list[str]:
    """Cut a long row of figures into groups of three, the last of four at most, so that a listener can follow."""
    groups = []
    while len(figures) > 5:
        groups.append(figures[:3])
        figures = figures[3:]
    return [*groups, figures]


def _extension(figures: str | None, tongue: Tongue) -> str:
    return f", extension {spelled(figures, tongue)}" if figures else ""


def _is_dialled(match: re.Match[str]) -> bool:
    return _DIALLED.search(text_before(match)) is not None
