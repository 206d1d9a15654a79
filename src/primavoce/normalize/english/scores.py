"""Ratios and results: 16:9, 3:1, a 2-2 draw."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import text_before, word_after
from primavoce.normalize.english.figures import DASH, count, short_year
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_CHAIN = re.compile(r"(?<![\w.,:/-])(\d{1,6}(?::\d{1,6}){1,5})(?![\w:]|[.,]\d)")
_DRAW = re.compile(rf"(?<![\w.,:/$€£-])(\d{{1,2}}){DASH}\1(?![\w%°]|[.,:/]\d|{DASH}\w)")
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

    draft.say(_CHAIN, ratio)
    draft.say(
        _DRAW, lambda match: f"{count(match[1], tongue)}{'-' if match[1] == '50' else ' '}{count(match[1], tongue)}"
    )
