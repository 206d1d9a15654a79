"""When each word is heard: from the durations of its phonemes."""

import math
from collections.abc import Sequence
from itertools import accumulate

from primavoce.synthesis.segment import SegmentWord
from primavoce.text.timing import WordTime


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
