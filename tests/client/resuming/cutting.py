"""Links that are cut, and what was said of what was heard."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager

import anyio
import numpy as np

from primavoce.client.link import Opener, SessionLink
from primavoce.errors import SessionBroken
from primavoce.phonemes.alphabet import SYMBOLS
from primavoce.testing.fake_engine import SECONDS_PER_PHONEME

RATE = 24_000
NAMES = {number: symbol if symbol.isalpha() else "" for symbol, number in SYMBOLS.items()}
LETTER = int(SECONDS_PER_PHONEME * RATE)
WINDOW, HOP = 600, 60
"""Samples: what is looked at at a time, and how far on it goes."""


class CutLink:
    """A link that breaks off when so much audio, or so many frames, have come.

    Args:
        link: What is cut.
        after_bytes: Of audio; what comes over is let through up to there, whole samples.
        after_frames: Of any kind.
    """

    typed = True

    def __init__(self, link: SessionLink, after_bytes: int | None, after_frames: int | None = None) -> None:
        self._link = link
        self._left = after_bytes
        self._frames_left = after_frames

    async def send(self, frame: str) -> None:
        await self._link.send(frame)

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        async for frame in self._link:
            if self._frames_left is not None:
                self._frames_left -= 1
                if self._frames_left < 0:
                    raise SessionBroken("cut")
            if self._left is None or isinstance(frame, str):
                yield frame
                continue
            kept = frame[: self._left // 2 * 2]
            if kept:
                yield kept
            self._left -= len(frame)
            if self._left <= 0:
                raise SessionBroken("cut")


def cut(opener: Opener, after_bytes: Sequence[int | None], *, on_open: Callable[[], None] = lambda: None) -> Opener:
    """Return an opener whose links are cut, one after another; further ones aren't."""
    cuts = list(after_bytes)

    @asynccontextmanager
    async def open_link() -> AsyncIterator[SessionLink]:
        on_open()
        after = cuts.pop(0) if cuts else None
        async with opener() as link:
            yield CutLink(link, after)

    return open_link


def cut_at_frame(opener: Opener, after_frames: int) -> Opener:
    """Return an opener whose first link is cut after so many frames, of whatever kind."""
    cuts: list[int | None] = [after_frames]

    @asynccontextmanager
    async def open_link() -> AsyncIterator[SessionLink]:
        after = cuts.pop() if cuts else None
        async with opener() as link:
            yield CutLink(link, None, after)

    return open_link


class WatchedLink:
    """A link of which a test is told what comes.

    Args:
        link: What is watched.
        on_frame: Called with each frame before whoever reads gets it.
    """

    typed = True

    def __init__(self, link: SessionLink, on_frame: Callable[[str | bytes], None]) -> None:
        self._link = link
        self._on_frame = on_frame

    async def send(self, frame: str) -> None:
        await self._link.send(frame)

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        async for frame in self._link:
            self._on_frame(frame)
            yield frame


def watched(opener: Opener, on_frame: Callable[[str | bytes], None]) -> Opener:
    """Return an opener of links of which ``on_frame`` is told what comes."""

    @asynccontextmanager
    async def open_link() -> AsyncIterator[SessionLink]:
        async with opener() as link:
            yield WatchedLink(link, on_frame)

    return open_link


def letters(pcm: bytes) -> str:
    """Return the letters that the humming model has hummed, by their pitches and how long they last; marks left out.

    Where sound was joined, a letter may have a jump in it, and less of a mark may be left.
    """
    samples = np.frombuffer(pcm, dtype="<i2").astype(float)
    if len(samples) < WINDOW:
        return ""
    runs: list[list[int]] = []  # symbols, and their first and last windows
    for place, number in tones(samples):
        if runs and runs[-1][0] == number and place - runs[-1][2] <= WINDOW // HOP:
            runs[-1][2] = place
        else:
            runs.append([number, place, place])
    joined: list[list[int]] = []
    for number, first, last in (run for run in runs if run[2] > run[1] + 1):  # others are between two symbols
        if joined and joined[-1][0] == number and first - joined[-1][2] <= WINDOW // HOP + 2:
            joined[-1][2] = last
        else:
            joined.append([number, first, last])
    return "".join(
        NAMES.get(number, "") * round(((last - first) * HOP + WINDOW) / LETTER) for number, first, last in joined
    )


def tones(samples: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield the windows in which one symbol alone is hummed, and its number."""
    windows = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP]
    shape = np.hanning(WINDOW)
    spectra = np.abs(np.fft.rfft(windows * shape, 1 << 13))
    peaks = spectra.argmax(axis=1)
    power = np.sum((windows * shape) ** 2, axis=1)
    pure = 2 * spectra.max(axis=1) ** 2 * np.sum(shape**2) / (np.sum(shape) ** 2 * power + 1e-9)
    for place in np.flatnonzero((pure > 0.95) & (np.abs(windows).max(axis=1) > 40)):
        yield int(place), round((peaks[place] * RATE / (1 << 13) - 150) / 4)


async def until(holds: Callable[[], object], *, within_s: float = 5.0) -> None:
    """Wait until ``holds`` is true of what has no event to wait for."""
    with anyio.fail_after(within_s):
        while not holds():  # noqa: ASYNC110
            await anyio.sleep(0.01)
