"""Temperatures without a degree sign: 350F, 165 degrees F, 180C/350F."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import text_before, word_before
from primavoce.normalize.english.figures import SPACE
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_SCALES = {"F": "Fahrenheit", "C": "Celsius"}
_WORDED = re.compile(r"(?<!\w)(degrees?|deg\.?)[ \u00a0]([FC])(?!\w)")
_SHORT = re.compile(rf"(?<![\w.,$€£#-])([-−]?\d{{1,3}}(?:\.\d)?){SPACE}?([FC])(?![\w-]|\.\w)")
_EITHER = re.compile(r"(?<=°[FC])/(?=\d)|(?<=°)/(?=\d{1,3}°)")
_HOT = re.compile(
    r"\b(?:temperatures?|temp|heat(?:ed)?|preheat(?:ed)?|oven|bake|baked|roast|cook|boils?|freezes?|melts?|fever|degrees|"
    r"thermostat|weather|highs?|lows?|reach(?:es)?|hits?|outside|feels|fan)\b[^.]{0,40}\Z",
    re.IGNORECASE,
)
_LABELS = words(
    "seat row exit room apt apartment unit gate section figure building flat suite type class exhibit table"
)


def temperatures(draft: Draft, _tongue: Tongue) -> None:
    """Write out the scale; the figures stay open."""

    def short(match: re.Match[str]) -> str | None:
        if word_before(match).lower().rstrip(".") in _LABELS:
            return None
        sure = len(match[1].partition(".")[0]) == 3 or match[1][0] in "-−" or _HOT.search(text_before(match))
        if not sure:
            return None
        return f"{match[1]}°{match[2]}"

    draft.rewrite(_WORDED, lambda match: f"{'degree' if match[1] == 'degree' else 'degrees'} {_SCALES[match[2]]}")
    draft.rewrite(_SHORT, short)
    draft.rewrite(_EITHER, lambda _match: ", ")
