"""English rules by themselves: what they settle and what they leave to the rules for all languages."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from primavoce.normalize.draft import Draft
from primavoce.normalize.english import RULES
from primavoce.normalize.languages.en import TONGUE
from primavoce.normalize.tongue import Rule

type Reading = Callable[..., str]


@pytest.fixture
def read() -> Reading:
    """Return what applies English rules, all of them unless some are given, to a text."""

    def apply(text: str, *rules: Rule, tag: str = "en-us") -> str:
        draft = Draft(text)
        for rule in rules or RULES:
            rule(draft, replace(TONGUE, tag=tag))
        return draft.spoken().text

    return apply
