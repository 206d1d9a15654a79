"""``primavoce serve``: the session server."""

import os
from dataclasses import replace
from typing import Annotated

import typer

from primavoce.cli.ending import ending
from primavoce.cli.options import LexiconFile, Vocoder, vocoder_from


def check_voice(name: str) -> None:
    """Refuse a default voice that doesn't exist before anything is loaded.

    Raises:
        InvalidSetting: it doesn't.
    """
    from primavoce.errors import InvalidRequest, InvalidSetting
    from primavoce.voices.blend import parse_voice

    try:
        parse_voice(name)
    except InvalidRequest as error:
        raise InvalidSetting("PRIMAVOCE_VOICE", str(error)) from error


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on [PRIMAVOCE_HOST, 127.0.0.1].")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one [PRIMAVOCE_PORT, 8080].")
    ] = None,
    lexicon: LexiconFile = None,
    vocoder: Vocoder = None,
) -> None:
    """Serve sessions until told to leave."""
    with ending():
        import anyio

        from primavoce.server.run import configure_logging, listen
        from primavoce.server.run import serve as run_server
        from primavoce.settings import Settings
        from primavoce.synthesis.kokoro_engine import kokoro_engine

        settings = Settings.from_env(os.environ)
        settings = replace(settings, host=host or settings.host, port=settings.port if port is None else port)
        settings = replace(
            settings, lexicon=lexicon or settings.lexicon, vocoder=vocoder_from(vocoder, settings.vocoder)
        )
        check_voice(settings.voice)
        configure_logging(settings.log_level)
        listener = listen(settings.host, settings.port)
        engine = kokoro_engine(
            settings.assets,
            threads=settings.threads,
            vocoder=settings.vocoder,
            phrase_cache_bytes=settings.phrase_cache_bytes,
        )

        async def run() -> None:
            # Standard output carries this one line, for whoever started the server and waits for its address.
            await run_server(
                engine,
                settings,
                listener,
                on_ready=lambda address: print(f"ready {address}", flush=True),  # noqa: T201
            )

        anyio.run(run)
