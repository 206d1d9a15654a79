"""How many cases a library cuts as they should be cut, and how long it waits past each boundary."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sentences.libraries import Splitter

CASES = Path(__file__).parents[2] / "tests" / "data"


@dataclass(frozen=True, slots=True)
class Case:
    """A text with its sentences."""

    name: str
    language: str
    deltas: tuple[str, ...]
    sentences: tuple[str, ...]
    """Each with its white space collapsed."""

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.deltas)


def cases(name: str) -> list[Case]:
    """Return the cases of a file beside the tests."""
    rows = [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]
    return [Case(row["id"], row["lang"], tuple(row["deltas"]), tuple(row["sentences"])) for row in rows]


def as_sentences(cut: Iterable[str]) -> tuple[str, ...]:
    """Return what is worth saying of ``cut``, with white space collapsed, so that only the boundaries count."""
    return tuple(" ".join(part.split()) for part in cut if any(char.isalnum() for char in part))


def waits(splitter: Splitter, text: str) -> list[int]:
    """Return for each sentence but the last how many characters came after its end before it was given out."""
    found: list[int] = []
    at = 0
    for seen, char in enumerate(text, start=1):
        for sentence in splitter.push(char):
            spoken = sentence.strip()
            at = text.index(spoken, at) + len(spoken)
            found.append(seen - at)
    return found


def right(all_cases: Iterable[Case], cut: Callable[[Case], Iterable[str]]) -> list[str]:
    """Return the names of the cases that ``cut`` gets right."""
    return [case.name for case in all_cases if as_sentences(cut(case)) == case.sentences]
