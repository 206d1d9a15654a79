"""``primavoce verify``: the whole-cycle check of a running server, or of how this machine's voice sounds."""

import os
from dataclasses import asdict
from typing import Annotated

import typer

from primavoce.cli.ending import FAILED, ending
from primavoce.cli.options import ApiKeyOption, check_url
from primavoce.cli.progress import report_progress
from primavoce.errors import InvalidSetting

DEFAULT_URL = "ws://127.0.0.1:8080"


def verify(
    *,
    url: Annotated[str | None, typer.Option(help="The server, as ws:// or http://.", show_default=DEFAULT_URL)] = None,
    quality: Annotated[
        bool, typer.Option("--quality", help="Compare ten sentences in windows with whole runs, in this process.")
    ] = False,
    voice: Annotated[str | None, typer.Option(help="Voice to ask for.")] = None,
    timeout_s: Annotated[float, typer.Option("--timeout", min=0.1, help="Longest wait for a message, seconds.")] = 60.0,
    api_key: ApiKeyOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Check a server over one session, a line a check; or, with --quality, how streamed speech sounds on this machine.

    Status 1 at the first check that fails; or when speech in windows is too far from whole runs.
    """
    with ending():
        if quality and url is not None:
            raise InvalidSetting("--quality", "it speaks in this process, so leave --url out")
        if url is not None:
            check_url(url)
        passed = (
            _quality(voice, as_json=as_json)
            if quality
            else _server(url or DEFAULT_URL, voice, timeout_s, api_key=api_key, as_json=as_json)
        )
        if not passed:
            raise typer.Exit(FAILED)


def _server(url: str, voice: str | None, timeout_s: float, *, api_key: str | None, as_json: bool) -> bool:
    """Check a server, and return whether it does all that it should."""
    import anyio
    import msgspec
    from rich.console import Console

    from primavoce.client.handshake import shown_url
    from primavoce.client.verify import Check, Verification
    from primavoce.settings import Settings

    api_key = api_key or Settings.from_env(os.environ).api_key
    console = Console(highlight=False)
    checks: list[Check] = []

    async def run() -> None:
        async for check in Verification(url, voice=voice, timeout_s=timeout_s, api_key=api_key).run():
            checks.append(check)
            if not as_json:
                mark = "[green]ok[/]  " if check.passed else "[red]FAIL[/]"
                console.print(f"{mark} {check.name:<26} [dim]{check.elapsed_s:6.2f} s[/]  ", end="")
                console.print(check.detail, markup=False, soft_wrap=True)

    anyio.run(run)
    passed = all(check.passed for check in checks)
    if as_json:
        outcome = {"url": shown_url(url), "passed": passed, "checks": [asdict(check) for check in checks]}
        typer.echo(msgspec.json.encode(outcome).decode())
    return passed


def _quality(spec: str | None, *, as_json: bool) -> bool:
    """Compare ten sentences both ways, and return whether they are near enough."""
    import msgspec
    from rich.console import Console

    from primavoce.bench.quality import BothWays, Verified, verify_quality
    from primavoce.cli.quality_view import conclusion, outcome, sentence_line, summary_table
    from primavoce.settings import Settings
    from primavoce.voices.blend import parse_voice

    console = Console(highlight=False)
    settings = Settings.from_env(os.environ)
    voice = parse_voice(spec or settings.voice)
    with report_progress() as progress:
        both = BothWays.load(settings, [voice], progress=progress)
    verified: list[Verified] = []
    for each in verify_quality(both, voice):
        verified.append(each)
        if not as_json:
            console.print(sentence_line(each), markup=False, soft_wrap=True)
    found = outcome(voice.name, verified)
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
        return found.passed
    if found.summary is not None:
        console.print(summary_table(found.summary))
    console.print(conclusion(found), soft_wrap=True)
    return found.passed
