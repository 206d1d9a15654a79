"""Where a reader's blocks end in a stream of events, and which events they cut in two."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

BLOCK_BYTES = 4096
"""What many readers take at a time."""
_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")


def events_in(body: bytes) -> list[tuple[int, int]]:
    """Return where each event of a whole stream begins, and where it ends: behind its blank line."""
    ends = [found.end() for found in _END.finditer(body)]
    return list(zip([0, *ends], ends, strict=False))


def cut_by(blocks: Iterable[int], events: Sequence[tuple[int, int]]) -> int:
    """Return how many of ``events`` don't come whole in one block.

    Args:
        blocks: The bytes of each block, in order.
        events: Where each begins and ends.
    """
    ends = list(accumulate(blocks))
    # The first block that ends behind an event's beginning has all of it, or cuts it.
    return sum(1 for begin, end in events if (at := bisect_right(ends, begin)) < len(ends) and ends[at] < end)


def even_blocks(size: int, each: int = BLOCK_BYTES) -> list[int]:
    """Return the blocks that ``size`` bytes come in when a reader takes ``each`` at a time."""
    return [min(each, size - start) for start in range(0, size, each)]
