"""Measure all libraries in one run, and print one table."""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from rich.console import Console
from rich.table import Table

from benchmarks.sentences.disagreement import Place, disagreements, errors, labels, starts
from benchmarks.sentences.found_text import paragraphs, places, sample
from benchmarks.sentences.libraries import Library, libraries
from benchmarks.sentences.score import Case, cases, right, waits

TOKEN = 4
"""Characters of a token, as a language model's are on average."""
TIMED_CHARACTERS = 24_000
TIMED_CHARACTERS_SLOW = 3_000
WAITED_CHARACTERS = 6_000
READ_CHARACTERS = 1_500_000
"""Characters of the found text that were read while the rules were written; errors are counted in what follows."""
FOUND_CHARACTERS = 1_000_000
ROUNDS = 5

FOOTNOTES = (
    f"µs/token: streamed by {TOKEN} characters; median and spread of {ROUNDS} rounds in turns.",
    "Whole, stream: cases right, of those set before the rules and of those written with them.",
    "Stable: cases of the first kind that come out the same by the character.",
    "Waits: characters past a boundary, text coming by the character.",
    "False and missed cuts: per 10,000 sentences of text that came with packages; errors that all make don't count.",
)


def main() -> None:
    """Run the benchmark as the command line says."""
    options = argparse.ArgumentParser(prog="bench sentences", description=__doc__)
    options.add_argument("--disagreements", type=Path, help="write where they disagree to this file, a line each")
    options.add_argument("--failures", action="store_true", help="list the cases that each gets wrong")
    asked = options.parse_args()
    console = Console(width=140)
    began = time.perf_counter()

    found = list(paragraphs(places()))
    each = libraries()
    rows: dict[str, list[str]] = {library.name: [f"{library.name} {library.version}"] for library in each}
    add_times(rows, each, found)
    wrong = add_scores(rows, each)
    add_waits(rows, each, found)
    footnotes = add_errors(rows, each, found, write_to=asked.disagreements)

    table = Table(title="Sentence boundaries")
    for heading in ("", "µs/token", "whole", "stream", "stable", "waits: median, p95", "false cuts", "missed cuts"):
        table.add_column(heading, justify="left" if not heading else "right")
    for row in rows.values():
        table.add_row(*row)
    console.print(table)
    for line in footnotes:
        console.print(line, highlight=False)
    if asked.failures:
        for name, cases_of_it in wrong.items():
            console.print(f"{name} fails: {', '.join(cases_of_it)}", highlight=False)
    console.print(f"Took {time.perf_counter() - began:.0f} s.", highlight=False)


def add_times(rows: dict[str, list[str]], each: list[Library], found: list[str]) -> None:
    """Time the stream, token by token, the libraries taking turns."""
    texts = {
        library.name: " ".join(sample(found, characters=TIMED_CHARACTERS_SLOW if library.slow else TIMED_CHARACTERS))
        for library in each
    }
    taken: dict[str, list[float]] = {library.name: [] for library in each}
    for _ in range(ROUNDS):
        for library in each:
            text = texts[library.name]
            deltas = [text[at : at + TOKEN] for at in range(0, len(text), TOKEN)]
            began = time.perf_counter()
            for _sentence in library.stream(deltas, "en"):
                pass
            taken[library.name].append((time.perf_counter() - began) / len(deltas) * 1e6)
    for name, times in taken.items():
        digits = 1 if median(times) < 100 else 0
        rows[name].append(f"{median(times):.{digits}f} ({min(times):.{digits}f}–{max(times):.{digits}f})")


def add_scores(rows: dict[str, list[str]], each: list[Library]) -> dict[str, list[str]]:
    """Score the cases, and return those that each gets wrong."""
    files = [cases("sentences.jsonl"), cases("sentences_more.jsonl")]
    wrong: dict[str, list[str]] = {}
    for library in each:
        ways: list[Callable[[Case], list[str]]] = [
            lambda case, library=library: library.whole(case.text, case.language),  # type: ignore[misc]
            lambda case, library=library: list(library.stream(case.deltas, case.language)),  # type: ignore[misc]
        ]
        for way in ways:
            scores = [right(rows_of_file, way) for rows_of_file in files]
            rows[library.name].append(" ".join(f"{len(ok)}/{len(of)}" for ok, of in zip(scores, files, strict=True)))
        known = {name for names in scores for name in names}
        wrong[library.name] = [case.name for of in files for case in of if case.name not in known]
        rows[library.name].append(f"{stable(library, files[0])}/{len(files[0])}")
    return wrong


def stable(library: Library, all_cases: list[Case]) -> int:
    """Return how many cases come out the same by the character as by their own deltas."""
    return sum(
        list(library.stream(case.deltas, case.language)) == list(library.stream(case.text, case.language))
        for case in all_cases
    )


def add_waits(rows: dict[str, list[str]], each: list[Library], found: list[str]) -> None:
    """Count the characters that pass a boundary before its sentence is given out."""
    text = " ".join(sample(found, characters=WAITED_CHARACTERS, after=READ_CHARACTERS))
    for library in each:
        waited = waits(library.splitter("en"), text)
        rows[library.name].append(f"{median(waited):.0f}, {quantiles(waited, n=20)[-1]:.0f}")


def add_errors(
    rows: dict[str, list[str]], each: list[Library], found: list[str], *, write_to: Path | None
) -> list[str]:
    """Estimate the false and missed cuts, and return what must be said about it."""
    known = labels()
    text = sample(found, characters=FOUND_CHARACTERS, after=READ_CHARACTERS)
    disagreed, sentences = compared(each, text)
    if write_to is not None:
        write(disagreed, known, write_to)
    for library in each:
        wrong = errors(library.name, disagreed, known, sentences)
        rows[library.name] += ["?", "?"] if wrong is None else [f"{wrong.false_cuts:.0f}", f"{wrong.missed_cuts:.0f}"]
    labelled = sum(place.key in known for place in disagreed)
    return [
        *FOOTNOTES,
        f"Of that text, {sum(map(len, text)):,} characters that the rules were not written on:",
        f"{sentences:,} sentences, {len(disagreed)} disagreements, {labelled} of them read.",
    ]


def compared(each: list[Library], text: list[str]) -> tuple[list[Place], int]:
    """Return where the libraries disagree about paragraphs, and how many sentences ours finds in them."""
    found: list[Place] = []
    sentences = 0
    for paragraph in text:
        cuts = {library.name: starts(paragraph, library.whole(paragraph, "en")) for library in each}
        found += disagreements(paragraph, cuts)
        sentences += len(cuts["primavoce"]) + 1
    return found, sentences


def write(found: list[Place], known: dict[str, bool], file: Path) -> None:
    """Write the places for reading; what has a label says so."""
    with file.open("w", encoding="utf-8") as out:
        for place in found:
            row = {"place": place.key, "left": place.left, "right": place.right, "cut_by": sorted(place.cut_by)}
            out.write(json.dumps({**row, "boundary": known.get(place.key)}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
