"""Links that are cut, and what was said of what was heard."""

from collections.abc import AsyncIterator, Callable, Sequence
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


def letters(pcm: bytes) -> str:
    """Return the letters that the humming model has hummed, by their pitches; marks, and what is unclear, left out."""
    samples = np.frombuffer(pcm, dtype="<i2").astype(float)
    found = []
    at = 0
    while at + LETTER <= len(samples):
        block = samples[at : at + LETTER]
        loud = np.flatnonzero(np.abs(block) > 40)
        if not len(loud):
            at += LETTER
            continue
        if loud[0] > 20:  # silence, and then a letter begins
            at += int(loud[0]) - 10
            continue
        spectrum = np.abs(np.fft.rfft(block * np.hanning(LETTER), 1 << 16))
        found.append(round((int(np.argmax(spectrum)) * RATE / (1 << 16) - 150) / 4))
        at += LETTER
    return "".join(NAMES.get(number, "") for number in found)


async def until(holds: Callable[[], object], *, within_s: float = 5.0) -> None:
    """Wait until ``holds`` is true of what has no event to wait for."""
    with anyio.fail_after(within_s):
        while not holds():  # noqa: ASYNC110
            await anyio.sleep(0.01)
