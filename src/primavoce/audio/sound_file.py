"""A sound file that is written while it is read: libsndfile's encoders, as a stream."""

from typing import Any

import numpy as np
import soundfile

OGG_PAGE_LATENCY_COMMAND = 0x1302
"""``SFC_SET_OGG_PAGE_LATENCY_MS`` of libsndfile's sndfile.h; the Python package has no name for it."""


class StreamedFile:
    """What libsndfile writes to: bytes are taken from it as they come.

    What it goes back for at the end, to set lengths that are known by then, is taken by nobody: in a stream they stay
    unknown, which all formats here allow.
    """

    def __init__(self) -> None:
        self._written = bytearray()
        self._position = 0
        self._taken = 0

    def write(self, data: bytes) -> int:
        """Write at the position."""
        end = self._position + len(data)
        # Only what isn't taken yet is kept.
        if end > self._taken:
            begin = max(self._position, self._taken) - self._taken
            fresh = bytes(data)[max(0, self._taken - self._position) :]
            self._written[begin : begin + len(fresh)] = fresh
        self._position = end
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move the position, and return it."""
        origin = {0: 0, 1: self._position, 2: self._taken + len(self._written)}[whence]
        self._position = origin + offset
        return self._position

    def tell(self) -> int:
        """Return the position."""
        return self._position

    def read(self, size: int = -1) -> bytes:
        """Return nothing: it is only written."""
        del size
        return b""

    def take(self) -> bytes:
        """Return what was written since this was last asked."""
        taken = bytes(self._written)
        self._taken += len(taken)
        self._written.clear()
        return taken


class SoundFileStream:
    """An encoder of libsndfile's.

    Args:
        container: libsndfile's name of the file's format.
        encoding: libsndfile's name of what is in it.
        sample_rate: Hertz.
        page_latency_s: Of an Ogg container: how much audio is collected before a page goes out.
    """

    def __init__(self, container: str, encoding: str, sample_rate: int, *, page_latency_s: float | None = None) -> None:
        self._layout = {"samplerate": sample_rate, "channels": 1, "format": container, "subtype": encoding}
        self._page_latency_s = page_latency_s
        self._stream = StreamedFile()
        self._file: Any = None
        self.header_bytes = 0
        """Bytes at the beginning of what came so far that are no audio."""

    def push(self, pcm: bytes) -> bytes:
        """Take 16-bit PCM of whole samples, and return what is encoded by now."""
        if not pcm:
            return b""
        samples = np.frombuffer(pcm, "<i2")
        if self._file is not None:
            self._file.write(samples)
            return self._stream.take()
        self._file = soundfile.SoundFile(self._stream, "w", **self._layout)
        if self._page_latency_s is not None:
            set_page_latency(self._file, self._page_latency_s)
        if self._layout["format"] == "RAW":
            self._file.write(samples)
            return self._stream.take()
        # A header is written with the first sample, which no encoder lets go by itself.
        self._file.write(samples[:1])
        head = self._stream.take()
        self.header_bytes = len(head)
        self._file.write(samples[1:])
        return head + self._stream.take()

    def flush(self) -> bytes:
        """End the file, and return what was held back; nothing if there was no audio."""
        if self._file is not None:
            self._file.close()
        return self._stream.take()


def set_page_latency(file: "soundfile.SoundFile", seconds: float) -> None:
    """Have an Ogg ``file`` write a page each so many seconds of audio.

    Raises:
        RuntimeError: this libsndfile is too old for that.
    """
    # The package has no public way to send a command.
    value, size = soundfile._ffi.new("double*", 1000 * seconds), soundfile._ffi.sizeof("double")  # noqa: SLF001
    if soundfile._snd.sf_command(file._file, OGG_PAGE_LATENCY_COMMAND, value, size):  # noqa: SLF001
        raise RuntimeError("this libsndfile can't send Ogg pages early")
