"""``primavoce verify``: the whole-cycle check of a running server."""

from dataclasses import asdict
from typing import Annotated

import typer

from primavoce.cli.ending import FAILED, ending


def verify(
    *,
    url: Annotated[str, typer.Option(help="The server, as ws:// or http://.")] = "ws://127.0.0.1:8080",
    voice: Annotated[str | None, typer.Option(help="Voice to ask for.")] = None,
    timeout_s: Annotated[float, typer.Option("--timeout", min=0.1, help="Longest wait for a message, seconds.")] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Check a server over one session: a line a check; status 1 at the first that fails."""
    with ending():
        import anyio
        import msgspec
        from rich.console import Console

        from primavoce.client.verify import Check, Verification

        console = Console(highlight=False)
        checks: list[Check] = []

        async def run() -> None:
            async for check in Verification(url, voice=voice, timeout_s=timeout_s).run():
                checks.append(check)
                if not as_json:
                    mark = "[green]ok[/]  " if check.passed else "[red]FAIL[/]"
                    console.print(f"{mark} {check.name:<26} [dim]{check.elapsed_s:6.2f} s[/]  ", end="")
                    console.print(check.detail, markup=False, soft_wrap=True)

        anyio.run(run)
        passed = all(check.passed for check in checks)
        if as_json:
            outcome = {"url": url, "passed": passed, "checks": [asdict(check) for check in checks]}
            typer.echo(msgspec.json.encode(outcome).decode())
        if not passed:
            raise typer.Exit(FAILED)
