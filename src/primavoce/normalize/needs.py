"""What a text must have for a rule to be worth asking: most sentences have no figure, and most rules look for one."""

import re
from functools import wraps

from primavoce.normalize.draft import Draft
from primavoce.normalize.tongue import Rule, Tongue

FIGURE = re.compile(r"\d")


def needing(marks: re.Pattern[str], *rules: Rule) -> tuple[Rule, ...]:
    """Return ``rules`` that pass over a text in which ``marks`` finds nothing."""
    return tuple(_guarded(rule, marks) for rule in rules)


def _guarded(rule: Rule, marks: re.Pattern[str]) -> Rule:
    @wraps(rule)
    def guarded(draft: Draft, tongue: Tongue) -> None:
        if marks.search(draft.text):
            rule(draft, tongue)

    return guarded
