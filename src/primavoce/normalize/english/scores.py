"""Ratios and results: 16:9, 3:1, a 2-2 draw."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import text_before, word_after
from primavoce.normalize.english.figures import DASH, count, short_year, spelled
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_CHAIN = re.compile(r"(?<![\w.,:/-])(\d{1,6}(?::\d{1,6}){0,4}:(?:\d{1,3}(?:,\d{3})++|\d{1,6}))(?![\w:]|[.,]\d)")
_DRAW = re.compile(rf"(?<![\w.,:/$€£-])(\d{{1,2}}){DASH}\1(?![\w%°]|[.,:/]\d|{DASH}\w)")
_RESULT = re.compile(rf"(?<=[A-Za-z] )(\d{{1,3}})[ ]?{DASH}[ ]?(\d{{1,3}})(?=[ ][A-Z][a-z])")
_RUN = re.compile(r"(?<![\w.,:/-])(\d{1,2}):([0-5]\d)\.(\d{1,3})(?![\w:]|[.,]\d)")
_RATED = re.compile(r"(?<![\w.,/-])(\d{1,2}\.\d{1,2})/(5|10|20|100)(?![\w/]|[.,]\d)")
_RATIO_AHEAD = re.compile(r"\b(?:ratio|odds|scale|mix|mixture|proportion|aspect|leverage|gearing)\b", re.IGNORECASE)
_RATIO_AFTER = words(
    "ratio odds scale mix mixture aspect display monitor screen format widescreen split",
)
_HOUR_LED = words(
    "at by until till before after from since around",
)


def scores(draft: Draft, tongue: Tongue) -> None:
    """Say ratios, which look like times but for their figures, and results that are level."""

    def ratio(match: re.Match[str]) -> str | None:
        parts = match[1].split(":")
        is_time = all(len(part) == 2 and part < "60" for part in parts[1:]) and len(parts) <= 3
        if is_time:
            told = _RATIO_AHEAD.search(text_before(match)) or word_after(match).lower() in _RATIO_AFTER
            is_led = text_before(match).split()[-1:] and text_before(match).split()[-1].lower() in _HOUR_LED
            if not told and len(parts) == 2 and int(parts[0]) > 24:
                seconds = "minutes" if parts[1] == "00" else short_year(parts[1], tongue)
                return f"{count(parts[0], tongue)} {seconds}"
            if not told or is_led or len(parts) > 2:
                return None
        return " to ".join(count(part, tongue) for part in parts)

    def run(match: re.Match[str]) -> str:
        minutes, seconds, part = match.groups()
        return f"{count(minutes, tongue)} {short_year(seconds, tongue)} point {spelled(part, tongue)}"

    draft.say(_RUN, run)
    draft.rewrite(_RATED, lambda match: f"{match[1]} out of {match[2]}")
    draft.say(_RESULT, lambda match: f"{count(match[1], tongue)} to {count(match[2], tongue)}")
    draft.say(_CHAIN, ratio)
    draft.say(
        _DRAW, lambda match: f"{count(match[1], tongue)}{'-' if match[1] == '50' else ' '}{count(match[1], tongue)}"
    )
