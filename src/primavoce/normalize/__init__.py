"""What was written → what is read aloud, with a way back.

The values are light; `normalize` itself belongs to the engine, and is looked up on first use.
"""

from typing import TYPE_CHECKING

from primavoce.normalize.lexicon import Lexicon
from primavoce.normalize.options import ReadingOptions
from primavoce.normalize.spoken import GivenPhonemes, Pause, Spoken

if TYPE_CHECKING:
    from primavoce.normalize.normalizer import normalize

__all__ = ["GivenPhonemes", "Lexicon", "Pause", "ReadingOptions", "Spoken", "normalize"]


def __getattr__(name: str) -> object:
    if name == "normalize":
        from primavoce.normalize.normalizer import normalize

        return normalize
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
