"""The messages of the wire, as types.

``docs/protocol.md`` says what each means. Field names are the wire's own; times are seconds, rates are hertz.
All refuse unknown fields: a misspelt option is an error, never a default.
"""

from typing import Annotated, Literal

import msgspec

from primavoce.normalize.options import Code, Emoji, Tables

PROTOCOL_VERSION = 1

Seconds = Annotated[float, msgspec.Meta(ge=0)]
SecondsLeft = float | msgspec.UnsetType
"""Left out where a session has no limit."""
Event = Literal["segments", "words"]
"""What a request may ask to be told besides audio."""


class ClientMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """The root of what a client sends."""


class Options(ClientMessage, frozen=True, kw_only=True):
    """What a whole request, or the first text of an utterance, may carry."""

    voice: str | None = None
    speed: float | None = None
    language: str | None = None
    sample_rate: int | float | None = None
    """Hertz; a whole number, though some write it as 24000.0."""
    format: str | None = None
    request_id: str | None = None
    request_timestamp: float | None = None
    """Seconds since the epoch, by the client's clock."""
    events: tuple[Event, ...] | None = None
    emoji: Emoji | None = None
    code: Code | None = None
    tables: Tables | None = None


class Synthesize(Options, frozen=True, kw_only=True, tag="synthesize"):
    """A whole text to speak; ``type`` may be left out."""

    text: str


class Text(Options, frozen=True, kw_only=True, tag="text"):
    """One delta of an utterance; the server finds the sentences."""

    text: str


class Flush(ClientMessage, frozen=True, tag="flush"):
    """Speak what is held; the utterance stays open."""

    request_id: str | None = None


class End(ClientMessage, frozen=True, tag="end"):
    """The utterance's text is complete."""

    request_id: str | None = None


class Cancel(ClientMessage, frozen=True, tag="cancel"):
    """Stop an utterance, or all."""

    request_id: str | None = None
    played_s: Seconds | None = None
    """How much of the utterance's audio the listener has heard."""


class Ping(ClientMessage, frozen=True, tag="ping"):
    """Ask for a pong; may report what the listener has heard."""

    request_id: str | None = None
    played_s: Seconds | None = None


class SetLexicon(ClientMessage, frozen=True, kw_only=True, tag="lexicon"):
    """How names are said in this session, from its next utterance on; replaces what was set before."""

    words: dict[str, str | dict[str, str]]
    """Word → phonemes between slashes, or other words to say; or a language → such words in that language alone."""
    request_id: str | None = None
    """What an error about it carries."""


class Close(ClientMessage, frozen=True, tag="close"):
    """No more requests; what is queued is finished first."""


AnyClientMessage = Synthesize | Text | Flush | End | Cancel | Ping | SetLexicon | Close


class ServerMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """The root of what a server sends.

    A client must take unknown fields in its stride: later servers may add some.
    """


class SynthesisStart(ServerMessage, frozen=True, kw_only=True, tag="synthesis_start"):
    """An utterance's audio follows, in binary frames."""

    protocol: int = PROTOCOL_VERSION
    request_id: str
    voice: str
    format: str
    sample_rate: int
    channels: int = 1
    sample_width: int = 2
    """Bytes a sample."""
    session_ends_in_s: SecondsLeft = msgspec.UNSET
    """Until the session takes no more requests."""


class SegmentSpoken(ServerMessage, frozen=True, kw_only=True, tag="segment"):
    """The audio of one segment begins."""

    request_id: str
    index: int
    text: str
    start: int
    """Characters into the utterance's text as it was sent."""
    end: int
    start_s: float
    """Seconds into the utterance's audio."""


class WordSpoken(msgspec.Struct, frozen=True, kw_only=True):
    """When a word is heard; what was written as one, such as a price, is one word."""

    text: str
    """As it was written."""
    start: int
    """Characters into the utterance's text as it was sent."""
    end: int
    start_s: float
    """Seconds into the utterance's audio."""
    end_s: float


class WordsSpoken(ServerMessage, frozen=True, kw_only=True, tag="words"):
    """The words of the segment that begins."""

    request_id: str
    index: int
    """The segment's."""
    words: tuple[WordSpoken, ...]


class SynthesisComplete(ServerMessage, frozen=True, kw_only=True, tag="synthesis_complete"):
    """An utterance is spoken, whole."""

    request_id: str
    total_duration_s: float
    elapsed_s: float
    """From the request's arrival to now."""
    time_to_first_audio_s: float | None
    """From the request's arrival to its first audio; null when there was nothing to speak."""
    queued_s: float
    """From the request's arrival to its turn."""
    real_time_factor: float | None
    """Work ÷ audio; null when there was nothing to speak."""
    segments: int
    characters: int


class Cancelled(ServerMessage, frozen=True, kw_only=True, tag="cancelled"):
    """An utterance was stopped."""

    request_id: str
    audio_sent_s: float
    spoken_text: str
    """The text that the listener has probably heard."""
    spoken_characters: int


class Error(ServerMessage, frozen=True, kw_only=True, tag="error"):
    """Something went wrong; with a request id, it ends that request unless the code says otherwise."""

    request_id: str | None
    code: str
    message: str
    retryable: bool
    fatal: bool = False
    """True when the session ends with it."""


class Pong(ServerMessage, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping."""

    request_id: str | None = None
    session_ends_in_s: SecondsLeft = msgspec.UNSET
    """Until the session takes no more requests."""


class SessionComplete(ServerMessage, frozen=True, kw_only=True, tag="session_complete"):
    """All is spoken and nothing more will come; the client closes."""

    reason: str = "closed"
    """``closed``, ``idle``, ``limit`` or ``draining``; of a session that was refused or failed, the error's code."""


AnyServerMessage = (
    SynthesisStart | SegmentSpoken | WordsSpoken | SynthesisComplete | Cancelled | Error | Pong | SessionComplete
)
