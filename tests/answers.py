"""Forty agent answers as they are written, and as a person would write them out to be read."""

import json
from dataclasses import dataclass
from pathlib import Path

from primavoce.normalize import normalize
from primavoce.text import Kind, SentenceStream

DATA = Path(__file__).parent / "data" / "answers.jsonl"


@dataclass(frozen=True)
class Answer:
    """An answer of an agent."""

    id: str
    language: str
    written: str
    plain: str
    """The same, written out."""


def answers(*languages: str) -> list[Answer]:
    """Return the answers in ``languages``."""
    lines = DATA.read_text(encoding="utf-8").splitlines()
    found = [Answer(**json.loads(line)) for line in lines]
    return [answer for answer in found if answer.language in languages]


def read_aloud(text: str, language: str) -> str:
    """Return ``text`` as it is read, its sentences joined by spaces."""
    stream = SentenceStream(language)
    after: Kind | None = None
    read: list[str] = []
    for sentence in stream.push(text) + stream.flush():
        read.append(normalize(sentence, language, after=after).text)
        after = sentence.kind
    return " ".join(part for part in read if part)
