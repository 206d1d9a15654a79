"""What a listener may want read otherwise."""

from dataclasses import dataclass, field
from typing import Literal

from primavoce.normalize.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How to read what isn't prose, and names."""

    emoji: Literal["skip", "name"] = "skip"
    """Whether pictographs are named ("party popper") or passed over."""
    code: Literal["announce", "read", "skip"] = "announce"
    """Whether a code fence is announced in a word, read line by line, or passed over."""
    tables: Literal["read", "announce", "skip"] = "read"
    """Whether a table is announced and its rows read, announced only, or passed over."""
    lexicon: Lexicon = field(default_factory=Lexicon)
    """How names are pronounced."""
