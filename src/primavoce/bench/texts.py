"""The texts that are spoken, in English."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from primavoce.errors import InvalidSetting
from primavoce.voices.blend import Blend, parse_voice


@dataclass(frozen=True, slots=True)
class Texts:
    """What the benchmarks speak."""

    isolated: tuple[str, ...]
    """One answer's sentences."""
    by_length: tuple[str, ...]
    """Single sentences without an inner mark, from short to long."""

    @property
    def answer(self) -> str:
        """The isolated text as one."""
        return " ".join(self.isolated)


@cache
def read_texts() -> Texts:
    """Return the texts that come with primavoce."""
    return msgspec.json.decode(files("primavoce.bench").joinpath("texts.json").read_bytes(), type=Texts)


def english_voice(spec: str) -> Blend:
    """Return the voice or blend of ``spec``.

    Raises:
        UnknownVoice: there is no such voice.
        InvalidField: it can't be read.
        InvalidSetting: it speaks another language than the texts are in.
    """
    voice = parse_voice(spec)
    if not voice.language.startswith("en-"):
        raise InvalidSetting("--voice", f"the texts are English, but {voice.name} speaks {voice.language}")
    return voice
