"""Prose that nobody here wrote: the documentation and licences that come with installed packages."""

import gzip
import random
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = ("/usr/share/doc", "/usr/share/common-licenses")
NAMES = re.compile(
    r"(?:README|LICEN[CS]E|COPYING|NOTICE|AUTHORS|FAQ|METADATA|copyright)[^/]*|[^/]+\.(?:md|rst|txt)(?:\.gz)?",
)
LARGEST_BYTES = 400_000

_BREAK = re.compile(r"\n[ \t]*\n")
_LINE_OF_ITS_OWN = re.compile(r"\s*(?:[-*+•|#>=~`.:\\]|\d+[.)]|\(?[a-z]\)|[A-Z][\w-]+: |https?:)")
_PROSE = re.compile(r"[A-Z“\"(`*][^|{}\\^]{80,3000}[.!?:][”\")*]{0,2}")
_TWO_SPACES = re.compile(r"\S {3,}\S")


def places() -> list[Path]:
    """Return the folders to look in: the system's and the project's own environment."""
    own = sorted(ROOT.glob(".venv/lib/python*/site-packages"))
    return [place for place in [*map(Path, PLACES), *own] if place.is_dir()]


def paragraphs(folders: list[Path]) -> Iterator[str]:
    """Yield each paragraph of prose once, its lines joined, in an order that only the files decide."""
    known: set[str] = set()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if not NAMES.fullmatch(path.name) or not path.is_file() or path.stat().st_size > LARGEST_BYTES:
                continue
            for paragraph in prose(text_of(path)):
                if paragraph not in known:
                    known.add(paragraph)
                    yield paragraph


def text_of(path: Path) -> str:
    """Return the text of a file; what isn't UTF-8 has no text."""
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError, EOFError):
        return ""


def prose(text: str) -> Iterator[str]:
    """Yield the paragraphs of ``text`` that are sentences in a row: no lists, tables, code or headers."""
    for block in _BREAK.split(text.replace("\r", "")):
        lines = block.split("\n")
        if any(_LINE_OF_ITS_OWN.match(line) or _TWO_SPACES.search(line.strip()) for line in lines):
            continue
        paragraph = " ".join(" ".join(lines).split())
        letters = sum(char.isalpha() or char == " " for char in paragraph)
        if _PROSE.fullmatch(paragraph) and letters > 0.85 * len(paragraph) and not paragraph.isupper():
            yield paragraph


def sample(found: list[str], *, characters: int, after: int = 0) -> list[str]:
    """Return paragraphs by chance, about ``characters`` in all, from those that follow ``after`` characters."""
    chosen: list[str] = []
    at = 0
    for paragraph in random.Random(7).sample(found, len(found)):  # noqa: S311 - not a secret
        if at >= after + characters:
            break
        if at >= after:
            chosen.append(paragraph)
        at += len(paragraph)
    return chosen
