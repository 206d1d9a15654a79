"""From sentences that were read to segments, by a policy; pure."""

import logging
from collections import deque
from dataclasses import dataclass, replace

from primavoce.audio.pauses import pause_after
from primavoce.normalize.controls import LONGEST_PAUSE_S
from primavoce.synthesis.reading import ReadSentence, ReadWord
from primavoce.synthesis.segment import Segment, SegmentWord
from primavoce.text.segments import HARD_LIMIT, Gap, Hold, Length, SegmentPolicy, Waiting

PIECE_PAUSE_S = 0.0
"""Silence where a sentence was cut and no mark asks for any, besides the tenth of a second that trimming leaves."""
VIEW_PHONEMES = 4 * HARD_LIMIT
"""How far ahead a policy looks into one sentence, so that a sentence without end costs time in proportion."""
KIND_PAUSES_S = {"heading": 0.55, "item": 0.4, "row": 0.4, "fence": 0.5}
"""Silence after what stands on a line of its own; prose pauses by its mark."""

log = logging.getLogger("primavoce.synthesis")


@dataclass(slots=True)
class _Queued:
    """A sentence that waits, or what is left of one, or a piece of one."""

    start: int
    end: int
    kind: str
    lead: str
    words: deque[ReadWord]
    pause_before_s: float = 0.0

    def split_off(self, words: int) -> "_Queued":
        """Take the first ``words`` off, which are not all, and return them."""
        taken = deque(self.words.popleft() for _ in range(words))
        # What is written up to the next word, marks and all, goes with the piece before it.
        piece = _Queued(self.start, self.words[0].start, self.kind, self.lead, taken, self.pause_before_s)
        self.start, self.lead, self.pause_before_s = piece.end, "", 0.0
        return piece


class Segmenter:
    """Holds sentences until their segment's turn comes.

    Args:
        policy: Decides what a segment is.
    """

    def __init__(self, policy: SegmentPolicy) -> None:
        self._policy = policy
        self._queue: deque[_Queued] = deque()
        self._mark_s = 0.0  # silence after the last segment, by its mark
        self._asked_s = 0.0  # silence that was asked for since
        self._first = True

    def push(self, sentence: ReadSentence) -> None:
        """Take a sentence, to be spoken after those before it."""
        if sentence.words:
            place = (sentence.start, sentence.end, sentence.kind, sentence.lead)
            self._queue.append(_Queued(*place, deque(sentence.words), sentence.pause_before_s))
        elif self._queue:
            # A pause by itself is a pause after what was said before it.
            last = self._queue[-1].words[-1]
            paused = replace(last, gap=Gap.PAUSE, pause_s=last.pause_s + sentence.pause_before_s)
            self._queue[-1].words[-1] = paused if sentence.pause_before_s else last
        else:
            self._asked_s += sentence.pause_before_s

    @property
    def waiting(self) -> int:
        """Sentences that wait."""
        return len(self._queue)

    @property
    def rest_s(self) -> float:
        """Silence that was asked for after the last word."""
        return _bounded(self._asked_s)

    def next(self, *, in_hand_s: float, budget: int, more: bool) -> Segment | Hold:
        """Return the next segment, or until when to hold it back.

        Args:
            in_hand_s: Seconds of audio that the listener hasn't heard yet.
            budget: Phonemes that the model has time for.
            more: Whether more sentences may come.
        """
        waiting = [Waiting(_in_view(queued.words), _joins(queued)) for queued in self._queue]
        plan = self._policy.plan(waiting, first=self._first, in_hand_s=in_hand_s, budget=budget, more=more)
        if isinstance(plan, Hold):
            return plan
        self._first = False
        if plan.sentences == 0 and plan.words < len(self._queue[0].words):
            return self._segment([self._queue[0].split_off(plan.words)], whole=False)
        return self._segment([self._queue.popleft() for _ in range(max(1, plan.sentences))], whole=True)

    def _segment(self, sentences: list[_Queued], *, whole: bool) -> Segment:
        phonemes = ""
        words: list[SegmentWord] = []
        for sentence in sentences:
            phonemes += (" " if phonemes and not phonemes.endswith(" ") else "") + sentence.lead
            for word in sentence.words:
                first = len(phonemes)
                phonemes += word.phonemes
                if word.start < word.end:  # what is announced ("table:") was written nowhere
                    words.append(SegmentWord(word.start, word.end, first, len(phonemes)))
                phonemes += word.after
        pause_s = max(self._mark_s, _bounded(self._asked_s + sentences[0].pause_before_s))
        last = sentences[-1].words[-1]
        self._asked_s = last.pause_s
        self._mark_s = _pause_s(last, sentences[-1].kind, whole=whole)
        return Segment(sentences[0].start, sentences[-1].end, phonemes.rstrip(" "), tuple(words), pause_s)


def _bounded(asked_s: float) -> float:
    """Return the silence that was asked for, however often, and no more than one control may ask for."""
    if asked_s > LONGEST_PAUSE_S:
        log.debug("%.1f s of silence were asked for, of which %.1f s are kept", asked_s, LONGEST_PAUSE_S)
    return min(asked_s, LONGEST_PAUSE_S)


def _in_view(words: deque[ReadWord]) -> list[Length]:
    """Return what a policy sees of a sentence: all but the far end of one that goes on and on."""
    seen: list[Length] = []
    phonemes = 0
    for word in words:
        seen.append(Length(len(word.phonemes) + len(word.after), word.gap))
        phonemes += seen[-1].phonemes
        if phonemes > VIEW_PHONEMES:
            break
    return seen


def _joins(queued: _Queued) -> bool:
    return queued.kind == "prose" and queued.pause_before_s == 0.0


def _pause_s(last: ReadWord, kind: str, *, whole: bool) -> float:
    if not whole:
        return pause_after(last.after) if last.after.strip() else PIECE_PAUSE_S
    return KIND_PAUSES_S.get(kind) or pause_after(last.after)
