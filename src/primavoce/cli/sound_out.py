"""Where ``primavoce say`` sends its audio: a file, standard output, or the loudspeakers."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

import anyio
import anyio.to_thread

from primavoce.audio.flac import LENGTH_END, LENGTH_START, with_length
from primavoce.audio.formats import FORMATS
from primavoce.audio.rewriting import beginning
from primavoce.audio.wav import WavWriter
from primavoce.errors import InvalidSetting, UnsupportedFormat
from primavoce.protocol.options import DEFAULT_SAMPLE_RATE

if TYPE_CHECKING:
    from primavoce.client.player import Player

SUFFIXES = {
    ".pcm": "pcm",
    ".raw": "pcm",
    ".wav": "wav",
    ".mp3": "mp3",
    ".opus": "opus",
    ".ogg": "opus",
    ".oga": "opus",
    ".flac": "flac",
    ".mulaw": "mulaw",
    ".ulaw": "mulaw",
    ".ul": "mulaw",
    ".alaw": "alaw",
    ".al": "alaw",
}
"""What the ends of files' names mean; any other, or none, is a WAV."""


class Sink(Protocol):
    """Takes audio."""

    async def write(self, audio: bytes) -> None:
        """Take the next of it."""

    def tell_length(self, seconds: float) -> None:
        """Say how long all of it is."""


def format_of(asked: str | None, out: str) -> str:
    """Return the format that was ``asked`` for, or that the name of the file says.

    Raises:
        UnsupportedFormat: there is none of that name.
    """
    chosen = asked or SUFFIXES.get(Path(out).suffix.lower(), "wav")
    if chosen not in FORMATS:
        raise UnsupportedFormat(tuple(FORMATS))
    return chosen


def format_on_the_way(chosen: str) -> str:
    """Return the format in which audio must come to a file of the ``chosen`` one: a WAV's header is ours to write."""
    return "pcm" if chosen == "wav" else chosen


@asynccontextmanager
async def opened_file(out: str, audio_format: str, sample_rate: int) -> AsyncIterator[Sink]:
    """Open a file, or standard output as ``-``, for audio that is as `format_on_the_way` says.

    Where the file can seek, what it says of its length is true in the end.

    Raises:
        InvalidSetting: it can't be written.
    """
    with _open(out) as file:
        sink = FileSink(file, audio_format, sample_rate)
        yield sink
        await anyio.to_thread.run_sync(sink.close)


def loudspeakers() -> AbstractAsyncContextManager[Sink]:
    """Return the loudspeakers, for PCM at 24 kHz; whether there are any is seen at once.

    Raises:
        ExtraMissing: what plays isn't installed.
        InvalidSetting: there are none.
    """
    from primavoce.client.player import Player

    return _playing(Player(DEFAULT_SAMPLE_RATE))


@asynccontextmanager
async def _playing(player: "Player") -> AsyncIterator[Sink]:
    async with player:
        yield PlayerSink(player.play)


class FileSink:
    """Writes a file of any format.

    Args:
        file: Open for writing.
        audio_format: Of `primavoce.audio.formats.FORMATS`.
        sample_rate: Hertz.
    """

    def __init__(self, file: BinaryIO, audio_format: str, sample_rate: int) -> None:
        self._file = file
        self._rate = sample_rate
        self._wav = WavWriter(file, sample_rate) if audio_format == "wav" else None
        # A WAV's writer sees to its own.
        self._begins_at = beginning(file) if audio_format == "flac" else None
        self._head = b""
        self._samples = 0

    async def write(self, audio: bytes) -> None:
        """Write the next of it; what reads the other end has it at once."""
        await anyio.to_thread.run_sync(self._write, audio)

    def tell_length(self, seconds: float) -> None:
        """Say how long all of it is."""
        self._samples = round(seconds * self._rate)

    def close(self) -> None:
        """Set lengths right, if that can be done; the file itself stays open."""
        if self._wav is not None:
            self._wav.close()
        elif self._begins_at is not None and self._samples and len(self._head) >= LENGTH_END:
            self._file.seek(self._begins_at + LENGTH_START)
            self._file.write(with_length(self._head, self._samples)[LENGTH_START:LENGTH_END])
            self._file.seek(0, os.SEEK_END)
        self._file.flush()

    def _write(self, audio: bytes) -> None:
        self._head += audio[: LENGTH_END - len(self._head)]
        if self._wav is not None:
            self._wav.write(audio)
        else:
            self._file.write(audio)
        self._file.flush()


class Play(Protocol):
    """Plays PCM."""

    async def __call__(self, pcm: bytes) -> None:
        """Play the next of it."""


class PlayerSink:
    """Plays what it gets.

    Args:
        play: Plays PCM.
    """

    def __init__(self, play: Play) -> None:
        self._play = play

    async def write(self, audio: bytes) -> None:
        """Play the next of it."""
        await self._play(audio)

    def tell_length(self, seconds: float) -> None:
        """Do nothing: it ends when it ends."""


def _open(out: str) -> BinaryIO:
    if out != "-":
        try:
            return Path(out).open("wb")
        except OSError as error:
            raise InvalidSetting("--out", f"can't write {out}: {error.strerror}") from error
    # Audio gets a descriptor of its own and 1 becomes standard error: whatever a library prints, it can't fall
    # into the audio.
    if sys.stdout is None:
        raise InvalidSetting("--out", "standard output is closed")
    sys.stdout.flush()
    audio = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(audio, "wb")
