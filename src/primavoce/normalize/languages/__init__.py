"""The languages' own words, one file each, named by the primary subtag with a `Tongue` named ``TONGUE``."""

from dataclasses import replace
from functools import cache
from importlib import import_module

from primavoce.normalize.tongue import Tongue


@cache
def tongue_for(language: str) -> Tongue:
    """Return what is known of ``language``, a wire tag."""
    tongue = import_module(f"{__name__}.{language.partition('-')[0]}").TONGUE
    assert isinstance(tongue, Tongue)
    return replace(tongue, tag=language)
