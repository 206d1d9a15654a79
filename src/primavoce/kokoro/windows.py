"""Windows over a segment's frames: how large, with how much context."""

from collections.abc import Iterator
from dataclasses import dataclass

FIRST_FRAMES = 24
"""Frames of the first window, 0.3 s: the listener waits for it."""
MOST_FRAMES = 160
"""Frames of the largest, 2 s: context costs a tenth there, and a cancel waits no longer than for one."""
CONTEXT_FRAMES = 8
"""Frames of context each side: of the generator's ten, those that are heard (97 dB and more; ten are exact)."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of frames, and what is read around it."""

    start: int
    end: int
    read_from: int
    read_to: int


def windows(
    frames: int, *, first: int = FIRST_FRAMES, most: int = MOST_FRAMES, context: int = CONTEXT_FRAMES
) -> Iterator[Window]:
    """Yield the windows of a segment of ``frames``, each twice the one before.

    A last window that would be shorter than the context is a part of the one before it.
    """
    start, size = 0, first
    while start < frames:
        end = min(frames, start + size)
        if frames - end <= context:
            end = frames
        yield Window(start, end, max(0, start - context), min(frames, end + context))
        start, size = end, min(most, 2 * size)
