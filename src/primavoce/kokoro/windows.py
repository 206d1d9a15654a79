"""Windows over a segment's frames: how large, with how much context."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

FRAMES_A_SECOND = 80
"""How many of the generator's frames a second of audio has."""
FIRST_FRAMES = 24
"""Frames of the first window after silence, 0.3 s: the listener waits for it."""
HEARD_FRAMES = 16
"""Frames of the first window that follow the pad, 0.2 s: what is heard while the second is made."""
MOST_LEAD_FRAMES = 80
"""Frames of silence, one second, beyond which the first window isn't made longer."""
LEAST_SHARE_FRAMES = 12
"""Frames below which a window isn't shared out: with its context, a share reads sixteen more."""
ALONE_FRAMES = 64
"""Frames, 0.8 s, up to which a segment is one window: about half of it is silence, its first sound would come hardly
sooner in two, and the statistics of so short a segment are predicted worst of all."""
MOST_FRAMES = 160
"""Frames of the largest, 2 s: context costs a tenth there, and a cancel waits no longer than for one."""
CONTEXT_FRAMES = 8
"""Frames of context each side: of the generator's ten, those that are heard (decision 0003: 103 dB)."""
HALFWAY_FRAMES = 2
"""Frames of context each side that the second half of the generator reads: it looks hardly farther than one."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of frames, and what is read around it."""

    start: int
    end: int
    read_from: int
    read_to: int

    def dropped(self, context: int = CONTEXT_FRAMES, halfway: int = HALFWAY_FRAMES) -> tuple[int, int]:
        """Return how many frames of context, before and after, aren't read any more in the generator's second half.

        Args:
            context: How many are needed each side; what is read beyond them only makes the window a larger one.
            halfway: How many of them the second half needs.
        """
        around = self.start - self.read_from, self.read_to - self.end
        before, after = (max(0, min(context, each) - halfway) for each in around)
        return before, after

    def shares(self, most: int, *, frames: int, context: int = CONTEXT_FRAMES) -> list["Window"]:
        """Return it in up to ``most`` windows, about as large as each other, that can be made at the same time.

        Args:
            most: How many.
            frames: How many the segment has.
            context: How many are read each side.
        """
        size = self.end - self.start
        count = max(1, min(most, size // LEAST_SHARE_FRAMES))
        edges = [self.start + size * number // count for number in range(count + 1)]
        return [
            Window(start, end, max(0, start - context), min(frames, end + context)) for start, end in pairwise(edges)
        ]


def windows(
    frames: int,
    *,
    lead: int = 0,
    first: int = FIRST_FRAMES,
    alone: int = ALONE_FRAMES,
    until: int | None = None,
    affordable: Callable[[], int] | None = None,
    most: int = MOST_FRAMES,
    context: int = CONTEXT_FRAMES,
    sizes: Sequence[int] = (),
) -> Iterator[Window]:
    """Yield the windows of a segment of ``frames``.

    The first holds the silence before the first phoneme and a little of what follows, since a window of silence is
    nothing to hear; the second is short again, and from then on each is twice the one before. A last window that would
    be shorter than the context is a part of the one before it.

    Nor is there a window across ``until``, and those behind it begin short again: once one of them is silent, the
    others needn't be made.

    Args:
        frames: How many the segment has.
        lead: How many of them the pad before the first phoneme lasts.
        first: Of the second window, and of the first at least.
        alone: Of a segment that is one window.
        until: Where the segment's sound is likely to be over.
        affordable: Tells, before each of them, how many frames it may have; they don't grow by themselves then.
        most: Of the largest.
        context: How many are read each side of a window.
        sizes: Frames, in order, that windows are held to, so that only a few shapes are ever read: those that grow are
            rounded down, the first is rounded up, and one that comes out smaller reads more of what goes before it.
    """
    opening = min(lead, MOST_LEAD_FRAMES) + HEARD_FRAMES
    if until is None or frames - until <= context:
        until = frames
    if frames <= alone:
        opening = until = frames
    silent = opening - HEARD_FRAMES
    planned = _growing(first, most) if affordable is None else _told(affordable, first, most, silent=silent)
    if sizes:
        opening = _held(opening, sizes)
        planned = (max((held for held in sizes if held <= size), default=size) for size in planned)
    behind = _edges(until, frames, sizes=_growing(first, most), stub=context)
    edges = chain([0], _edges(0, until, sizes=planned, least=opening, stub=context), behind)
    for start, end in pairwise(edges):
        read_to = min(frames, end + context)
        wider = _held(end - start, sizes) + context + read_to - end
        reads_more = sizes and start and wider <= read_to
        yield Window(start, end, read_to - wider if reads_more else max(0, start - context), read_to)


def _held(size: int, sizes: Sequence[int]) -> int:
    """Return the least of ``sizes`` that holds ``size``; itself, if none does."""
    return next((held for held in sizes if held >= size), size)


def _edges(start: int, end: int, *, sizes: Iterator[int], least: int = 0, stub: int) -> Iterator[int]:
    while start < end:
        size = max(next(sizes), least)
        start = start + size if end - start - size > stub else end
        least = 0
        yield start


def _told(affordable: Callable[[], int], first: int, most: int, *, silent: int) -> Iterator[int]:
    """Yield what is told, and in the first window the silence before the first phoneme, too."""
    while True:
        yield min(most, max(first, silent + affordable()))
        silent = 0


def _growing(first: int, most: int) -> Iterator[int]:
    yield first
    while True:
        yield first
        first = min(most, 2 * first)


def first_window_covers(frames: int, *, lead: int) -> bool:
    """Say whether the first of a segment's `windows` is the only one: then there is nothing to gain from windows."""
    planned = windows(frames, lead=lead)
    next(planned, None)
    return next(planned, None) is None
