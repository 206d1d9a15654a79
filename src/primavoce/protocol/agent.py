"""The agent's messages, as types; ``docs/agent.md`` says what each means.

Event names and fields are the wire's own, some of them inherited. Times are seconds.
"""

from typing import Literal

import msgspec

from primavoce.protocol.messages import Seconds, WordSpoken

Mode = Literal["stream", "batch", "text_complete"]
MAX_AUDIO_BYTES = 16 * 1024
"""Of audio in one event: below 32 KiB in base64, which is what the narrowest transport takes in a frame."""
MAX_DELTA_CHARACTERS = 4096
"""Of text in one event: below 32 KiB, even if JSON has to escape each."""


class AgentMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """The root of what a listener sends."""


class Prompt(AgentMessage, frozen=True, kw_only=True, tag="prompt"):
    """Answer this; what is being answered is interrupted."""

    prompt: str
    mode: Literal["stream", "bidi", "batch", "text_complete"] = "stream"
    voice: str | None = None
    speed: float | None = None
    language: str | None = None
    sample_rate: int | float | None = None
    events: tuple[Literal["words"], ...] = ()
    request_id: str | None = None
    played_s: Seconds | None = None
    """How much was heard of the answer that this one interrupts."""
    transport: Literal["binary", "events"] = "events"
    """How audio comes over a socket."""


class CancelAnswer(AgentMessage, frozen=True, kw_only=True, tag="cancel"):
    """Stop an answer."""

    request_id: str | None = None
    played_s: Seconds | None = None


class Played(AgentMessage, frozen=True, kw_only=True, tag="played"):
    """How much of an answer's audio has been heard."""

    played_s: Seconds
    request_id: str | None = None


class AgentPing(AgentMessage, frozen=True, kw_only=True, tag="ping"):
    """Ask for a pong."""


AnyAgentMessage = Prompt | CancelAnswer | Played | AgentPing


class AgentEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """The root of what an agent sends; a listener must take unknown events and fields in its stride."""

    request_id: str


class AgentStart(AgentEvent, frozen=True, kw_only=True, tag="agent_start"):
    """An answer begins."""

    mode: Mode


class TextDelta(AgentEvent, frozen=True, kw_only=True, tag="text_delta"):
    """Some of its text was written."""

    seq: int
    text: str


class AudioStreamStart(AgentEvent, frozen=True, kw_only=True, tag="audio_stream_start"):
    """Its first audio is there."""

    format: Literal["pcm16"] = "pcm16"
    voice: str
    sample_rate: int


class AudioChunk(AgentEvent, frozen=True, kw_only=True, tag="audio_chunk"):
    """Some of its audio: 16-bit little-endian mono samples, whole ones, at most `MAX_AUDIO_BYTES` of them."""

    seq: int
    data: bytes
    """In JSON, base64."""


class AnswerSegment(AgentEvent, frozen=True, kw_only=True, tag="segment"):
    """The audio of one segment begins."""

    index: int
    text: str
    start: int
    """Characters into all the deltas put together."""
    end: int
    start_s: float
    """Into the answer's audio."""


class AnswerWords(AgentEvent, frozen=True, kw_only=True, tag="words"):
    """The words of the segment that begins."""

    index: int
    words: tuple[WordSpoken, ...]


class AudioStreamEnd(AgentEvent, frozen=True, kw_only=True, tag="audio_stream_end"):
    """All its audio has been sent."""

    total_chunks: int
    duration_s: float


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """When what happened, in seconds after the prompt; `None` where it didn't."""

    speech_open_s: float | None = None
    """The session with the speech server was open."""
    first_text_s: float | None = None
    text_complete_s: float | None = None
    first_audio_s: float | None = None
    first_sound_s: float | None = None
    """The first audible sample, for a listener who plays audio as it comes."""
    total_s: float | None = None
    characters: int = 0
    audio_s: float = 0.0
    """Seconds of audio."""


class AgentEnd(AgentEvent, frozen=True, kw_only=True, tag="agent_end"):
    """The answer is written and spoken, whole."""

    timings: Timings


class AnswerCancelled(AgentEvent, frozen=True, kw_only=True, tag="cancelled"):
    """The answer was interrupted."""

    spoken_text: str
    """What was heard of it."""
    spoken_characters: int
    """How many characters into all the deltas that reaches."""
    audio_sent_s: float


class AnswerFailed(AgentEvent, frozen=True, kw_only=True, tag="error"):
    """The answer can't be given, or not to its end; or a message made no sense."""

    request_id: str | None  # type: ignore[assignment]
    code: str
    message: str
    retryable: bool


class AgentPong(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The answer to a ping."""


AnyAgentEvent = (
    AgentStart
    | TextDelta
    | AudioStreamStart
    | AudioChunk
    | AnswerSegment
    | AnswerWords
    | AudioStreamEnd
    | AgentEnd
    | AnswerCancelled
    | AnswerFailed
)
ENDINGS = (AgentEnd, AnswerCancelled, AnswerFailed)
"""Exactly one of them ends an answer."""
