"""Whole hours: 7 a.m., 6pm. Hours with minutes are the clock's."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import closing_period
from primavoce.normalize.english.figures import SPACE, count
from primavoce.normalize.tongue import Tongue

_HOUR = re.compile(rf"(?<![\w.,:$€£¥])(1[0-2]|0?[1-9])(?:{SPACE}?([AaPp])\.[Mm]\.|{SPACE}?([AaPp][Mm])\b(?!\.\w))")


_ZONE = re.compile(rf"(?<!\w)(UTC|GMT){SPACE}?([-+−–±]){SPACE}?(\d{{1,2}})(?::?(\d\d))?(?!\w|[.,:]\d)")
_SIGNS = {"+": "plus", "±": "plus or minus"}
_ZONE_NEXT = re.compile(rf"{SPACE}(?:[ECMP][SD]?T|GMT|UTC|BST|CES?T|IST|JST|AES?T|AKST|HST)\b")
_NEXT_ZONE = re.compile(r"(?<=[A-Z]T)/(?=\d{1,2}(?::\d\d|[ap]m\b))")


def zones(draft: Draft, tongue: Tongue) -> None:
    """Say what a time zone is ahead or behind: UTC+5:30; and part a time from the same in the next zone."""

    def offset(match: re.Match[str]) -> str:
        zone, sign, hour, minute = match.groups()
        said = f"{zone} {_SIGNS.get(sign, 'minus')} {count(hour, tongue)}"
        return f"{said} {count(minute, tongue)}" if minute and int(minute) else said

    draft.say(_ZONE, offset)
    draft.rewrite(_NEXT_ZONE, lambda _match: ", ")


def hours(draft: Draft, tongue: Tongue) -> None:
    """Say whole hours; "a.m." keeps its periods, for the tagger would else take "am" for the verb."""

    def words(match: re.Match[str]) -> str:
        half = (match[2] or match[3])[0].lower()
        if match[2] and closing_period(match) and not _ZONE_NEXT.match(match.string, match.end()):
            return f"{count(match[1], tongue)} {half.upper()}M."
        is_last = match.string[match.end() : match.end() + 1] == "."
        return f"{count(match[1], tongue)} {f'{half.upper()}M' if is_last else f'{half}.m.'}"

    draft.say(_HOUR, words)
