"""How an utterance is to be spoken: a request's options, checked and completed."""

import math
from dataclasses import dataclass

from primavoce.audio.formats import ALL_RATES, FORMATS
from primavoce.errors import InvalidField, InvalidSpeed, RequestStale, UnsupportedFormat, UnsupportedSampleRate
from primavoce.languages import resolve_language
from primavoce.normalize.lexicon import Lexicon
from primavoce.normalize.options import DEFAULT_READING, ReadingOptions
from primavoce.phonemes.alphabet import ALPHABET
from primavoce.protocol.messages import Event, Options
from primavoce.voices.blend import Blend, parse_voice

SAMPLE_RATES = ALL_RATES
"""Hertz."""
SESSION_FORMATS = tuple(FORMATS)
LOWEST_SPEED, HIGHEST_SPEED = 0.5, 2.0
DEFAULT_VOICE = "af_heart"
DEFAULT_SAMPLE_RATE = 24000
NO_LEXICON = Lexicon()
MOST_AHEAD_S = 86_400.0
"""The furthest that a client's clock may be ahead of ours; what is further isn't a time in seconds at all."""


@dataclass(frozen=True, slots=True)
class SpeechOptions:
    """How to speak one utterance."""

    voice: Blend
    language: str
    """A tag of `primavoce.languages.LANGUAGES`."""
    speed: float
    """From 0.5 to 2; 1 is the voice's own."""
    sample_rate: int
    """Hertz, of the audio that is sent."""
    format: str
    """One of `primavoce.audio.formats.FORMATS`."""
    events: frozenset[Event]
    request_timestamp: float | None
    """Seconds since the epoch; `None` when the client gave none."""
    reading: ReadingOptions
    """What to read otherwise, and how names are said."""


def resolve_options(
    message: Options,
    *,
    default_format: str = "pcm",
    default_voice: str = DEFAULT_VOICE,
    lexicon: Lexicon = NO_LEXICON,
) -> SpeechOptions:
    """Return the options in ``message``, completed with the defaults.

    Args:
        message: Carries them.
        default_format: Of the audio, where it names none.
        default_voice: Where it names none.
        lexicon: How names are said.

    Raises:
        UnknownVoice: the catalogue doesn't have the voice.
        InvalidField: the voice's blend makes no sense.
        UnknownLanguage: Kokoro doesn't speak it.
        InvalidSpeed: not a number from 0.5 to 2.
        UnsupportedSampleRate: not one of those that the format can have.
        UnsupportedFormat: not one of `SESSION_FORMATS`.
    """
    voice = parse_voice(default_voice if message.voice is None else message.voice)
    speed = 1.0 if message.speed is None else message.speed
    if not (math.isfinite(speed) and LOWEST_SPEED <= speed <= HIGHEST_SPEED):
        raise InvalidSpeed(LOWEST_SPEED, HIGHEST_SPEED)
    audio_format = FORMATS.get(default_format if message.format is None else message.format)
    if audio_format is None:
        raise UnsupportedFormat(SESSION_FORMATS)
    sample_rate = message.sample_rate
    if sample_rate is None:
        sample_rate = DEFAULT_SAMPLE_RATE if DEFAULT_SAMPLE_RATE in audio_format.rates else audio_format.rates[-1]
    if sample_rate not in audio_format.rates:
        raise UnsupportedSampleRate(audio_format.rates)
    return SpeechOptions(
        voice=voice,
        language=voice.language if message.language is None else resolve_language(message.language),
        speed=speed,
        sample_rate=int(sample_rate),
        format=audio_format.name,
        events=frozenset(message.events or ()),
        request_timestamp=message.request_timestamp,
        reading=ReadingOptions(
            emoji=message.emoji or DEFAULT_READING.emoji,
            code=message.code or DEFAULT_READING.code,
            tables=message.tables or DEFAULT_READING.tables,
            lexicon=lexicon,
            alphabet=ALPHABET,
        ),
    )


def check_age(timestamp: float | None, *, now: float, limit_s: float) -> None:
    """Refuse a request whose time stamp is too old, or makes no sense.

    A clock that is a little ahead is let pass: such a stamp can only be taken for younger than it is.

    Args:
        timestamp: Seconds since the epoch by the client's clock, or `None` for no check.
        now: Seconds since the epoch by ours.
        limit_s: The oldest that is served.

    Raises:
        InvalidField: it is no moment of our time: negative, infinite, or milliseconds where seconds are meant.
        RequestStale: it is older than ``limit_s``.
    """
    if timestamp is None:
        return
    if not 0 <= timestamp <= now + MOST_AHEAD_S:
        raise InvalidField("request_timestamp", "must be seconds since the epoch, and not of another day's future")
    if now - timestamp > limit_s:
        raise RequestStale(limit_s)
