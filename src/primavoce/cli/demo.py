"""``primavoce demo``: an agent's answer, spoken while it is written, and then the way it is usually done."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primavoce.cli.ending import ending
from primavoce.cli.progress import report_progress

if TYPE_CHECKING:
    from rich.console import Console

    from primavoce.agent.comparison import Run
    from primavoce.agent.scripted import TimedToken


def demo(
    *,
    text: Annotated[str | None, typer.Option(help="What the agent writes; a built-in answer unless given.")] = None,
    voice: Annotated[str | None, typer.Option(help="A voice or blend; an Italian one gets the Italian answer.")] = None,
    out: Annotated[Path, typer.Option(help="Where the audio goes, as WAV.")] = Path("demo.wav"),
    seed: Annotated[int, typer.Option(help="Seed of the rhythm in which tokens arrive.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Hear an agent's answer while it is still being written, and see what waiting for all of it costs."""
    with ending():
        import anyio
        from rich.console import Console

        console = Console(stderr=as_json, highlight=False)
        outcome = anyio.run(_demo, text, voice, out, seed, console)
        if as_json:
            import msgspec

            typer.echo(msgspec.json.encode(outcome).decode())


async def _demo(text: str | None, voice_name: str | None, out: Path, seed: int, console: "Console") -> object:
    """Speak the answer both ways, write the audio, show the figures, and return them."""
    from primavoce.agent.answers import ANSWERS
    from primavoce.agent.scripted import script
    from primavoce.cli.demo_view import comparison_table, figures
    from primavoce.client.local_server import local_server
    from primavoce.errors import TextRequired
    from primavoce.settings import Settings
    from primavoce.synthesis.kokoro_engine import fetch_and_prepare
    from primavoce.voices.blend import parse_voice

    settings = Settings.from_env(os.environ)
    voice = parse_voice(voice_name or settings.voice)
    answer = ANSWERS[voice.language] if text is None else text
    if not answer.strip():
        raise TextRequired
    tokens = script(answer, seed=seed)
    with report_progress() as progress:
        await fetch_and_prepare(settings.assets, progress=progress)
    console.print(f"[dim]·[/] starting the server with {voice.name} and loading the model")
    # The second way would be told by heart what the first has said.
    environ = {"PRIMAVOCE_LOG_LEVEL": "warning", **os.environ, "PRIMAVOCE_PHRASE_CACHE_BYTES": "0"}
    async with local_server(environ) as address:
        streaming, batch = await _both_ways(address, tokens, voice.name, console)
    _write(out, bytes(streaming.pcm))
    heard, waited = streaming.first_sound_s, batch.first_sound_s
    ratio = waited / heard if heard and waited else None
    console.print(comparison_table(streaming, batch))
    if ratio is not None:
        console.print(f"Streaming is heard [bold]{ratio:.1f} times[/] sooner.", end=" ")
    console.print(f"{out}: {streaming.audio_s:.1f} s of audio.", markup=False)
    return {
        "voice": voice.name,
        "characters": len(answer),
        "tokens": len(tokens),
        "out": str(out),
        "audio_s": round(streaming.audio_s, 3),
        "streaming": figures(streaming),
        "batch": figures(batch),
        "ratios": {"batch_to_streaming_first_sound": None if ratio is None else round(ratio, 3)},
    }


async def _both_ways(address: str, tokens: "list[TimedToken]", voice: str, console: "Console") -> "tuple[Run, Run]":
    from rich.live import Live

    from primavoce.agent.comparison import speak_when_written, speak_while_writing
    from primavoce.cli.demo_view import DemoView
    from primavoce.client import SpeechSession

    view = DemoView("streaming: sentences are spoken while the answer is being written")
    async with SpeechSession(address) as session:
        with Live(view, console=console, refresh_per_second=10):
            streaming = await speak_while_writing(session, tokens, voice=voice, listener=view.listener())
    console.print()
    view = DemoView("batch: the whole answer first, then all its audio")
    with Live(view, console=console, refresh_per_second=10):
        batch = await speak_when_written(address, tokens, voice=voice, listener=view.listener())
    console.print()
    return streaming, batch


def _write(out: Path, pcm: bytes) -> None:
    from primavoce.agent.comparison import SAMPLE_RATE
    from primavoce.audio.wav import WavWriter
    from primavoce.errors import InvalidSetting

    try:
        with out.open("wb") as file:
            writer = WavWriter(file, SAMPLE_RATE)
            writer.write(pcm)
            writer.close()
    except OSError as error:
        raise InvalidSetting("--out", f"can't write {out}: {error.strerror}") from error
