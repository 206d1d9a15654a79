"""How a voice's segments become audio: in windows, whole, or as is best; for all voices, and for each by itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from primavoce.errors import InvalidRequest, InvalidSetting
from primavoce.voices.blend import parse_voice

type VocoderMode = Literal["auto", "stream", "whole"]
"""``auto``: in windows where that is known to sound alike, else whole; ``stream``: in windows wherever the voice's
statistics can be predicted at all; ``whole``: never in windows."""
MODES: tuple[str, ...] = get_args(VocoderMode.__value__)


@dataclass(frozen=True, slots=True)
class VocoderChoice:
    """What an operator chose."""

    mode: VocoderMode = "auto"
    by_voice: Mapping[str, VocoderMode] = field(default_factory=dict)
    """For voices and blends, by their canonical names, that are to go another way."""

    def of(self, voice: str) -> VocoderMode:
        """Return the mode of a voice or blend, by its canonical name."""
        return self.by_voice.get(voice, self.mode)


def parse_vocoder(name: str, text: str) -> VocoderChoice:
    """Read a choice: ``auto``, or ``auto,af_sky=whole`` with as many voices as are wanted.

    Args:
        name: Of the setting, for its errors.
        text: The choice.

    Raises:
        InvalidSetting: a part is no mode, or no voice with one.
    """
    mode: VocoderMode | None = None
    by_voice: dict[str, VocoderMode] = {}
    for part in (each.strip() for each in text.split(",")):
        voice, equals, asked = (each.strip() for each in part.rpartition("="))
        if asked.lower() not in MODES or (not equals and mode is not None):
            raise InvalidSetting(
                name, f"must be one of {', '.join(MODES)}, then voices as in af_sky=whole, not {text[:60]!r}"
            )
        chosen: VocoderMode = asked.lower()  # type: ignore[assignment]
        if not equals:
            mode = chosen
            continue
        try:
            by_voice[parse_voice(voice).name] = chosen
        except InvalidRequest as error:
            raise InvalidSetting(name, str(error)) from error
    return VocoderChoice(mode or "auto", by_voice)
