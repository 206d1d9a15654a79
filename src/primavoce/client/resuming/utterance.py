"""One utterance that may be spoken over several links: what was asked, what was delivered, and where to go on.

Pure. A link that breaks off leaves a listener in the middle of a word, mostly. The rest is asked for again from the
beginning of the segment that holds the first word not delivered whole, so that it is said as a sentence is; what comes
before that word is left out. So no word is lost, and none is heard twice but the one that broke off; and that goes on
where it was, if the model says it exactly as long again. Places are found by the words' times and places in the text,
and not by counting samples: segments may be cut elsewhere the second time.
"""

from collections.abc import Sequence

from msgspec import UNSET, structs

from primavoce.audio.pauses import silent_sample
from primavoce.audio.wav import HEADER_BYTES
from primavoce.client.resuming.asked import AskedUtterance
from primavoce.client.resuming.attempt import SAME_S, Attempt, next_attempt
from primavoce.client.resuming.told import ToldSegments
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.messages import (
    AnyClientMessage,
    Cancel,
    Cancelled,
    Error,
    SegmentSpoken,
    SynthesisComplete,
    SynthesisStart,
    Synthesize,
    Text,
    WordSpoken,
    WordsSpoken,
)
from primavoce.protocol.utterance import heard_until


class ResumableUtterance:
    """An utterance of a client's.

    Args:
        request_id: What its messages carry.
        first: The message that opens it.
    """

    def __init__(self, request_id: str, first: Text | Synthesize) -> None:
        self.request_id = request_id
        self.given_back: Error | None = None
        """By what the server has given it back, for a link that is yet to come."""
        self.refusals = 0
        """Times that it has."""
        self.ended = False
        self.lost_its_place = False
        """Whether its end was told while the word to go on from was still awaited: what came was left out."""
        self.is_held = False
        """Whether what is left of it, so far, is nothing to speak: then no server is asked for it."""
        self.asked = AskedUtterance(request_id, first)
        """What the client has said of it."""
        self._resumed = False
        self._started: SynthesisStart | None = None
        self._audio_bytes = 0
        self._segments: dict[int, float | None] = {}
        """Where those that were told of begin in the text, and when; `None` while nothing of the attempt was heard."""
        self._told = ToldSegments()
        self._words: list[WordSpoken] = []
        self._words_until = 0
        """Where to go on when all words that were told are delivered: the end of the last segment that had some, or the
        beginning of one that followed and hadn't."""
        self._segment_end = 0
        """Of the last one, whether it was told of or is said again."""
        self._attempt = Attempt()

    # --- what the client says

    def say(self, message: AnyClientMessage) -> list[AnyClientMessage]:
        """Take what the client says of it, and return what the server is to be told now."""
        self.asked.take(message)
        if isinstance(message, Cancel):
            message = structs.replace(message, played_s=self.played_in_attempt(message.played_s))
        if self.given_back is not None:
            return []  # whoever had it knows nothing of it any more
        if not self.is_held:
            return [message]
        self.is_held = self._rest_is_blank
        return [] if self.is_held else self._messages()

    def asking(self) -> list[AnyClientMessage]:
        """Return what to say on a new link, so that it goes on; nothing while there is nothing to speak."""
        self.given_back = None
        self._resumed = self._audio_bytes > 0
        self._attempt = self._next_attempt() if self._resumed else Attempt()
        self.lost_its_place = False
        self._told.forget()
        # White space alone, after all that was spoken, would be refused.
        self.is_held = self._resumed and self._rest_is_blank
        return [] if self.is_held else self._messages()

    def played_in_attempt(self, played_s: float | None) -> float | None:
        """Return how much of this attempt is heard when ``played_s`` seconds of all are; `None` while unknown."""
        if self._attempt.begins_at is not None:
            return None
        return None if played_s is None else max(0.0, played_s - self._attempt.shift_s)

    def _messages(self) -> list[AnyClientMessage]:
        return self.asked.messages(self._attempt.base, without_header=self._audio_bytes > 0)

    @property
    def _rest_is_blank(self) -> bool:
        attempt = self._attempt
        return not self.asked.text[attempt.base if attempt.place is None else attempt.place :].strip()

    # --- where it is

    @property
    def can_go_on(self) -> bool:
        """Whether the rest can be joined to what was delivered: encoded audio can't."""
        return not self._audio_bytes or self.asked.sends_samples

    @property
    def is_with_nobody(self) -> bool:
        """Whether no server has it: it is held, or was given back."""
        return self.is_held or self.given_back is not None

    @property
    def delivered_s(self) -> float:
        """Seconds of audio that were delivered."""
        header_bytes = HEADER_BYTES if self.asked.format == "wav" else 0
        return max(0, self._audio_bytes - header_bytes) / self._bytes_a_second

    def cancelled_here(self) -> Cancelled | None:
        """Return the acknowledgement of the client's cancel, where the server's won't come; `None` without a cancel."""
        if self.asked.cancel is None:
            return None
        return self._cancelled(self._heard(self.asked.cancel.played_s))

    def completed_here(self) -> SynthesisComplete | None:
        """Return the completion of an utterance of which nothing is left to be asked for; `None` otherwise."""
        if not (self.is_held and self.asked.complete):
            return None
        return SynthesisComplete(
            request_id=self.request_id,
            total_duration_s=round(self.delivered_s, 6),
            elapsed_s=0.0,
            time_to_first_audio_s=None,
            queued_s=0.0,
            real_time_factor=None,
            segments=self._told.count,
            characters=len(self.asked.text),
        )

    def _next_attempt(self) -> Attempt:
        return next_attempt(
            self._words,
            self._segments,
            told_until=self._words_until,
            delivered_s=self.delivered_s,
            pause_s=self.asked.pause_at(self._words_until),
            outside_of_code=self.asked.outside_of_code,
            whole=self.lost_its_place,
        )

    # --- what the server says

    def hear_here(self, ending: SynthesisComplete | Cancelled) -> list[ClientEvent]:
        """End it by what `completed_here` or `cancelled_here` has said."""
        self.ended = True
        return [ending]

    def hear(self, event: ClientEvent) -> list[ClientEvent]:
        """Take what the server says of it, and return what the client is told."""
        match event:
            case SynthesisStart():
                return self._start(event)
            case SegmentSpoken():
                return self._segment(event)
            case WordsSpoken():
                return self._words_told(event)
            case Audio():
                return self._audio(event)
            case SynthesisComplete() if self._attempt.awaited is not None:
                self.lost_its_place = True
                return []
            case SynthesisComplete():
                self.ended = True
                return [*self._tell_segments(), self._completion(event)]
            case Cancelled():
                self.ended = True
                return [self._cancellation(event)]
            case Error():
                self.ended = True
                return [event]
            case _:
                return [event]

    def _start(self, event: SynthesisStart) -> list[ClientEvent]:
        if self._started is not None:
            return []
        self._started = event
        return [structs.replace(event, session_ends_in_s=UNSET)]

    def _segment(self, event: SegmentSpoken) -> list[ClientEvent]:
        base = self._attempt.base
        start, end = event.start + base, event.end + base
        self._attempt.begin_segment(start, event.start_s, self.delivered_s, rate=self._rate, width=self._width)
        is_known = self._attempt.begins_at is None
        self._segments[start] = self._when(event.start_s) if is_known else None
        if is_known and self._when(event.start_s) <= self.delivered_s + SAME_S:
            self._words_until = max(self._words_until, start)  # all that comes before it is delivered
        self._segment_end = end
        told = self._tell_segments() if is_known else []
        self._told.begin(structs.replace(event, start=start, end=end))
        return [*told, *self._tell_segments()] if is_known and self._told.are_clear else told

    def _tell_segments(self, words: Sequence[WordSpoken] = ()) -> list[ClientEvent]:
        told = self._told.tell(self.asked.text, when=self._when, words=words)
        return [*told] if "segments" in self.asked.wanted else []

    def _words_told(self, event: WordsSpoken) -> list[ClientEvent]:
        base = self._attempt.base
        placed = [structs.replace(word, start=word.start + base, end=word.end + base) for word in event.words]
        if (begins_at := self._attempt.begins_at) is not None:
            before = [word for word in placed if word.start < begins_at]
            if len(before) == len(placed):
                self._attempt.pass_by(before)
                return []
            self._attempt.go_on(placed[len(before)], before, self.delivered_s, rate=self._rate, width=self._width)
        known_until = self._words[-1].end if self._words else 0
        timed = tuple(
            structs.replace(word, start_s=self._when(word.start_s), end_s=self._when(word.end_s)) for word in placed
        )
        told = tuple(word for word in timed if word.start >= known_until)
        self._correct(timed, known_until)
        self._words += told
        if placed:
            self._words_until = max(self._words_until, self._segment_end)
        segments = self._tell_segments(timed)
        if not told or "words" not in self.asked.wanted:
            return segments
        return [*segments, structs.replace(event, index=max(0, self._told.count - 1), words=told)]

    def _correct(self, timed: tuple[WordSpoken, ...], until: int) -> None:
        """Know of words that are said again when they are heard; the client has been told, and isn't told again."""
        again = {word.start: word for word in timed if word.start < until and word.end_s > self.delivered_s}
        self._words = [again.get(word.start, word) for word in self._words]

    def _audio(self, event: Audio) -> list[ClientEvent]:
        no_sound = silent_sample(self.asked.format, self._width)
        pcm = self._attempt.let_through(event.pcm, no_sound=no_sound)
        self._audio_bytes += len(pcm)
        return [*self._tell_segments(), Audio(event.request_id, pcm)] if pcm else []

    def _completion(self, event: SynthesisComplete) -> SynthesisComplete:
        if not self._resumed:
            return event
        return structs.replace(
            event,
            total_duration_s=round(self.delivered_s, 6),
            segments=self._told.count,
            characters=len(self.asked.text),
        )

    def _cancellation(self, event: Cancelled) -> Cancelled:
        if not self._resumed:
            return event
        # The server knows neither what came before this attempt, nor what of it was left out.
        return self._cancelled(self._heard(None if self.asked.cancel is None else self.asked.cancel.played_s))

    def _cancelled(self, characters: int) -> Cancelled:
        return Cancelled(
            request_id=self.request_id,
            audio_sent_s=round(self.delivered_s, 6),
            spoken_text=self.asked.text[:characters],
            spoken_characters=characters,
        )

    def _heard(self, played_s: float | None) -> int:
        """Return how far into the text the listener has heard, after ``played_s`` or else all that was delivered."""
        until_s = self.delivered_s if played_s is None else min(played_s, self.delivered_s)
        return heard_until(self.asked.text, self._words, until_s + SAME_S)

    def _when(self, attempt_s: float) -> float:
        if self._attempt.begins_at is not None:
            return self.delivered_s  # so far nothing of this attempt is heard
        return round(attempt_s + self._attempt.shift_s, 6)

    # --- how its audio is counted

    @property
    def _rate(self) -> int:
        return 24_000 if self._started is None else self._started.sample_rate

    @property
    def _width(self) -> int:
        return 2 if self._started is None else self._started.sample_width

    @property
    def _bytes_a_second(self) -> int:
        return self._rate * self._width
