"""When each word is heard: from the durations of its phonemes."""

import math
from collections.abc import Sequence
from itertools import accumulate

from primavoce.synthesis.segment import Segment, SegmentWord
from primavoce.text.timing import WordTime

LAST_PHONEME_S = 0.15
"""About the longest that a segment's last phoneme is heard, in seven languages: the model counts silence to it."""
MODIFIERS = "ː̃ʰʲˈˌ"
"""Symbols of the alphabet that belong to the one before or after, and have durations of their own."""


def without_silence(segment: Segment, durations_s: Sequence[float]) -> Sequence[float]:
    """Return a segment's ``durations_s`` without the silence that the model counts to its last word.

    For a segment whose end isn't spoken yet, so that nobody knows where its sound ends. Nothing begins after that word,
    so that no other is moved.
    """
    if not segment.words:
        return durations_s
    last = segment.words[-1].last
    first = last - 1
    while first > segment.words[-1].first and segment.phonemes[first] in MODIFIERS:
        first -= 1
    # The pad comes first, so a phoneme's duration is one place behind it.
    shortened, left_s = list(durations_s), LAST_PHONEME_S
    for place in range(first + 1, last + 1):
        shortened[place] = min(shortened[place], left_s)
        left_s -= shortened[place]
    return shortened


def word_times(
    words: Sequence[SegmentWord],
    durations_s: Sequence[float],
    *,
    origin_s: float,
    from_s: float,
    until_s: float = math.inf,
) -> tuple[WordTime, ...]:
    """Return the time of each of a segment's ``words``, those that were written as one thing as one.

    Args:
        words: In order.
        durations_s: Of the pad before, of each phoneme, and of the pad after.
        origin_s: Where in the utterance the segment's first pad begins, as far as anybody hears it.
        from_s: Where in the utterance the segment's sound begins: nothing of it is heard before.
        until_s: Where it ends, if that is known: silence that the model counts to the last word may have been trimmed.
    """
    ends_s = list(accumulate(durations_s))  # after the pad before, then after each phoneme
    times: list[WordTime] = []
    for word in words:
        start_s = min(until_s, max(from_s, origin_s + ends_s[word.first]))
        end_s = min(until_s, max(start_s, origin_s + ends_s[word.last]))
        if times and word.start < times[-1].end:
            last = times.pop()
            times.append(WordTime(last.start, max(last.end, word.end), last.start_s, end_s))
        else:
            times.append(WordTime(word.start, word.end, start_s, end_s))
    return tuple(times)
