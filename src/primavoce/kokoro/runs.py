"""Runs of the generator: what each is fed, and how those of one kind become one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from primavoce.kokoro.graph import names

type Floats = NDArray[np.float32]
type Feed = dict[str, NDArray[np.generic]]
type Kind = tuple[int, ...]

SOURCE_FRAMES = 60
"""Frames of the harmonic source, and of the spectrum, for each of the generator's."""
SHARED = frozenset({names.OWN, names.DROPPED})
"""What is told for a whole batch; all else has one entry for each of it."""


@dataclass(slots=True, eq=False)
class Run:
    """One run of the generator: a window, or a share of one."""

    feed: Feed
    """By the inputs' names, a batch of one."""
    kept: slice
    """Which of the spectrum's frames are the window's own."""
    spectrum: Floats | None = None
    """(22, frames): what came of it; None until it was made."""

    @property
    def kind(self) -> Kind:
        """What must be the same for two to be made as one: the shape, and what is dropped."""
        return (self.frames, *self.feed[names.DROPPED].tolist())

    @property
    def frames(self) -> int:
        """How many frames it reads."""
        return int(self.feed[names.FRAMES].shape[2])

    def take(self, spectrum: Floats) -> None:
        """Take what the generator made, shape (22, frames); a copy, for the memory may be used for the next run."""
        self.spectrum = spectrum[:, self.kept].copy()


def stacked(feeds: Sequence[Feed]) -> Feed:
    """Return feeds of one kind as one."""
    return {
        name: value if name in SHARED else np.concatenate([feed[name] for feed in feeds])
        for name, value in feeds[0].items()
    }


def padded_to(count: int, feed: Feed) -> Feed:
    """Return a feed of ``count`` entries, whose last is there again and again as often as it takes."""
    missing = count - len(feed[names.FRAMES])
    if not missing:
        return feed
    return {
        name: value if name in SHARED else np.concatenate([value, *[value[-1:]] * missing])
        for name, value in feed.items()
    }
