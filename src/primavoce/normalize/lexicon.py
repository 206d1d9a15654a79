"""A pronunciation lexicon: how names are said.

As a file it is TOML: words on top hold in every language, those in a table in that language alone::

    Kokoro = "/kˈOkəɹO/"
    "Dr. Okafor" = "Doctor Oh-KAH-for"

    [it]
    Kokoro = "Còcoro"
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from primavoce.errors import InvalidLexicon
from primavoce.languages import LANGUAGES, SHORT_FORMS
from primavoce.normalize.draft import Draft, Edit, Settled

MOST_ENTRIES = 20_000
"""Of a file."""
MOST_CLIENT_ENTRIES = 1000
"""Of what a client brings: it is looked through on the event loop."""
LONGEST_WRITTEN = 100
"""Characters of a word or of several, as written."""
LONGEST_SAID = 500
MOST_BYTES = 4_000_000
"""Of a file: its entries would fit twice over."""

EVERYWHERE = "*"
"""The language of an entry that holds in all."""

_TAGS = frozenset(LANGUAGES) | frozenset(SHORT_FORMS)

_TOKEN = re.compile(
    r"""\s++
      | [\u2e80-\u9fff]  # Chinese and Japanese: no space tells where a word ends
      | (?: [^\W\u2e80-\u9fff]
          | [\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963]
        )++  # letters with the marks on them, which are no \w in Devanagari
      | .""",
    re.VERBOSE | re.DOTALL,
)
_SIGNS = frozenset(" \u0303;:,.!?—…\"()“”'ˈˌːʰʲ↓→↗↘")


@dataclass(frozen=True, slots=True)
class Entry:
    """A word and how it is said."""

    written: str
    """With a capital in it, it stands for itself alone; without one, for any case."""
    said: str
    """Words, or phonemes between slashes."""
    language: str = EVERYWHERE
    """A wire tag, the first part of one, or `EVERYWHERE`."""


class _Table:
    """Entries, found by their spelling without case; built once, and shared by all lexicons that it is a part of."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(entries)
        self._said: dict[str, dict[tuple[str, str], str]] = {}  # spelling → (language, spelling or "" for any case)
        self._counts: dict[str, tuple[int, ...]] = {}  # first token → tokens of the entries that begin so, most first
        counts: dict[str, set[int]] = {}
        for entry in self.entries:
            tokens = _tokens(entry.written)
            spelling = "".join(tokens)
            exactly = spelling if _has_capital(spelling) else ""
            self._said.setdefault(spelling.casefold(), {})[entry.language, exactly] = entry.said
            counts.setdefault(tokens[0].casefold(), set()).add(len(tokens))
        self._counts = {first: tuple(sorted(found, reverse=True)) for first, found in counts.items()}

    def counts(self, first: str) -> tuple[int, ...]:
        """Return how many tokens the entries have that begin with the token ``first``, most first."""
        return self._counts.get(first.casefold(), ())

    def said(self, spelling: str, tags: tuple[str, ...]) -> str | None:
        """Return what is said for ``spelling`` in the first of the languages ``tags`` that has it."""
        found = self._said.get(spelling.casefold())
        if found is None:
            return None
        return next((found[key] for tag in tags for key in ((tag, spelling), (tag, "")) if key in found), None)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words, and what is said for each. Of two entries for the same word the later one holds."""

    tables: tuple[_Table, ...] = ()
    """Later ones have the last word."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, in their order."""
        return tuple(entry for table in self.tables for entry in table.entries)

    def extended_by(self, other: "Lexicon") -> "Lexicon":
        """Return a lexicon of both, in which ``other`` has the last word; nothing is built anew."""
        return Lexicon(self.tables + other.tables)

    def document(self) -> dict[str, str | dict[str, str]]:
        """Return what `lexicon_of` makes this lexicon of."""
        document: dict[str, str | dict[str, str]] = {}
        for entry in self.entries:
            if entry.language == EVERYWHERE:
                document[entry.written] = entry.said
                continue
            table = document.setdefault(entry.language, {})
            assert isinstance(table, dict), "no word on top is a language's tag"
            table[entry.written] = entry.said
        return document

    def apply(self, draft: Draft, language: str) -> None:
        """Settle each word of ``draft`` that is in the lexicon, the longest first; ``language`` is a wire tag."""
        if not self.tables:
            return
        tags = (language, language.partition("-")[0], EVERYWHERE)
        tokens = [" " if token.isspace() else token for token in _TOKEN.findall(draft.text)]
        starts = [0, *accumulate(map(len, _TOKEN.findall(draft.text)))]
        edits: list[Edit] = []
        at = 0
        while at < len(tokens):
            count, said = self._longest(tokens, at, tags)
            if said is not None:
                start, end = starts[at], starts[at + count]
                edits.append((start, end, _settled(draft.text[start:end], said)))
            at += count
        draft.edit(edits)

    def _longest(self, tokens: list[str], at: int, tags: tuple[str, ...]) -> tuple[int, str | None]:
        """Return how many tokens the longest entry takes that begins ``at``, and what is said; else one, and None."""
        left = len(tokens) - at
        counts = {count for table in self.tables for count in table.counts(tokens[at]) if count <= left}
        for count in sorted(counts, reverse=True):
            spelling = "".join(tokens[at : at + count])
            for table in reversed(self.tables):
                if (said := table.said(spelling, tags)) is not None:
                    return count, said
        return 1, None


def read_lexicon(path: Path, alphabet: frozenset[str] = frozenset()) -> Lexicon:
    """Read a lexicon from a file; see `parse_lexicon`.

    Raises:
        InvalidLexicon: the file can't be read, is too large, or isn't a lexicon.
    """
    try:
        if not path.is_file():  # a pipe would be waited for
            raise InvalidLexicon(path.name, "it is no file" if path.exists() else "there is no such file")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise InvalidLexicon(path.name, f"it is larger than {MOST_BYTES} bytes")
        return parse_lexicon(content.decode("utf-8-sig"), alphabet)
    except OSError as failure:
        raise InvalidLexicon(path.name, failure.strerror or "it can't be read") from failure
    except UnicodeDecodeError:
        raise InvalidLexicon(path.name, "it is not UTF-8") from None


def parse_lexicon(text: str, alphabet: frozenset[str] = frozenset()) -> Lexicon:
    """Return the lexicon that ``text``, a TOML document, is.

    Args:
        text: The document.
        alphabet: The symbols that phonemes may use; empty for any that look so.

    Raises:
        InvalidLexicon: it isn't TOML, has a table that is no language, or an entry that can't be said.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failure:
        raise InvalidLexicon("TOML", str(failure)[:200]) from None
    except RecursionError:
        raise InvalidLexicon("TOML", "it is nested too deeply") from None
    return lexicon_of(document, alphabet)


def lexicon_of(
    document: Mapping[str, object], alphabet: frozenset[str] = frozenset(), *, most: int = MOST_ENTRIES
) -> Lexicon:
    """Return the lexicon of word → what is said, and language → a table of the same.

    Args:
        document: Whatever somebody sent.
        alphabet: The symbols that phonemes may use; empty for any that look so.
        most: Entries that are taken.

    Raises:
        InvalidLexicon: there are too many entries, a table is no language's, or an entry can't be said.
    """
    given = sum(len(value) if isinstance(value, Mapping) else 1 for value in document.values())
    if given > most:
        raise InvalidLexicon(f"{given} entries", f"at most {most} are taken")
    if not given:
        return Lexicon()
    entries: list[Entry] = []
    for name, value in document.items():
        if not isinstance(value, Mapping):
            if name.lower().replace("_", "-") in _TAGS:
                raise InvalidLexicon(f"{name!r}", "it is a language's tag: put the word into a table, such as [en]")
            entries.append(_entry(name, value, EVERYWHERE, alphabet))
            continue
        tag = name.lower().replace("_", "-")
        if tag not in _TAGS:
            reason = "it is no language that Kokoro speaks; a word with a period in it needs quotes"
            raise InvalidLexicon(f"[{name[:40]}]", reason)
        tag = tag if tag in {"en", "pt"} else SHORT_FORMS.get(tag, tag)
        entries += [_entry(word, said, tag, alphabet) for word, said in value.items()]
    return Lexicon((_Table(entries),))


def are_phonemes(text: str, alphabet: frozenset[str]) -> bool:
    """Whether ``text`` can be phonemes: in ``alphabet``, or if that is empty, letters and signs of speech."""
    if not text.strip():
        return False
    if alphabet:
        return alphabet.issuperset(text)
    return all(char in _SIGNS or unicodedata.category(char) in {"Ll", "Lu", "Lo", "Lm", "Mn"} for char in text)


def _entry(written: str, said: object, language: str, alphabet: frozenset[str]) -> Entry:
    place = repr(written[:40])
    if not any(char.isalnum() for char in written):
        raise InvalidLexicon(place, "there is no letter and no digit in it")
    if len(written) > LONGEST_WRITTEN:
        raise InvalidLexicon(place, f"it is longer than {LONGEST_WRITTEN} characters")
    if not isinstance(said, str) or not any(map(str.isalnum, said)) or len(said) > LONGEST_SAID:
        raise InvalidLexicon(place, f"what is said must be words or phonemes of 1 to {LONGEST_SAID} characters")
    if said.startswith("/") and said.endswith("/") and len(said) > 1 and not are_phonemes(said[1:-1], alphabet):
        unknown = "".join(sorted(set(said[1:-1]) - alphabet))[:20] if alphabet else ""
        reason = f"the model has no symbol for {unknown!r}" if unknown else f"{said[:40]!r} are no phonemes"
        raise InvalidLexicon(place, reason)
    return Entry(written, said, language)


def _settled(written: str, said: str) -> Settled:
    if said.startswith("/") and said.endswith("/") and len(said) > 1:
        return Settled(written, phonemes=said[1:-1].strip())
    return Settled(said)


def _tokens(written: str) -> list[str]:
    return [" " if token.isspace() else token for token in _TOKEN.findall(" ".join(written.split()))]


def _has_capital(written: str) -> bool:
    return written != written.lower()
