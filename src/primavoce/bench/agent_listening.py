"""An agent's answer, as somebody at the other end of the wire reads and hears it; pure.

Seconds count from the moment when the prompt was sent, at the listener.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from primavoce.bench.hearing import SAMPLE_RATE, Hearing
from primavoce.bench.spread import Spread
from primavoce.errors import ProtocolViolation, RequestFailed, SessionBroken
from primavoce.synthesis.playback import Playback

SAMPLE_WIDTH = 2


@dataclass(frozen=True, slots=True)
class AnswerHeard:
    """One answer, heard to its end."""

    first_text_s: float
    """Until the first delta."""
    text_complete_s: float
    """Until the last one."""
    first_audio_s: float
    """Until the first byte of audio."""
    first_sound_s: float
    """Until the first audible sample, the audio being played as it comes."""
    total_s: float
    """Until the event that ends the answer."""
    audio_s: float
    """Seconds of audio."""
    stalled_s: float
    """Seconds that the listener, having begun with the first byte, waited for more."""
    voice: str
    """What the agent says that it is spoken by."""
    text: str


MEASURES = (
    "first_text_s",
    "text_complete_s",
    "first_audio_s",
    "first_sound_s",
    "total_s",
    "audio_s",
    "stalled_s",
)
"""What is measured of each answer."""


class AnswerListener:
    """Takes an answer's events as they come; those that it doesn't know are none of its business."""

    def __init__(self) -> None:
        self._hearing = Hearing()
        self._playback = Playback()
        self._text = ""
        self._text_s: list[float] = []
        self._voice = ""
        self._ended_s: float | None = None

    @property
    def ended(self) -> bool:
        """Whether the answer is there, whole."""
        return self._ended_s is not None

    def take(self, event: Mapping[str, object], at_s: float) -> None:
        """Take ``event``, which came ``at_s``.

        Raises:
            RequestFailed: the agent says that the answer failed.
            ProtocolViolation: the event makes no sense.
        """
        match event:
            case {"type": "text_delta", "text": str(text)}:
                self._text += text
                self._text_s = [*self._text_s[:1], at_s]
            case {"type": "audio_stream_start", "sample_rate": rate, "voice": str(voice)}:
                if rate != SAMPLE_RATE:
                    raise ProtocolViolation(f"{SAMPLE_RATE} samples a second were asked for, not {rate}")
                self._voice = voice
            case {"type": "audio_chunk", "data": str(written)}:
                self._hear(_decoded(written), at_s)
            case {"type": "agent_end"}:
                self._ended_s = at_s
            case {"type": "cancelled"}:
                raise ProtocolViolation("the answer was cancelled, and nobody had asked for that")
            case {"type": "error", "code": str(code), "message": str(message)}:
                raise RequestFailed(code, message, retryable=event.get("retryable") is True)
            case _:
                pass

    def _hear(self, pcm: bytes, at_s: float) -> None:
        self._playback.hand_over(len(pcm) / SAMPLE_WIDTH / SAMPLE_RATE, now=at_s)
        self._hearing.take(pcm, at_s)

    def end(self) -> AnswerHeard:
        """Return what was heard.

        Raises:
            SessionBroken: the answer hasn't ended.
            SynthesisFailed: there was no sound in it.
        """
        if self._ended_s is None:
            raise SessionBroken("the answer was not whole")
        heard = self._hearing.end(self._ended_s)
        if not self._text_s:
            raise SessionBroken("the answer had no text")
        return AnswerHeard(
            first_text_s=self._text_s[0],
            text_complete_s=self._text_s[-1],
            first_audio_s=heard.first_audio_s,
            first_sound_s=heard.first_sound_s,
            total_s=heard.total_s,
            audio_s=heard.audio_s,
            stalled_s=self._playback.dry_s,
            voice=self._voice,
            text=self._text,
        )


def _decoded(written: str) -> bytes:
    try:
        return base64.b64decode(written, validate=True)
    except ValueError as error:  # of letters that no base64 has, too
        raise ProtocolViolation("a piece of audio is no base64") from error


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """The trials of one mode."""

    first_text_s: Spread
    text_complete_s: Spread
    first_audio_s: Spread
    first_sound_s: Spread
    total_s: Spread
    audio_s: Spread
    stalled_s: Spread
    characters: tuple[int, ...]
    """Of the answer's text, in each trial."""

    @classmethod
    def of(cls, trials: list[AnswerHeard]) -> Self:
        """Return the figures of ``trials``, of which there is at least one."""
        spreads = {name: Spread.of(getattr(heard, name) for heard in trials) for name in MEASURES}
        return cls(**spreads, characters=tuple(len(heard.text) for heard in trials))
