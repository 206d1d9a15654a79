"""Lengths of time cut short: 5h 30m, 1h30, 2m 15s, 3d 4h."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.figures import SPACE, count
from primavoce.normalize.tongue import Tongue

_HOURS = rf"(\d{{1,3}}){SPACE}?(?:hrs?|h)"
_DURATION = re.compile(
    rf"(?<![\w.,:$€£/])(?=\d)(?:(\d{{1,3}}){SPACE}?d,?{SPACE}?)?(?:(\d{{1,3}}){SPACE}?(?:hrs?|h)\b\.?,?{SPACE}?(?:and{SPACE})?|"
    rf"(\d{{1,3}})h(?=\d{{1,2}}(?:m|min|mins)?(?!\w)))?"
    rf"(?:(\d{{1,2}}){SPACE}?(?:mins?|m)(?![\w/²³])\.?,?{SPACE}?|(\d{{1,2}})(?:mins?|m)(?=\d{{1,2}}s(?!\w))|(?<=h)(\d{{1,2}})(?!\w))?"
    rf"(?:(\d{{1,2}}(?:\.\d{{1,3}})?){SPACE}?(?:secs?|s)(?![\w/])\.?)?"
)


_EVERY = re.compile(r"(?<!\w)q(\d{1,2})h(?:rs?)?(?!\w)")
_COOKED = re.compile(r"(?<=for )(?<=°[CF] for )(\d{1,3})m(?![\w/²³])")
"""How long at so many degrees."""


def durations(draft: Draft, tongue: Tongue) -> None:
    """Say two or more of days, hours, minutes and seconds side by side; one alone is left to the rule for units."""

    def words(match: re.Match[str]) -> str | None:
        days, hours, joined_hours, minutes, joined_minutes, bare_minutes, seconds = match.groups()
        parts = [
            (days, "day"),
            (hours or joined_hours, "hour"),
            (minutes or joined_minutes or bare_minutes, "minute"),
            (seconds, "second"),
        ]
        known = [(figures, noun) for figures, noun in parts if figures]
        if len(known) < 2:
            return None
        said = " ".join(f"{_number(figures, tongue)} {noun}{'' if figures == '1' else 's'}" for figures, noun in known)
        tail = match.group()[len(match.group().rstrip(" \u00a0\u202f,.")) :]
        return said + (tail if tail.strip() != "." or match.end() == len(match.string) else " ")

    draft.rewrite(_EVERY, lambda match: f"every {match[1]} {'hour' if match[1] == '1' else 'hours'}")
    draft.rewrite(_COOKED, lambda match: f"{match[1]} {'minute' if match[1] == '1' else 'minutes'}")
    draft.say(_DURATION, words)


def _number(figures: str, tongue: Tongue) -> str:
    whole, _, part = figures.partition(".")
    return (
        f"{count(whole, tongue)} point {' '.join(count(figure, tongue) for figure in part)}"
        if part
        else count(whole, tongue)
    )
