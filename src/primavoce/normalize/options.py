"""What a listener may want read otherwise."""

from dataclasses import dataclass, field
from typing import Literal

from primavoce.normalize.lexicon import Lexicon

Emoji = Literal["skip", "name"]
"""Whether pictographs are named ("party popper") or passed over."""
Code = Literal["announce", "read", "skip"]
"""Whether a code fence is announced in a word, read line by line, or passed over."""
Tables = Literal["read", "announce", "skip"]
"""Whether a table is announced and its rows read, announced only, or passed over."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How to read what isn't prose, and names."""

    emoji: Emoji = "skip"
    """Whether pictographs are named ("party popper") or passed over."""
    code: Code = "announce"
    """Whether a code fence is announced in a word, read line by line, or passed over."""
    tables: Tables = "read"
    """Whether a table is announced and its rows read, announced only, or passed over."""
    lexicon: Lexicon = field(default_factory=Lexicon)
    """How names are pronounced."""
    alphabet: frozenset[str] = frozenset()
    """The symbols that ``[word](/phonemes/)`` may use: whoever has a model passes its own. Empty: any that look so."""


DEFAULT_READING = ReadingOptions()
