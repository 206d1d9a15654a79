"""One utterance, as the server's session sees it: its text coming in, its audio going out, its one ending."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec import UNSET

from primavoce.audio.formats import FORMATS
from primavoce.errors import PrimavoceError, TextTooLong, UtteranceTooLong
from primavoce.protocol.incoming import IncomingText
from primavoce.protocol.messages import (
    Cancelled,
    SecondsLeft,
    SegmentSpoken,
    SynthesisComplete,
    SynthesisStart,
    WordSpoken,
    WordsSpoken,
)
from primavoce.protocol.options import SpeechOptions
from primavoce.text.timing import SegmentTime, WordTime

SAMPLE_DIGITS = 6
"""Of seconds, so that a sample at 48 kHz isn't lost in rounding."""

Outcome = Literal["complete", "cancelled", "error"]


@dataclass(slots=True, eq=False)
class Utterance:
    """All that answers one request. Pure: the session's shell tells it the time."""

    request_id: str
    options: SpeechOptions
    max_characters: int
    max_audio_s: float
    received_at: float
    """Seconds on the session's clock."""
    last_text_at: float = 0.0
    begun_at: float | None = None
    first_audio_at: float | None = None
    audio_s: float = 0.0
    """Seconds of audio sent so far."""
    work_s: float = 0.0
    """Seconds that the model has worked for it."""
    played_s: float | None = None
    """Seconds that the listener has heard, as last reported."""
    outcome: Outcome | None = None
    """How it ended; `None` while it lives. Set once."""
    error: PrimavoceError | None = None
    """What ended it, if an error did."""
    segments: list[SegmentTime] = field(default_factory=list)
    incoming: IncomingText = field(init=False)
    """Its text, and the sentences of it that are ready to be spoken."""

    def __post_init__(self) -> None:
        self.incoming = IncomingText(self.options.language)
        self.last_text_at = self.received_at

    # --- text in

    def add(self, delta: str, *, now: float) -> None:
        """Take one delta of the text.

        Raises:
            TextTooLong: the whole has become longer than the limit; nothing of ``delta`` was taken.
        """
        if self.incoming.characters + len(delta) > self.max_characters:
            raise TextTooLong(self.max_characters)
        if delta:  # an empty one would keep it open for ever
            self.last_text_at = now
        self.incoming.push(delta)

    # --- audio out

    def start_message(self, *, session_ends_in_s: SecondsLeft = UNSET) -> SynthesisStart:
        """Announce the audio."""
        options = self.options
        return SynthesisStart(
            request_id=self.request_id,
            voice=options.voice.name,
            format=options.format,
            sample_rate=options.sample_rate,
            sample_width=FORMATS[options.format].sample_width,
            session_ends_in_s=session_ends_in_s,
        )

    def began(self, segment: SegmentTime) -> list[SegmentSpoken | WordsSpoken]:
        """Note that ``segment`` begins, and return the messages that tell so, as far as they were asked for."""
        self.segments.append(segment)
        index = len(self.segments) - 1
        told: list[SegmentSpoken | WordsSpoken] = []
        if "segments" in self.options.events:
            text = self.incoming.text[segment.start : segment.end].rstrip()
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
            text=self.incoming.text[word.start : word.end],
            start=word.start,
            end=word.end,
            start_s=round(word.start_s, 3),
            end_s=round(word.end_s, 3),
        )

    def check_length(self, audio_s: float) -> None:
        """Refuse ``audio_s`` more seconds of audio where they would be too many.

        Raises:
            UtteranceTooLong: they would.
        """
        if self.audio_s + audio_s > self.max_audio_s:
            raise UtteranceTooLong(self.max_audio_s)

    def sent(self, audio_s: float, *, now: float) -> None:
        """Note that ``audio_s`` more seconds of audio went out."""
        if self.first_audio_at is None:
            self.first_audio_at = now
        self.audio_s += audio_s

    def heard_early_s(self, *, now: float) -> float:
        """Return how many seconds more the listener says to have heard than one at normal speed could have by now.

        One who only keeps the audio has: nobody waits for it to be played.
        """
        if self.played_s is None or self.first_audio_at is None:
            return 0.0
        return max(0.0, min(self.played_s, self.audio_s) - (now - self.first_audio_at))

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
            total_duration_s=round(self.audio_s, SAMPLE_DIGITS),
            elapsed_s=round(now - self.received_at, 4),
            time_to_first_audio_s=self.time_to_first_audio_s,
            queued_s=round(begun - self.received_at, 4),
            real_time_factor=round(self.work_s / self.audio_s, 4) if self.audio_s else None,
            segments=len(self.segments),
            characters=self.incoming.characters,
        )

    def cancelled_message(self, *, now: float) -> Cancelled:
        """End it as cancelled, and say what the listener has heard of it, by the times of its words."""
        self.outcome = "cancelled"
        heard_s = self.played_s
        if heard_s is None:
            heard_s = 0.0 if self.first_audio_at is None else now - self.first_audio_at
        words = (word for segment in self.segments for word in segment.words)
        text = self.incoming.text[: heard_until(self.incoming.text, words, min(heard_s, self.audio_s))].strip()
        return Cancelled(
            request_id=self.request_id,
            audio_sent_s=round(self.audio_s, 4),
            spoken_text=text,
            spoken_characters=len(text),
        )


def heard_until(text: str, words: Iterable[WordTime | WordSpoken], heard_s: float) -> int:
    """Return how far into ``text`` the last word reaches that was heard whole, and the marks after it.

    Args:
        text: The utterance's.
        words: Those that were sent, in order.
        heard_s: Seconds heard.
    """
    heard = 0
    for word in words:
        if word.end_s > heard_s:
            break
        heard = word.end
    while 0 < heard < len(text) and not (text[heard].isalnum() or text[heard].isspace()):
        heard += 1
    return heard
