"""Which rules hold for a language tag.

Each language is a file named by its primary subtag, with a table named ``RULES``; adding the file is all that
a new language takes. ``general`` holds what is true wherever Latin letters are written.
"""

import pkgutil
from functools import cache
from importlib import import_module

from primavoce.text.languages.rules import LanguageRules

__all__ = ["LanguageRules", "rules_for"]

DEFAULT = "en"
"""The language whose abbreviations are known when none is named."""

OTHER_SCRIPTS = ("ar", "el", "hi", "ru")
"""Languages whose words can't be mistaken for Latin ones: their tables hold in any text, for mixed lines."""

SAME_AS = {"cmn": "zh", "yue": "zh", "nb": "no", "nn": "no"}
"""Primary subtag → the one whose file it shares."""


@cache
def rules_for(tag: str | None) -> LanguageRules:
    """Return the rules for a BCP 47 ``tag``, of which the primary subtag counts; unknown ones get the general rules."""
    subtag = (tag or DEFAULT).strip().lower().replace("_", "-").partition("-")[0]
    rules = _table("general")
    for name in (SAME_AS.get(subtag, subtag), *OTHER_SCRIPTS):
        if name in _known():
            rules |= _table(name)
    return rules


@cache
def _known() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(__path__)) - {"general", "rules"}


def _table(name: str) -> LanguageRules:
    rules = import_module(f"{__name__}.{name}").RULES
    assert isinstance(rules, LanguageRules)
    return rules
