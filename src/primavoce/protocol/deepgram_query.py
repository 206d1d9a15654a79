"""What a client of Deepgram's asks in a query: voice, encoding, rate and speed. Unknown fields are ignored."""

from collections.abc import Mapping
from dataclasses import dataclass

from primavoce.audio.formats import FORMATS, AudioFormat
from primavoce.errors import (
    InvalidField,
    InvalidSpeed,
    UnknownLanguage,
    UnknownVoice,
    UnsupportedFormat,
    UnsupportedSampleRate,
)
from primavoce.languages import resolve_language
from primavoce.protocol.options import HIGHEST_SPEED, LOWEST_SPEED
from primavoce.voices.blend import parse_voice
from primavoce.voices.catalogue import DEFAULT_VOICES

LINEAR16 = "linear16"
SESSION_ENCODINGS: Mapping[str, str] = {LINEAR16: "pcm", "mulaw": "mulaw", "alaw": "alaw"}
"""Deepgram's name → ours, of what a session can have."""
WHOLE_ENCODINGS: Mapping[str, str] = {"mp3": "mp3", **SESSION_ENCODINGS, "opus": "opus", "flac": "flac"}
"""The same, of what a whole text can have; the first is the default."""
CONTAINERS: Mapping[str, tuple[str, ...]] = {LINEAR16: ("wav", "none"), "opus": ("ogg",)}
"""What the audio of an encoding can come in, the default first; of any other encoding, in none."""
USUAL_RATES: Mapping[str, int] = {"mp3": 22050, LINEAR16: 24000, "mulaw": 8000, "alaw": 8000}
"""Hertz, where none is asked for."""
BEST_RATE = 48000
"""Hertz, of encodings that `USUAL_RATES` doesn't have."""
ENGLISH = ("en-us", "en-gb")


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that was asked for and is done otherwise."""

    code: str
    """An error's."""
    sentence: str


@dataclass(frozen=True, slots=True)
class SpeakQuery:
    """How to speak."""

    voice: str
    """A name or a blend that there is."""
    format: str
    """One of `primavoce.audio.formats.FORMATS`."""
    sample_rate: int
    """Hertz; one that the format can have."""
    speed: float | None
    remarks: tuple[Remark, ...]


def session_query(query: Mapping[str, str], *, default_voice: str) -> SpeakQuery:
    """Read the query of a session.

    Args:
        query: Its fields.
        default_voice: The voice where none, or none that there is, is asked for.

    Raises:
        UnsupportedFormat: it isn't among `SESSION_ENCODINGS`.
        UnsupportedSampleRate: the encoding can't have it.
        InvalidSpeed: not a number in range.
    """
    encoding, found = _encoding(query, SESSION_ENCODINGS, LINEAR16)
    remarks = []
    if query.get("container", "none").lower() != "none":
        remarks.append(Remark(UnsupportedFormat.code, "a session's audio comes in no container"))
    return _asked(query, encoding, found, default_voice, remarks)


def whole_query(query: Mapping[str, str], *, default_voice: str) -> SpeakQuery:
    """Read the query of a whole text.

    Args:
        query: Its fields.
        default_voice: The voice where none, or none that there is, is asked for.

    Raises:
        UnsupportedFormat: it isn't among `WHOLE_ENCODINGS`.
        InvalidField: the encoding can't come in the container.
        UnsupportedSampleRate: the encoding can't have it.
        InvalidSpeed: not a number in range.
    """
    encoding, found = _encoding(query, WHOLE_ENCODINGS, next(iter(WHOLE_ENCODINGS)))
    offered = CONTAINERS.get(encoding, ("none",))
    container = query.get("container", offered[0]).lower()
    if container not in offered:
        raise InvalidField("container", f"of {encoding} may be {' or '.join(offered)}")
    if container == "wav":
        found = FORMATS["wav"]
    return _asked(query, encoding, found, default_voice, [])


def _encoding(query: Mapping[str, str], offered: Mapping[str, str], usual: str) -> tuple[str, AudioFormat]:
    encoding = query.get("encoding", usual).lower()
    if encoding not in offered:
        raise UnsupportedFormat(tuple(offered))
    return encoding, FORMATS[offered[encoding]]


def _asked(
    query: Mapping[str, str], encoding: str, found: AudioFormat, default_voice: str, remarks: list[Remark]
) -> SpeakQuery:
    voice, replaced = _voice(query.get("model"), default_voice)
    return SpeakQuery(
        voice,
        found.name,
        _sample_rate(query.get("sample_rate"), found, USUAL_RATES.get(encoding, BEST_RATE)),
        _speed(query.get("speed")),
        (*replaced, *remarks),
    )


def _voice(model: str | None, default_voice: str) -> tuple[str, list[Remark]]:
    """Return the voice that ``model`` names; another, and a remark, if it names none."""
    if model is None:
        return default_voice, []
    try:
        # A blend's plus is a space once a query is read, unless it was escaped.
        return parse_voice(model.strip().replace(" ", "+")).name, []
    except (UnknownVoice, InvalidField) as error:
        voice = _stand_in(model, default_voice)
        return voice, [Remark(error.code, f"{error}; {voice} speaks instead")]


def _stand_in(model: str, default_voice: str) -> str:
    """Return who speaks for a model of Deepgram's own, whose last letters are its language (``aura-2-celeste-es``)."""
    try:
        language = resolve_language(model.rpartition("-")[2])
    except UnknownLanguage:
        return default_voice
    return default_voice if language in ENGLISH else DEFAULT_VOICES[language]


def _sample_rate(given: str | None, found: AudioFormat, usual: int) -> int:
    if given is None:
        return usual
    if not (given.isascii() and given.isdecimal() and len(given) < 10) or int(given) not in found.rates:
        raise UnsupportedSampleRate(found.rates)
    return int(given)


def _speed(given: str | None) -> float | None:
    if given is None:
        return None
    try:
        speed = float(given)
    except ValueError:
        speed = 0.0
    if not LOWEST_SPEED <= speed <= HIGHEST_SPEED:  # nor is NaN
        raise InvalidSpeed(LOWEST_SPEED, HIGHEST_SPEED)
    return speed
