"""``primavoce say``: an argument or standard input, spoken as it arrives."""

import codecs
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import anyio
import anyio.to_thread
import typer
from msgspec import structs

from primavoce.audio.formats import FORMATS
from primavoce.captions import WRITERS, Cue, cues
from primavoce.cli.ending import ending
from primavoce.cli.options import (
    ApiKeyOption,
    Code,
    Emoji,
    LexiconFile,
    Tables,
    Vocoder,
    check_url,
    options_from,
    vocoder_from,
)
from primavoce.cli.progress import report_progress, tell_step
from primavoce.cli.sound_out import Sink, format_of, format_on_the_way, loudspeakers, opened_file
from primavoce.client.handshake import shown_url
from primavoce.client.sagemaker import EndpointAddress, is_sagemaker
from primavoce.errors import InvalidSetting, InvalidUtf8, TextRequired
from primavoce.protocol.messages import Options
from primavoce.protocol.options import resolve_options
from primavoce.settings import Settings
from primavoce.text.timing import WordTime

READ_BYTES = 4096


def say(
    text: Annotated[str | None, typer.Argument(help="What to say; standard input unless given.")] = None,
    *,
    out: Annotated[str | None, typer.Option(help="File to write, or - for standard output.")] = None,
    audio_format: Annotated[
        str | None, typer.Option("--format", help=f"{', '.join(FORMATS)}; as the file's name ends, or wav.")
    ] = None,
    sample_rate: Annotated[int | None, typer.Option(help="Hertz; 24000, or 8000 for mulaw and alaw.")] = None,
    play: Annotated[bool, typer.Option("--play", help="Play it on this machine's loudspeakers.")] = False,
    voice: Annotated[str | None, typer.Option(help="A voice, or a blend such as af_heart:0.7+af_bella:0.3.")] = None,
    speed: Annotated[float, typer.Option(help="From 0.5 to 2.")] = 1.0,
    language: Annotated[str | None, typer.Option(help="Language of the text; the voice's own unless given.")] = None,
    url: Annotated[
        str | None, typer.Option(help="A running server, or sagemaker:ENDPOINT; speaks in this process unless given.")
    ] = None,
    transport: Annotated[
        str | None, typer.Option(help="To an endpoint of SageMaker: stream, or response-stream \\[stream].")
    ] = None,
    api_key: ApiKeyOption = None,
    emoji: Emoji = None,
    code: Code = None,
    tables: Tables = None,
    lexicon: LexiconFile = None,
    vocoder: Vocoder = None,
    srt: Annotated[Path | None, typer.Option(help="Write captions to this SubRip file.")] = None,
    vtt: Annotated[Path | None, typer.Option(help="Write captions to this WebVTT file.")] = None,
) -> None:
    """Speak TEXT, or standard input sentence by sentence as it arrives."""
    with ending():
        if (out is None) == (not play):
            raise InvalidSetting("say", "give either --out FILE (or --out -) or --play")
        if play and (audio_format or sample_rate):
            raise InvalidSetting("--play", "takes neither --format nor --sample-rate, which are of files")
        if url is not None and vocoder is not None:
            raise InvalidSetting("--vocoder", "the running server decides, so leave it or --url out")
        if text is not None and not text.strip():
            raise TextRequired
        url = _over(url, transport)
        _refuse_same([path for path in (out, str(srt or ""), str(vtt or "")) if path])
        chosen = "pcm" if play else format_of(audio_format, out or "-")
        settings = Settings.from_env(os.environ)
        settings = replace(
            settings,
            lexicon=lexicon or settings.lexicon,
            vocoder=vocoder_from(vocoder, settings.vocoder),
            api_key=api_key or settings.api_key,
        )
        options = options_from(
            voice=voice or settings.voice,
            speed=speed,
            language=language,
            format=format_on_the_way(chosen),
            sample_rate=sample_rate,
            emoji=emoji,
            code=code,
            tables=tables,
        )
        # A wrong option is told at once, not after the model is loaded.
        resolved = resolve_options(options)
        options = structs.replace(options, sample_rate=resolved.sample_rate)
        sink = loudspeakers() if play else opened_file(out or "-", chosen, resolved.sample_rate)
        captions = [Captions(path, WRITERS[kind]) for path, kind in ((srt, "srt"), (vtt, "vtt")) if path is not None]
        seconds = anyio.run(_say, text, sink, settings, options, resolved.language, captions, url)
        if out is not None and out != "-":
            tell_step(f"{out}: {seconds:.1f} s of audio")


async def _say(
    text: str | None,
    opening: AbstractAsyncContextManager[Sink],
    settings: Settings,
    options: Options,
    language: str,
    captions: list["Captions"],
    url: str | None,
) -> float:
    """Speak, and return the seconds of audio that came of it."""
    from primavoce.scripting import open_mouth

    written = Kept(_standard_input() if text is None else _argument(text))
    words: list[WordTime] = []
    seconds = 0.0
    try:
        async with AsyncExitStack() as stack:
            tell_step("loading the model" if url is None else f"opening a session with {shown_url(url)}")
            with report_progress() as progress:
                opened = open_mouth(url, settings=settings, languages=(language,), progress=progress)
                mouth = await stack.enter_async_context(opened)
            sink = await stack.enter_async_context(opening)
            sounds = await stack.enter_async_context(mouth.speaking(written, options))
            tell_step(f"speaking with {options.voice}{'' if text is not None else ', standard input as it comes'}")
            async for sound in sounds:
                words += sound.words
                if sound.audio:
                    await sink.write(sound.audio)
                if sound.total_s is not None:
                    sink.tell_length(seconds := sound.total_s)
    finally:
        for file in captions:
            file.write(written.text, words)
    return seconds


class Captions:
    """A file of captions, found writable before the work.

    Args:
        path: Where to write.
        form: Makes the file's content.

    Raises:
        InvalidSetting: it can't be written.
    """

    def __init__(self, path: Path, form: Callable[[Sequence[Cue]], str]) -> None:
        self._form = form
        try:
            self._file = path.open("w", encoding="utf-8")
        except OSError as error:
            raise InvalidSetting("captions", f"can't write {path}: {error.strerror}") from error

    def write(self, text: str, words: Sequence[WordTime]) -> None:
        """Write what was heard of ``text``, and close the file."""
        with self._file as file:
            file.write(self._form(cues(text, words)))


class Kept:
    """Deltas that are kept as they pass: captions show what was written.

    Args:
        deltas: Text in pieces.
    """

    def __init__(self, deltas: AsyncIterator[str]) -> None:
        self._deltas = deltas
        self._passed: list[str] = []

    async def __aiter__(self) -> AsyncIterator[str]:
        async for delta in self._deltas:
            self._passed.append(delta)
            yield delta

    @property
    def text(self) -> str:
        """What has passed."""
        return "".join(self._passed)


def _over(url: str | None, transport: str | None) -> str | None:
    """Return ``url`` with the ``transport`` that was asked for.

    Raises:
        InvalidSetting: it is no address, or there is no such transport to it.
    """
    if url is None or not is_sagemaker(url):
        if transport is not None:
            raise InvalidSetting("--transport", "is of --url sagemaker:ENDPOINT")
        if url is not None:
            check_url(url)
        return url
    if transport is not None:
        url += f"{'&' if '?' in url else '?'}transport={transport}"
    EndpointAddress.parse("--url", url)
    return url


def _refuse_same(paths: list[str]) -> None:
    """Refuse to write two things to one file.

    Raises:
        InvalidSetting: two of ``paths`` are the same, or captions would go to standard output.
    """
    if len({Path(path).absolute() for path in paths}) < len(paths):
        raise InvalidSetting("say", "audio and captions need files of their own")
    if "-" in paths[1:]:
        raise InvalidSetting("say", "captions need a file; standard output is for the audio")


async def _argument(text: str) -> AsyncIterator[str]:
    yield text


async def _standard_input() -> AsyncIterator[str]:
    """Yield standard input as it arrives, a read at a time.

    Raises:
        InvalidUtf8: it isn't.
        TextRequired: it ended without a word.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    if sys.stdin is None:  # the shell closed it
        raise TextRequired
    number, blank = sys.stdin.fileno(), True
    while True:
        # Not by `sys.stdin`: its buffer would wait for more than has been written.
        piece = await anyio.to_thread.run_sync(os.read, number, READ_BYTES, abandon_on_cancel=True)
        try:
            delta = decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as error:
            raise InvalidUtf8 from error
        blank = blank and not delta.strip()
        if delta:
            yield delta
        if not piece:
            break
    if blank:
        raise TextRequired
