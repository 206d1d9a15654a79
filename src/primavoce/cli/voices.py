"""``primavoce voices``: what can be put after ``--voice``."""

import json
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from primavoce.cli.ending import ending
from primavoce.languages import LANGUAGES, resolve_language
from primavoce.voices.catalogue import DEFAULT_VOICES, VOICES, Voice


def voices(
    *,
    language: Annotated[str, typer.Option(help="Only the voices of this language, such as en-gb.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the voices and the language of each."""
    with ending():
        wanted = resolve_language(language) if language else ""
    listed = [voice for voice in VOICES.values() if wanted in ("", voice.language)]
    if as_json:
        typer.echo(json.dumps([_described(voice) for voice in listed], indent=2))
    else:
        Console().print(_table(listed))


def _described(voice: Voice) -> dict[str, str | bool]:
    return {
        "name": voice.name,
        "language": voice.language,
        "gender": voice.gender,
        "default": DEFAULT_VOICES[voice.language] == voice.name,
    }


def _table(listed: Iterable[Voice]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("voice (* default)", "tag", "language", "gender"):
        table.add_column(name, no_wrap=True)
    for voice in listed:
        mark = " *" if DEFAULT_VOICES[voice.language] == voice.name else ""
        table.add_row(voice.name + mark, voice.language, LANGUAGES[voice.language], voice.gender)
    return table
