"""``primavoce voices``: what can be put after ``--voice``."""

import json
import os
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from primavoce.cli.ending import ending
from primavoce.languages import LANGUAGES, resolve_language
from primavoce.settings import Settings
from primavoce.voices.catalogue import DEFAULT_VOICES, VOICES, Voice


def voices(
    *,
    language: Annotated[str, typer.Option(help="Only the voices of this language, such as en-gb.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the voices and the language of each."""
    with ending():
        wanted = resolve_language(language) if language else ""
        calibrated = _calibrated()
    listed = [voice for voice in VOICES.values() if wanted in ("", voice.language)]
    if as_json:
        typer.echo(json.dumps([_described(voice, calibrated) for voice in listed], indent=2))
        return
    Console().print(_table(listed, calibrated))
    if blends := sorted((calibrated or set()) - VOICES.keys()):
        Console().print(f"calibrated blends: {', '.join(blends)}", markup=False, highlight=False)


def _calibrated() -> "frozenset[str] | None":
    """Return which voices are spoken in windows, or None where the engine isn't installed to say so."""
    try:
        from primavoce.kokoro.prediction import calibrated_voices
    except ModuleNotFoundError:
        return None
    return calibrated_voices(Settings.from_env(os.environ).assets.cache_dir)


def _described(voice: Voice, calibrated: "frozenset[str] | None") -> dict[str, str | bool | None]:
    return {
        "name": voice.name,
        "language": voice.language,
        "gender": voice.gender,
        "default": DEFAULT_VOICES[voice.language] == voice.name,
        "vocoder": None if calibrated is None else "stream" if voice.name in calibrated else "whole",
    }


def _table(listed: Iterable[Voice], calibrated: "frozenset[str] | None") -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("voice (* default)", "tag", "language", "gender", "vocoder"):
        table.add_column(name, no_wrap=True)
    for voice in listed:
        way = "" if calibrated is None else "stream" if voice.name in calibrated else "whole"
        mark = " *" if DEFAULT_VOICES[voice.language] == voice.name else ""
        table.add_row(voice.name + mark, voice.language, LANGUAGES[voice.language], voice.gender, way)
    return table
