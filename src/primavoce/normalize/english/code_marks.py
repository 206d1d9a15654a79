"""Marks that mean something only in code: !ready, $HOME, ^start, nginx:latest."""

import re

from primavoce.normalize import labels
from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.tongue import Tongue

_NOT = re.compile(r"(?:(?<=[\s(])|^)!(?=[A-Za-z_(])")
_DOLLAR = re.compile(r"(?<![\w$])\$\{?(?=[A-Za-z_(])")
_LAST_DOLLAR = re.compile(r"(?<=[+*)\]])\$(?=[\s.,)]|\Z)")
_CARET = re.compile(r"(?:(?<=[\s(/])|^)\^(?=[\[(\\A-Za-z])")
_BACKSLASH = re.compile(r"\\(?=[A-Za-z.*+?()\[\]{}])")
_COLON = re.compile(rf"(?<=[a-z{HELD}]):(?=[a-z]\w)")
_FLAGS = re.compile(r"(?<=[a-z] )-([a-z]{2,4})(?![\w-])(?= |\Z|[.,;)])")
_STAR = re.compile(r"(?<=[A-Z] )\*(?= FROM\b)|(?<=COUNT\()\*(?=\))")
_PER = re.compile(r"(?<=[a-z]s)/(?=(?:second|minute|hour|day|week|month|year|night|person|user|request|page|seat)\b)")
_PLUS_KEY = re.compile(r"(?<=[A-Za-z])\+(?=F\d{1,2}\b)")


def code_marks(draft: Draft, _tongue: Tongue) -> None:
    """Say marks that stand where prose has none."""
    draft.rewrite(_NOT, lambda _match: "not ")
    draft.rewrite(_DOLLAR, lambda _match: "dollar ")
    draft.rewrite(_LAST_DOLLAR, lambda _match: " dollar")
    draft.rewrite(_CARET, lambda _match: "caret ")
    draft.rewrite(_BACKSLASH, lambda _match: " backslash ")
    draft.rewrite(_COLON, lambda _match: " colon ")
    draft.say(_FLAGS, lambda match: f"dash {labels.letters(match[1])}")
    draft.rewrite(_STAR, lambda _match: "star")
    draft.rewrite(_PER, lambda _match: " per ")
    draft.rewrite(_PLUS_KEY, lambda _match: " plus ")
