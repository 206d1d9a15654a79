"""Segments: what the model gets in one go, apart from where sentences end.

Two things pull. The model's first stage must see the whole segment, so short segments sound sooner; and its voice is
poor below about five words, and best when a segment is neither a stub nor much longer than its neighbours. So the
first segment is short, and later ones grow with the audio that is in hand.

Lengths are counted in phonemes, as the model counts them. Nothing here knows what a phoneme is: a `SegmentPolicy`
sees words by their length and by the gap after them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate
from typing import Protocol

HARD_LIMIT = 510
"""Phonemes that the model takes in one go."""
SHORTEST_SHARE = 0.5
"""A piece that a gap would make shorter than this part of an even share is not worth that gap: pace and loudness
depend on length, so a stub beside a long piece is heard."""


class Gap(IntEnum):
    """What lies between a word and the next, better places for a cut being greater."""

    INSIDE = 0
    """They were written as one: a number, an address. Cut only where there is no other way."""
    WORD = 1
    CONJUNCTION = 2
    """The next word joins clauses."""
    CLAUSE = 3
    """A comma, a colon, a dash, the end of a bracket."""
    SENTENCE = 4
    PAUSE = 5
    """Silence was asked for: the segment must end here."""


@dataclass(frozen=True, slots=True)
class Length:
    """A word as a policy sees it."""

    phonemes: int
    """Symbols of the word and of what follows it before the next."""
    gap: Gap
    """What follows it."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A sentence, or what is left of one, that waits to be spoken."""

    words: Sequence[Length]
    """At least one."""
    joins: bool
    """Whether it may share a segment with its neighbours: prose may, a heading or an item stands alone."""


@dataclass(frozen=True, slots=True)
class Take:
    """Speak these now, as one segment."""

    sentences: int
    """Whole sentences; 0 when it is a piece of the first."""
    words: int = 0
    """Words of the first sentence, when it is a piece of it."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Speak nothing yet: more text will make a better segment, and the listener has audio to listen to."""

    until_in_hand_s: float
    """Ask again when no more than this is in hand, or when more text has come."""


class SegmentPolicy(Protocol):
    """Decides the next segment; pure, so that policies can be compared."""

    def plan(
        self, waiting: Sequence[Waiting], *, first: bool, in_hand_s: float, budget: int, more: bool
    ) -> Take | Hold:
        """Return the next segment.

        Args:
            waiting: What is certain and unspoken, in order; at least one sentence.
            first: Whether nothing of the utterance was spoken yet, so that the listener waits for this segment.
            in_hand_s: Seconds of audio that the listener hasn't heard yet.
            budget: Phonemes that whoever schedules the model allows now.
            more: Whether more text may come.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowingSegments:
    """The first segment short, later ones as long as the audio in hand allows."""

    first: int = 60
    """Most phonemes of the first segment, and what any later one may have however little is in hand."""
    first_words: int = 4
    """Words that must come before the first segment's clause mark, and after it."""
    least: int = 100
    """Phonemes below which later sentences are joined."""
    most: int = 250
    """Most phonemes of a later segment."""
    stretch: float = 1.2
    """How far beyond its limit a segment may go before it is cut: a cut between words is heard as a pause."""
    comfort_s: float = 3.0
    """Audio in hand above which a short segment waits for company."""

    def plan(
        self, waiting: Sequence[Waiting], *, first: bool, in_hand_s: float, budget: int, more: bool
    ) -> Take | Hold:
        """Return the next segment; see `SegmentPolicy`."""
        words = _up_to_pause(waiting[0].words)
        whole = len(words) == len(waiting[0].words)
        limit = self.first if first else max(self.first, min(self.most, budget))
        total = sum(word.phonemes for word in words)
        if total > limit * self.stretch:
            return Take(0, self._first_cut(words, limit) if first else best_cut(words, limit))
        if not whole:
            return Take(0, len(words))
        if first:
            return Take(1)
        taken = self._joined(waiting, total, limit)
        reached = sum(word.phonemes for sentence in waiting[:taken] for word in sentence.words)
        alone = taken == len(waiting) and all(sentence.joins for sentence in waiting[:taken])
        if more and alone and reached < min(self.least, limit) and in_hand_s > self.comfort_s:
            return Hold(self.comfort_s)
        return Take(taken)

    def _first_cut(self, words: Sequence[Length], limit: int) -> int:
        """Cut after the first clause that is worth hearing by itself; else as anywhere."""
        length = 0
        for count, word in enumerate(words, start=1):
            length += word.phonemes
            if length > limit or count + self.first_words > len(words):
                break
            if count >= self.first_words and word.gap >= Gap.CLAUSE:
                return count
        return best_cut(words, limit)

    def _joined(self, waiting: Sequence[Waiting], total: int, limit: int) -> int:
        """Return how many sentences make the segment that begins with the first, of ``total`` phonemes."""
        taken = 1
        while taken < len(waiting) and total < self.least:
            ahead = waiting[taken]
            total += sum(word.phonemes for word in ahead.words)
            pauses = any(word.gap is Gap.PAUSE for word in (*waiting[taken - 1].words, *ahead.words))
            if total > limit or pauses or not (ahead.joins and waiting[taken - 1].joins):
                break
            taken += 1
        return taken


def best_cut(words: Sequence[Length], limit: int) -> int:
    """Return how many of ``words``, which are too many, make a piece of at most ``limit`` phonemes.

    The piece ends at the best kind of gap that leaves neither side a stub; of several, at the one nearest to an even
    share. What was written as one stays whole up to the model's `HARD_LIMIT`, and a word that is too long by itself
    comes back alone.
    """
    lengths = list(accumulate(word.phonemes for word in words))
    total = lengths[-1]
    share = total / -(-total // limit)
    for room in dict.fromkeys((limit, HARD_LIMIT)):
        fits = [count for count in range(1, len(words)) if lengths[count - 1] <= room]
        for gap in (Gap.CLAUSE, Gap.CONJUNCTION, Gap.WORD):
            cuts = [count for count in fits if words[count - 1].gap >= gap and _is_balanced(lengths, count, share)]
            if cuts:
                return min(cuts, key=lambda count: abs(lengths[count - 1] - share))
        cuts = [count for count in fits if words[count - 1].gap >= Gap.WORD]
        if cuts:
            return min(cuts, key=lambda count: abs(lengths[count - 1] - share))
        if total <= HARD_LIMIT:
            return len(words)
    inside = [count for count in range(1, len(words)) if lengths[count - 1] <= limit]
    return inside[-1] if inside else 1


def _is_balanced(lengths: Sequence[int], count: int, share: float) -> bool:
    before = lengths[count - 1]
    return min(before, lengths[-1] - before) >= share * SHORTEST_SHARE


def _up_to_pause(words: Sequence[Length]) -> Sequence[Length]:
    for count, word in enumerate(words, start=1):
        if word.gap is Gap.PAUSE:
            return words[:count]
    return words


DEFAULT_POLICY = GrowingSegments()
