"""One answer, as its listener is told of it: text and speech go in, events come out.

Pure: the shell round it (`primavoce.agent.turn`) tells it the time.
"""

from typing import Literal

from primavoce.audio.loudness import SoundDetector
from primavoce.errors import PrimavoceError, RequestFailed
from primavoce.protocol.agent import (
    MAX_AUDIO_BYTES,
    MAX_DELTA_CHARACTERS,
    AgentEnd,
    AgentStart,
    AnswerCancelled,
    AnswerFailed,
    AnswerSegment,
    AnswerWords,
    AnyAgentEvent,
    AudioChunk,
    AudioStreamEnd,
    AudioStreamStart,
    Mode,
    TextDelta,
    Timings,
)
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.messages import SegmentSpoken, SynthesisComplete, SynthesisStart, WordSpoken, WordsSpoken
from primavoce.protocol.utterance import heard_until

SAMPLE_WIDTH = 2
DIGITS = 6
"""Of seconds on the wire."""

Outcome = Literal["complete", "cancelled", "error"]


class Answer:
    """One answer.

    Args:
        request_id: What its events carry.
        mode: How text and speech follow each other. ``batch`` holds all speech back until it is there, whole.
        tells_words: Whether the listener wants to know when each word is heard.
        now: The prompt's moment, on the shell's clock; as every ``now`` here.
    """

    def __init__(self, request_id: str, mode: Mode, *, tells_words: bool, now: float) -> None:
        self.request_id = request_id
        self.mode = mode
        self.outcome: Outcome | None = None
        """How it ended; `None` while it is under way."""
        self.heard = 0
        """How many characters of its text were heard before it was interrupted, or failed."""
        self._tells_words = tells_words
        self._began = now
        self._text = ""
        self._deltas = 0
        self._words: list[WordSpoken] = []
        self._start: SynthesisStart | None = None
        self._started = False
        self._detector: SoundDetector | None = None
        self._held: list[ClientEvent] = []
        self._parts = 0
        self._audio_bytes = 0
        self._at: dict[str, float] = {}
        self._played: tuple[float, float] | None = None  # seconds heard, and when that was said

    def begin(self) -> AgentStart:
        """Say that it begins."""
        return AgentStart(request_id=self.request_id, mode=self.mode)

    @property
    def ended(self) -> bool:
        """Whether its ending has been told."""
        return self.outcome is not None

    @property
    def interrupted(self) -> bool:
        """Whether that was an interruption."""
        return self.outcome == "cancelled"

    # --- text

    @property
    def text(self) -> str:
        """All deltas so far, put together."""
        return self._text

    def write(self, delta: str, *, now: float) -> list[TextDelta]:
        """Take a delta that was written, and return what tells it: more than one event where it is long."""
        told = []
        for start in range(0, len(delta), MAX_DELTA_CHARACTERS):
            self._note("first_text_s", now)
            text = delta[start : start + MAX_DELTA_CHARACTERS]
            told.append(TextDelta(request_id=self.request_id, seq=self._deltas, text=text))
            self._deltas += 1
        self._text += delta
        return told

    def text_complete(self, *, now: float) -> None:
        """Note that all is written."""
        self._note("text_complete_s", now)

    # --- speech

    def speech_open(self, *, now: float) -> None:
        """Note that there is somebody to speak it."""
        self._note("speech_open_s", now)

    def spoken(self, event: ClientEvent, *, now: float) -> list[AnyAgentEvent]:
        """Take what came of its speech, and return what the listener is told now."""
        if self.mode != "batch":
            return self._tell(event, now)
        self._held.append(event)
        if not isinstance(event, SynthesisComplete):
            return []
        held, self._held = self._held, []
        return [told for each in held for told in self._tell(each, now)]

    def _tell(self, event: ClientEvent, now: float) -> list[AnyAgentEvent]:
        match event:
            case SynthesisStart():
                self._start = event
                self._detector = SoundDetector(event.sample_rate)
                return []
            case SegmentSpoken():
                return [*self._begin_audio(), self._segment(event)]
            case WordsSpoken():
                self._words += event.words
                told = AnswerWords(request_id=self.request_id, index=event.index, words=event.words)
                return [told] if self._tells_words else []
            case Audio():
                return [*self._begin_audio(), *self._audio(event.pcm, now)]
            case SynthesisComplete() if self._started:
                return [
                    AudioStreamEnd(
                        request_id=self.request_id, total_chunks=self._parts, duration_s=round(self.audio_s, DIGITS)
                    )
                ]
            case _:
                return []

    def _begin_audio(self) -> list[AnyAgentEvent]:
        if self._started:
            return []
        assert self._start is not None  # a client's session sees to that
        self._started = True
        return [
            AudioStreamStart(
                request_id=self.request_id, voice=self._start.voice, sample_rate=int(self._start.sample_rate)
            )
        ]

    def _segment(self, event: SegmentSpoken) -> AnswerSegment:
        return AnswerSegment(
            request_id=self.request_id,
            index=event.index,
            text=event.text,
            start=event.start,
            end=event.end,
            start_s=event.start_s,
        )

    def _audio(self, pcm: bytes, now: float) -> list[AnyAgentEvent]:
        self._note("first_audio_s", now)
        assert self._detector is not None
        heard_s = self._detector.push(pcm)
        if heard_s is not None:
            # Played from its first byte on, and without a gap.
            self._note("first_sound_s", max(now, self._began + self._at["first_audio_s"] + heard_s))
        self._audio_bytes += len(pcm)
        told: list[AnyAgentEvent] = []
        for start in range(0, len(pcm), MAX_AUDIO_BYTES):
            part = pcm[start : start + MAX_AUDIO_BYTES]
            told.append(AudioChunk(request_id=self.request_id, seq=self._parts, data=part))
            self._parts += 1
        return told

    @property
    def audio_s(self) -> float:
        """Seconds of its audio that the listener was sent."""
        return self._audio_bytes / SAMPLE_WIDTH / self._start.sample_rate if self._start else 0.0

    # --- endings

    def complete(self, *, now: float) -> AgentEnd:
        """End it: it is written and spoken, whole."""
        self._end("complete")
        self._note("total_s", now)
        return AgentEnd(request_id=self.request_id, timings=self.timings())

    def cancel(self, *, played_s: float | None, now: float) -> AnswerCancelled:
        """End it as interrupted, or take back that it had ended: it may still have been in the listener's ear.

        Args:
            played_s: Seconds of its audio that were heard; what was last reported, or else the time since its first
                audio, unless given.
            now: The moment.
        """
        self._end("cancelled")
        heard_s = self._heard_s(now) if played_s is None else played_s
        self.heard = heard_until(self._text, self._words, min(heard_s, self.audio_s))
        return AnswerCancelled(
            request_id=self.request_id,
            spoken_text=self._text[: self.heard].strip(),
            spoken_characters=self.heard,
            audio_sent_s=round(self.audio_s, DIGITS),
        )

    def played(self, played_s: float, *, now: float) -> None:
        """Note that the listener has heard ``played_s`` seconds of its audio by now."""
        self._played = played_s, now

    def reported_s(self, now: float) -> float | None:
        """Return what the listener has heard by the last report, played on since; `None` without one."""
        return None if self._played is None else self._played[0] + now - self._played[1]

    def _heard_s(self, now: float) -> float:
        reported_s = self.reported_s(now)
        if reported_s is not None:
            return reported_s
        first = self._at.get("first_audio_s")
        return 0.0 if first is None else now - self._began - first

    def fail(self, error: PrimavoceError) -> AnswerFailed:
        """End it because of ``error``, whose sentence may travel; all that was sent is taken for heard."""
        self._end("error")
        self.heard = heard_until(self._text, self._words, self.audio_s)
        message = error.message if isinstance(error, RequestFailed) else str(error)
        return AnswerFailed(request_id=self.request_id, code=error.code, message=message, retryable=error.retryable)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._held.clear()

    def timings(self) -> Timings:
        """Return when what has happened."""
        at = {name: round(seconds, 4) for name, seconds in self._at.items()}
        return Timings(**at, characters=len(self._text), audio_s=round(self.audio_s, DIGITS))

    def _note(self, name: str, now: float) -> None:
        self._at.setdefault(name, now - self._began)
