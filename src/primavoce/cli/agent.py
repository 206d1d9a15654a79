"""``primavoce agent``: an agent with a voice, and the page where one hears it."""

import logging
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primavoce.cli.ending import ending, leave_at_once
from primavoce.cli.progress import report_progress

if TYPE_CHECKING:
    from rich.console import Console

    from primavoce.agent.conversation import Conversation
    from primavoce.agent.settings import AgentSettings
    from primavoce.assets.progress import Report
    from primavoce.settings import Settings

IN_A_CONTAINER = "DOCKER_CONTAINER"
"""Set in the image: AgentCore reaches a container by port 8080, on all of its addresses."""


def agent(
    *,
    model: Annotated[
        str | None,
        typer.Option(
            help="What writes: local, scripted, bedrock:ID, ollama:NAME, openai:URL or llamacpp:URL "
            "[PRIMAVOCE_AGENT_MODEL, local]."
        ),
    ] = None,
    speech: Annotated[
        str | None,
        typer.Option(
            help="What speaks: local, a speech server's ws:// address, or sagemaker:ENDPOINT "
            "[PRIMAVOCE_AGENT_SPEECH, local]."
        ),
    ] = None,
    system_prompt: Annotated[
        Path | None,
        typer.Option(help="File that says how to answer [PRIMAVOCE_AGENT_SYSTEM_PROMPT]."),
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on [PRIMAVOCE_HOST, 127.0.0.1].")] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one [PRIMAVOCE_AGENT_PORT, 8081]."),
    ] = None,
    voice: Annotated[str | None, typer.Option(help="A voice or a blend [PRIMAVOCE_VOICE].")] = None,
    open_to_all: Annotated[
        bool,
        typer.Option("--open", help="Let others in without API keys, for somebody else asks [PRIMAVOCE_OPEN]."),
    ] = False,
    runtime: Annotated[
        str | None,
        typer.Option(help="Serve the page alone, in front of a deployed runtime of AgentCore: its ARN."),
    ] = None,
) -> None:
    """Talk with an agent that speaks while it writes."""
    with ending():
        import anyio
        from rich.console import Console

        from primavoce.agent.settings import AgentSettings
        from primavoce.agent.speech import check_speech
        from primavoce.cli.serve import check_voice
        from primavoce.errors import PrimavoceError
        from primavoce.server.exposure import check_exposure, check_tls
        from primavoce.server.run import configure_logging, listen
        from primavoce.settings import Settings

        settings, chosen = Settings.from_env(os.environ), AgentSettings.from_env(os.environ)
        settings, chosen = _in_a_container(settings, chosen, os.environ)
        settings = replace(
            settings, host=host or settings.host, voice=voice or settings.voice, open=open_to_all or settings.open
        )
        chosen = replace(
            chosen,
            model=model or chosen.model,
            speech=speech or chosen.speech,
            system_prompt=system_prompt or chosen.system_prompt,
            port=chosen.port if port is None else port,
        )
        # Before anything is fetched or loaded.
        check_voice(settings.voice)
        check_speech(chosen.speech)
        check_exposure(settings.host, settings)
        check_tls(settings)
        configure_logging(settings.log_level)
        logging.getLogger("strands.telemetry").setLevel(logging.WARNING)  # it says that it counts, and nothing else
        console = Console(stderr=True, highlight=False)
        listener = listen(settings.host, chosen.port)

        async def serve() -> None:
            if runtime is not None:
                from primavoce.agent.runtime.serving import serve_runtime

                await serve_runtime(runtime, settings, listener, on_ready=_announce)
                return
            await _serve(chosen, settings, listener, console)

        async def run() -> None:
            # From within: the loop's own end would wait for its threads, and a tool that hangs is on one of them.
            try:
                await serve()
            except PrimavoceError as error:
                leave_at_once(error)
            leave_at_once()

        anyio.run(run)


def _in_a_container(
    settings: "Settings", chosen: "AgentSettings", environ: Mapping[str, str]
) -> "tuple[Settings, AgentSettings]":
    """Return what holds in the image, where nothing else is said."""
    if environ.get(IN_A_CONTAINER):
        if not environ.get("PRIMAVOCE_HOST"):
            settings = replace(settings, host="0.0.0.0")  # noqa: S104 - the container's own
        if not environ.get("PRIMAVOCE_AGENT_PORT"):
            chosen = replace(chosen, port=8080)
    return settings, chosen


async def _serve(chosen: "AgentSettings", settings: "Settings", listener: socket.socket, console: "Console") -> None:
    from primavoce.agent.running import serve_agent
    from primavoce.agent.speech import LOCAL, speech_by

    with report_progress() as progress:
        converse, written_by = await _conversations(chosen, settings, console, progress)
        if chosen.speech == LOCAL:
            from primavoce.synthesis.kokoro_engine import fetch_and_prepare  # the engine isn't in the agent's image

            await fetch_and_prepare(settings.assets, progress=progress)
    console.print(f"[dim]·[/] {written_by} writes{'; loading the voice' if chosen.speech == LOCAL else ''}")
    async with speech_by(chosen.speech, settings) as speech:
        await serve_agent(
            converse,
            speech,
            replace(chosen, model=written_by),
            settings,
            listener,
            on_ready=_announce,
        )


async def _conversations(
    chosen: "AgentSettings", settings: "Settings", console: "Console", progress: "Report"
) -> "tuple[Callable[[], Conversation], str]":
    """Return what begins a conversation, and the name of what writes in it.

    Where the local model can't be had, built-in answers take its place, and a notice says so.
    """
    from rich.markup import escape

    from primavoce.agent.running import conversations
    from primavoce.errors import AssetError, ExtraMissing, ModelUnavailable

    key = os.environ.get("OPENAI_API_KEY")
    if chosen.model == "local" and sys.stdin.isatty() and _declined(settings):
        console.print("Built-in answers are spoken in its place; --model chooses another model.")
        chosen = replace(chosen, model="scripted")
    try:
        return await conversations(chosen, settings, progress=progress, openai_key=key), chosen.model
    except (AssetError, ExtraMissing, ModelUnavailable) as error:
        if chosen.model != "local":
            raise
        scripted = await conversations(replace(chosen, model="scripted"), settings)  # or the error of having no agent
        console.print(
            f"[yellow]The local language model can't be had:[/] {escape(str(error))}\n"
            "Built-in answers are spoken in its place. [dim]primavoce assets fetch local-llm[/] tries again; "
            "--model chooses another.",
            soft_wrap=True,
        )
        return scripted, "scripted"


def _declined(settings: "Settings") -> bool:
    """Ask whoever sits there before the local model is fetched, and return whether they said no."""
    from primavoce.assets.store import AssetStore
    from primavoce.errors import AssetError

    try:
        AssetStore(replace(settings.assets, offline=True)).language_model()
    except AssetError:
        wanted = settings.assets.offline or typer.confirm(
            "Fetch a small language model (98 MB)?", default=True, err=True
        )
        return not wanted
    return False


def _announce(address: str) -> None:
    # Standard output carries this one line, for whoever started it and waits for its address.
    print(f"ready {address}", flush=True)  # noqa: T201
