"""Where libraries disagree, who is right by the labels, and what follows for a whole text."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LABELS = Path(__file__).with_name("labels.jsonl")
AROUND = 45
"""Characters on each side by which a place is known again, less a word that they would break."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text where some cut and some don't."""

    left: str
    right: str
    cut_by: frozenset[str]
    """The names of the libraries that cut here."""

    @property
    def key(self) -> str:
        """By what a label names it: a digest, since the text is others' and not ours to repeat."""
        return hashlib.sha256(f"{self.left}\n{self.right}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Errors:
    """What a library does wrong, as far as the labels tell."""

    false_cuts: float
    """Per 10,000 sentences."""
    missed_cuts: float
    """Per 10,000 sentences."""


def starts(text: str, sentences: Iterable[str]) -> set[int]:
    """Return where each sentence but the first begins, by its first letter or digit, so that quotes don't matter."""
    found: set[int] = set()
    at = 0
    for sentence in sentences:
        spoken = sentence.strip()
        at = text.index(spoken, at)
        first = next((at + i for i, char in enumerate(spoken) if char.isalnum()), None)
        if first is not None and at > 0:
            found.add(first)
        at += len(spoken)
    return found


def disagreements(text: str, cuts: dict[str, set[int]]) -> list[Place]:
    """Return the places of ``text`` where not all do the same."""
    places = sorted(set.union(*cuts.values()) - set.intersection(*cuts.values()))
    return [
        Place(
            whole_words(text[max(0, at - AROUND) : at], broken=at > AROUND),
            whole_words(text[at : at + AROUND][::-1], broken=len(text) > at + AROUND)[::-1],
            frozenset(name for name, its in cuts.items() if at in its),
        )
        for at in places
    ]


def whole_words(stretch: str, *, broken: bool) -> str:
    """Return ``stretch`` without its first word, if that is ``broken`` and not all there is."""
    return stretch.split(" ", 1)[-1] if broken else stretch


def labels(file: Path = LABELS) -> dict[str, bool]:
    """Return what a reader said of places: whether a sentence begins there."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return {row["place"]: row["boundary"] for row in rows}


def errors(name: str, places: list[Place], known: dict[str, bool], sentences: int) -> Errors | None:
    """Return what ``name`` does wrong, taking the labelled places for all; None without a label."""
    labelled = [place for place in places if place.key in known]
    if not labelled:
        return None
    each = len(places) / len(labelled) / sentences * 10_000
    false_cuts = sum(name in place.cut_by and not known[place.key] for place in labelled)
    missed_cuts = sum(name not in place.cut_by and known[place.key] for place in labelled)
    return Errors(false_cuts * each, missed_cuts * each)
