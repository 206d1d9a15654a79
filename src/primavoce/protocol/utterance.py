"""One utterance, as the server's session sees it: its text coming in, its audio going out, its one ending."""

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Literal

from primavoce.errors import TextTooLong
from primavoce.protocol.messages import (
    Cancelled,
    SegmentSpoken,
    SynthesisComplete,
    SynthesisStart,
    WordSpoken,
    WordsSpoken,
)
from primavoce.protocol.options import SpeechOptions
from primavoce.text import Sentence, SentenceStream
from primavoce.text.timing import SegmentTime, WordTime

SLICE = 500
"""Characters that are looked at in one go: some milliseconds of work."""

Outcome = Literal["complete", "cancelled", "error"]


@dataclass(slots=True, eq=False)
class Utterance:
    """All that answers one request. Pure: the session's shell tells it the time."""

    request_id: str
    options: SpeechOptions
    max_characters: int
    received_at: float
    """Seconds on the session's clock."""
    last_text_at: float = 0.0
    begun_at: float | None = None
    first_audio_at: float | None = None
    characters: int = 0
    audio_s: float = 0.0
    """Seconds of audio sent so far."""
    work_s: float = 0.0
    """Seconds that the model has worked for it."""
    played_s: float | None = None
    """Seconds that the listener has heard, as last reported."""
    text_complete: bool = False
    outcome: Outcome | None = None
    """How it ended; `None` while it lives. Set once."""
    blank: bool = True
    """True while its text is white space alone."""
    segments: list[SegmentTime] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)
    """Its text as it was sent, in pieces; joined when somebody asks."""
    _stream: SentenceStream = field(init=False)
    _backlog: deque[str | None] = field(default_factory=deque)
    """Text that is still to be looked at, in order; `None` for a flush."""
    _read: int = 0
    """Characters that were looked at."""
    _base: int = 0
    """Characters before the last flush: the stream counts from there."""
    _ready: deque[Sentence] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._stream = SentenceStream(self.options.language)
        self.last_text_at = self.received_at

    # --- text in

    def add(self, delta: str, *, now: float) -> None:
        """Take one delta of the text.

        Raises:
            TextTooLong: the whole has become longer than the limit; nothing of ``delta`` was taken.
        """
        if self.characters + len(delta) > self.max_characters:
            raise TextTooLong(self.max_characters)
        self.characters += len(delta)
        self.last_text_at = now
        self.blank = self.blank and not delta.strip()
        self._text.append(delta)
        self._backlog.append(delta)
        self.advance()

    @property
    def text(self) -> str:
        """All of its text so far, as it was sent."""
        if len(self._text) > 1:
            self._text = ["".join(self._text)]
        return self._text[0] if self._text else ""

    def flush(self) -> None:
        """Release what is held, whether or not it is a sentence yet; more text may follow."""
        self._backlog.append(None)
        self.advance()

    def idle(self) -> bool:
        """Release a sentence that is complete but for the proof; say whether there was one."""
        if self._backlog:
            return False
        released = self._stream.idle()
        self._accept(released)
        return bool(released)

    def end(self) -> None:
        """Release the rest: the text is complete."""
        if not self.text_complete:
            self.text_complete = True
            self._backlog.append(None)
            self.advance()

    def advance(self) -> bool:
        """Look for sentences in the next `SLICE` characters that wait; say whether more wait.

        A long text is worked through in slices, so that whoever shares the event loop isn't kept waiting by it.
        """
        room = SLICE
        while self._backlog and room > 0:
            delta = self._backlog.popleft()
            if delta is None:
                self._accept(self._stream.flush())
                self._base = self._read
                continue
            if len(delta) > room:
                self._backlog.appendleft(delta[room:])
                delta = delta[:room]
            room -= len(delta)
            self._read += len(delta)
            self._accept(self._stream.push(delta))
        return bool(self._backlog)

    @property
    def exhausted(self) -> bool:
        """Whether all of its text has come, and all its sentences were taken."""
        return self.text_complete and not self._backlog and not self._ready

    def _accept(self, sentences: list[Sentence]) -> None:
        self._ready.extend(
            replace(found, start=found.start + self._base, end=found.end + self._base) for found in sentences
        )

    def take(self) -> list[Sentence]:
        """Return the sentences that are ready to be spoken; they are gone from here then."""
        taken = list(self._ready)
        self._ready.clear()
        return taken

    @property
    def startable(self) -> bool:
        """Whether its turn would have something to do."""
        return bool(self._ready) or bool(self._backlog) or self.text_complete

    # --- audio out

    def start_message(self) -> SynthesisStart:
        """Announce the audio."""
        options = self.options
        return SynthesisStart(
            request_id=self.request_id, voice=options.voice.name, format=options.format, sample_rate=options.sample_rate
        )

    def began(self, segment: SegmentTime) -> list[SegmentSpoken | WordsSpoken]:
        """Note that ``segment`` begins, and return the messages that tell so, as far as they were asked for."""
        self.segments.append(segment)
        index = len(self.segments) - 1
        told: list[SegmentSpoken | WordsSpoken] = []
        if "segments" in self.options.events:
            text = self.text[segment.start : segment.end].rstrip()
            told.append(
                SegmentSpoken(
                    request_id=self.request_id,
                    index=index,
                    text=text,
                    start=segment.start,
                    end=segment.start + len(text),
                    start_s=round(segment.start_s, 3),
                )
            )
        if "words" in self.options.events:
            words = tuple(self._word_message(word) for word in segment.words)
            told.append(WordsSpoken(request_id=self.request_id, index=index, words=words))
        return told

    def _word_message(self, word: WordTime) -> WordSpoken:
        return WordSpoken(
            text=self.text[word.start : word.end],
            start=word.start,
            end=word.end,
            start_s=round(word.start_s, 3),
            end_s=round(word.end_s, 3),
        )

    def sent(self, audio_s: float, *, now: float) -> None:
        """Note that ``audio_s`` more seconds of audio went out."""
        if self.first_audio_at is None:
            self.first_audio_at = now
        self.audio_s += audio_s

    @property
    def time_to_first_audio_s(self) -> float | None:
        """Seconds from the request's arrival to its first audio; `None` while there is none."""
        return None if self.first_audio_at is None else round(self.first_audio_at - self.received_at, 4)

    def complete_message(self, *, now: float) -> SynthesisComplete:
        """End it as spoken, whole."""
        self.outcome = "complete"
        begun = self.received_at if self.begun_at is None else self.begun_at
        return SynthesisComplete(
            request_id=self.request_id,
            total_duration_s=round(self.audio_s, 4),
            elapsed_s=round(now - self.received_at, 4),
            time_to_first_audio_s=self.time_to_first_audio_s,
            queued_s=round(begun - self.received_at, 4),
            real_time_factor=round(self.work_s / self.audio_s, 4) if self.audio_s else None,
            segments=len(self.segments),
            characters=self.characters,
        )

    def cancelled_message(self, *, now: float) -> Cancelled:
        """End it as cancelled, and say what the listener has heard of it, by the times of its words."""
        self.outcome = "cancelled"
        heard_s = self.played_s
        if heard_s is None:
            heard_s = 0.0 if self.first_audio_at is None else now - self.first_audio_at
        text = heard_text(self.text, self.segments, min(heard_s, self.audio_s))
        return Cancelled(
            request_id=self.request_id,
            audio_sent_s=round(self.audio_s, 4),
            spoken_text=text,
            spoken_characters=len(text),
        )


def heard_text(text: str, segments: list[SegmentTime], heard_s: float) -> str:
    """Return ``text`` up to the last word that was heard whole, and the marks after it.

    Args:
        text: The utterance's.
        segments: What was sent of it, in order.
        heard_s: Seconds heard.
    """
    heard = 0
    for word in (word for segment in segments for word in segment.words):
        if word.end_s > heard_s:
            break
        heard = word.end
    if not heard:
        return ""
    while heard < len(text) and not (text[heard].isalnum() or text[heard].isspace()):
        heard += 1
    return text[:heard].strip()
