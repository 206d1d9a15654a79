"""Ordinals: 1st, the 4th, 21st-century."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import final_period
from primavoce.normalize.english.figures import place
from primavoce.normalize.tongue import Tongue

_ORDINAL = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:st|[nr]d|th|ST|[NR]D|TH|ˢᵗ|ⁿᵈ|ʳᵈ|ᵗʰ)(?!\w)")


_CENTURY = re.compile(r"(?<=\d)(st|[nr]d|th) c\.(?=[ ,;)]|\Z)")


def ordinals(draft: Draft, tongue: Tongue) -> None:
    """Say figures with an ordinal's ending."""
    draft.rewrite(_CENTURY, lambda match: f"{match[1]} century{final_period(match)}")
    draft.say(_ORDINAL, lambda match: place(match[1], tongue))
