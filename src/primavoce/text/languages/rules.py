"""The form of a language's table."""

from dataclasses import dataclass, fields


def words(*groups: str) -> frozenset[str]:
    """Return the words of all ``groups``, each a line of words, so that a comment can stand above each line."""
    return frozenset(word for group in groups for word in group.split())


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """What must be known of a language to tell a sentence's end from a word's.

    Abbreviations are written without their last period, letters that are spaced apart without the spaces
    ("z. B." is ``z.b``). One in lowercase is known in any case; one with a capital only as it stands. Rows of
    single capitals (initials, U.S.) need no entry.
    """

    opening: frozenset[str] = frozenset()
    """Abbreviations that something always follows, so that they never end a sentence: titles, e.g."""
    labels: frozenset[str] = frozenset()
    """Abbreviations before a number only: No. 7. Elsewhere they are words like others."""
    numbering: frozenset[str] = frozenset()
    """Words that are labels or units before a number, and words like others elsewhere: no. 9, 5 ft. 3."""
    inner: frozenset[str] = frozenset()
    """Abbreviations after which a name is as likely as a new sentence, so that only a starter ends it: Inc."""
    closing: frozenset[str] = frozenset()
    """Abbreviations that end a sentence when a capital follows: etc., p.m."""
    continuers: frozenset[str] = frozenset()
    """Capitalised words that go on after a closing abbreviation: 7 p.m. Monday."""
    starters: frozenset[str] = frozenset()
    """Words that are capitalised only where a sentence begins; in lowercase."""
    lettered: frozenset[str] = frozenset()
    """Nouns that a single capital ends: vitamin C. It isn't an initial then."""
    exclaimed: frozenset[str] = frozenset()
    """Names that end in a mark of their own, without it."""
    small_names: frozenset[str] = frozenset()
    """Names that have no capital even where a sentence begins: npm."""
    modules: frozenset[str] = frozenset()
    """Names in code that a capital follows without a space: torch.Tensor. In lowercase."""
    attributions: frozenset[str] = frozenset()
    """Verbs that tell who spoke, after a subject with a capital: “Is it ready?” I asked."""
    conjunctions: frozenset[str] = frozenset()
    """Words that join clauses, in lowercase: a segment that must be cut is cut before one rather than elsewhere."""
    ordinal_nouns: frozenset[str] = frozenset()
    """Capitalised nouns that an ordinal written with a period stands before: 3. Oktober."""
    ordinal_leads: frozenset[str] = frozenset()
    """Words that lead an ordinal written with a period: am 3. …"""

    def __or__(self, other: "LanguageRules") -> "LanguageRules":
        """Return the rules that know what either knows."""
        return LanguageRules(*(getattr(self, each.name) | getattr(other, each.name) for each in fields(self)))
