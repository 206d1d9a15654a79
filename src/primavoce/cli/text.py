"""``primavoce text``: what happens to a text before it is spoken, one line per sentence."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primavoce.cli.ending import ending
from primavoce.cli.options import Code, Emoji, LexiconFile, Tables, options_from
from primavoce.errors import InvalidUtf8
from primavoce.text import Kind, Sentence, SentenceStream

if TYPE_CHECKING:
    from primavoce.normalize import ReadingOptions

text_app = typer.Typer(
    help="Show what happens to a text before it is spoken, one line per sentence.", no_args_is_help=True
)

Argument = Annotated[str, typer.Argument(metavar="TEXT", help="The text, or - for standard input.")]


@text_app.command()
def split(
    text: Argument,
    *,
    language: Annotated[str | None, typer.Option(help="Language of the text, any BCP 47 tag \\[en].")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Show the sentences in TEXT: where each begins and ends, what it is, and its text."""
    with ending():
        for sentence in _sentences(_text(text), language):
            if as_json:
                typer.echo(json.dumps(_fields(sentence), ensure_ascii=False))
            else:
                typer.echo(f"{sentence.start}-{sentence.end}\t{sentence.kind}\t{_one_line(sentence.text)}")


@text_app.command()
def normalize(
    text: Argument,
    *,
    language: Annotated[str, typer.Option(help="One of the languages that are spoken.")] = "en-us",
    emoji: Emoji = None,
    code: Code = None,
    tables: Tables = None,
    lexicon: LexiconFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, with offsets and pauses.")] = False,
) -> None:
    """Show each sentence of TEXT as it is read aloud; an empty line is a sentence that isn't read."""
    with ending():
        import primavoce.normalize as reading

        options = _reading(lexicon, emoji=emoji, code=code, tables=tables)
        after: Kind | None = None
        for sentence in _sentences(_text(text), language):
            spoken = reading.normalize(sentence, language, after=after, options=options)
            after = sentence.kind
            if as_json:
                given = [{"start": one.start, "end": one.end, "phonemes": one.phonemes} for one in spoken.phonemes]
                pauses = [{"at": pause.at, "seconds": pause.seconds} for pause in spoken.pauses]
                found = {"written": _fields(sentence), "read": spoken.text, "phonemes": given, "pauses": pauses}
                typer.echo(json.dumps(found, ensure_ascii=False))
            else:
                typer.echo(spoken.text)


def _reading(lexicon: Path | None, **asked: str | None) -> "ReadingOptions":
    """Return the reading options that were asked for.

    Raises:
        InvalidRequest: one is none of those there are.
        InvalidLexicon: the file can't be used.
    """
    from primavoce.protocol.options import resolve_options
    from primavoce.settings import Settings

    settings = Settings.from_env(os.environ)
    names = replace(settings, lexicon=lexicon or settings.lexicon).read_lexicon()
    return resolve_options(options_from(**asked), lexicon=names).reading


def _text(argument: str) -> str:
    if argument != "-":
        return argument
    if sys.stdin is None:  # the shell closed it
        return ""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidUtf8 from error


def _sentences(text: str, language: str | None) -> Iterator[Sentence]:
    stream = SentenceStream(language)
    yield from stream.push(text)
    yield from stream.flush()


def _fields(sentence: Sentence) -> dict[str, object]:
    return {"start": sentence.start, "end": sentence.end, "kind": sentence.kind, "text": sentence.text}


def _one_line(text: str) -> str:
    """Return ``text`` with its line breaks shown."""
    return text.replace("\r", "").replace("\n", "⏎")
