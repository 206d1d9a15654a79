"""Percentages: 5 %, 3.5%, 5–10%, 2 ‰."""

import re
from functools import cache

from primavoce.normalize import quantities
from primavoce.normalize.draft import Draft
from primavoce.normalize.quantities import GAP, LEFT, SIGN
from primavoce.normalize.tongue import Tongue


def percentages(draft: Draft, tongue: Tongue) -> None:
    """Say a percentage in the language's words and order."""
    draft.say(_pattern(tongue), lambda match: _words(match, tongue))


@cache
def _pattern(tongue: Tongue) -> re.Pattern[str]:
    return re.compile(rf"{LEFT}{SIGN}{quantities.low_and_high(tongue)}{GAP}(?P<mark>[%‰٪％])")


def _words(match: re.Match[str], tongue: Tongue) -> str | None:
    what = quantities.quantity(match, tongue)
    if what is None:
        return None
    unit = tongue.phrases["permille" if match["mark"] == "‰" else "percent"]
    number = quantities.said(what, "", tongue)
    form = tongue.phrases.get("percent_form", "{number} {unit}")
    words = form.format(number=number, unit=unit)
    minus = tongue.phrases["minus"]
    # Mandarin says the sign before the whole: 负百分之五.
    return words.replace(f"{unit}{minus}", f"{minus}{unit}") if form.startswith("{unit}") else words
