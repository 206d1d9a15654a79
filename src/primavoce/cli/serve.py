"""``primavoce serve``: the session server."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from primavoce.cli.ending import ending, leave_at_once
from primavoce.cli.options import DeviceOption, LexiconFile, Vocoder, device_from, vocoder_from


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
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen on [PRIMAVOCE_HOST, 127.0.0.1].")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one [PRIMAVOCE_PORT, 8080].")
    ] = None,
    lexicon: LexiconFile = None,
    vocoder: Vocoder = None,
    device: DeviceOption = None,
    open_to_all: Annotated[
        bool,
        typer.Option("--open", help="Let others in without API keys, for somebody else asks [PRIMAVOCE_OPEN]."),
    ] = False,
    tls_certificate: Annotated[
        Path | None, typer.Option(help="Certificate chain, as PEM [PRIMAVOCE_TLS_CERTIFICATE].")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Its private key, as PEM [PRIMAVOCE_TLS_KEY].")] = None,
) -> None:
    """Serve sessions until told to leave."""
    with ending():
        import anyio

        from primavoce.errors import PrimavoceError
        from primavoce.server.garbage import spare_what_is_loaded
        from primavoce.server.run import configure_logging, listen
        from primavoce.server.run import serve as run_server
        from primavoce.settings import Settings
        from primavoce.synthesis.kokoro_engine import kokoro_engine

        settings = Settings.from_env(os.environ)
        settings = replace(settings, host=host or settings.host, port=settings.port if port is None else port)
        settings = replace(
            settings, lexicon=lexicon or settings.lexicon, vocoder=vocoder_from(vocoder, settings.vocoder)
        )
        settings = replace(settings, device=device_from(device, settings.device))
        settings = replace(
            settings,
            open=open_to_all or settings.open,
            tls_certificate=tls_certificate or settings.tls_certificate,
            tls_key=tls_key or settings.tls_key,
        )
        check_voice(settings.voice)
        configure_logging(settings.log_level)
        listener = listen(settings.host, settings.port)
        engine = kokoro_engine(
            settings.assets,
            threads=settings.threads,
            vocoder=settings.vocoder,
            phrase_cache_bytes=settings.phrase_cache_bytes,
            device=settings.device,
        )

        def announce(address: str) -> None:
            spare_what_is_loaded()
            # Standard output carries this one line, for whoever started the server and waits for its address.
            print(f"ready {address}", flush=True)  # noqa: T201

        async def run() -> None:
            await run_server(engine, settings, listener, on_ready=announce)

        try:
            anyio.run(run)
        except PrimavoceError as error:  # what else is being loaded isn't waited for
            leave_at_once(error)
        leave_at_once()
