"""What several commands ask for: how to read what isn't prose, and names."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from primavoce.protocol.messages import Options
    from primavoce.settings import DeviceChoice
    from primavoce.voices.vocoder import VocoderChoice

SCHEMES = ("ws://", "wss://", "http://", "https://")
"""How a server's address begins."""

Emoji = Annotated[str | None, typer.Option(help="skip pictographs, or name them \\[skip].")]
Code = Annotated[str | None, typer.Option(help="announce a code fence, read it, or skip it \\[announce].")]
Tables = Annotated[str | None, typer.Option(help="read a table, announce it, or skip it \\[read].")]
LexiconFile = Annotated[Path | None, typer.Option(help="How names are said: a TOML file [PRIMAVOCE_LEXICON].")]
Vocoder = Annotated[
    str | None,
    typer.Option(
        help="auto, stream or whole; for single voices too, as in auto,af_sky=whole [PRIMAVOCE_VOCODER, auto]."
    ),
]

ApiKeyOption = Annotated[
    str | None,
    typer.Option(
        "--api-key",
        help="Key of the server; others on this machine may see it here, but not in the variable [PRIMAVOCE_API_KEY].",
    ),
]
DeviceOption = Annotated[
    str | None,
    typer.Option("--device", help="What the model runs on: auto, cpu or cuda [PRIMAVOCE_DEVICE, auto]."),
]


def device_from(asked: str | None, otherwise: "DeviceChoice") -> "DeviceChoice":
    """Return what was ``asked`` for, or what holds ``otherwise``.

    Raises:
        InvalidSetting: it is none of those there are.
    """
    from primavoce.settings import parse_device

    return otherwise if asked is None else parse_device("--device", asked)  # type: ignore[return-value]


def vocoder_from(asked: str | None, otherwise: "VocoderChoice") -> "VocoderChoice":
    """Return what was ``asked`` for, or what holds ``otherwise``.

    Raises:
        InvalidSetting: it is none of those there are.
    """
    from primavoce.voices.vocoder import parse_vocoder

    return otherwise if asked is None else parse_vocoder("--vocoder", asked)


def check_url(url: str) -> None:
    """Refuse what doesn't say how a server is spoken to.

    Raises:
        InvalidSetting: it doesn't.
    """
    from primavoce.client.handshake import shown_url
    from primavoce.errors import InvalidSetting

    if not url.lower().startswith(SCHEMES):
        told = f"must begin with {', '.join(SCHEMES[:-1])} or {SCHEMES[-1]}, as in ws://127.0.0.1:8080"
        raise InvalidSetting("--url", f"{told}, not {shown_url(url)[:80]!r}")


def options_from(**asked: object) -> "Options":
    """Return the wire's options that were ``asked`` for by name; None is not asked for.

    Raises:
        InvalidRequest: one is none of those there are.
    """
    import msgspec

    from primavoce.protocol.codec import explain
    from primavoce.protocol.messages import Options

    try:
        return msgspec.convert({name: value for name, value in asked.items() if value is not None}, Options)
    except msgspec.ValidationError as error:
        raise explain(str(error)) from error
