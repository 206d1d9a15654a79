"""A pronunciation lexicon: how names are said."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words, and what is said for each."""

    entries: dict[str, dict[str, str]] = field(default_factory=dict)
    """Language tag, or ``*`` for all → word → phonemes between slashes, or other words to say."""
