"""WAV: a header, and PCM after it."""

import struct
from typing import BinaryIO

from primavoce.audio.rewriting import beginning

UNKNOWN_SIZE = 0xFFFFFFFF
"""What a streaming header says where a size belongs; players read on until the end."""
HEADER_BYTES = 44


def header(data_bytes: int, sample_rate: int, *, channels: int = 1, sample_width: int = 2) -> bytes:
    """Return the header of a WAV with ``data_bytes`` of PCM.

    Args:
        data_bytes: Bytes of PCM that follow; what doesn't fit into 32 bits is given as `UNKNOWN_SIZE`.
        sample_rate: Hertz.
        channels: Interleaved.
        sample_width: Bytes a sample.
    """
    block = channels * sample_width
    riff_bytes = data_bytes + HEADER_BYTES - 8
    sizes = (riff_bytes, data_bytes) if riff_bytes < UNKNOWN_SIZE else (UNKNOWN_SIZE, UNKNOWN_SIZE)
    return struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        sizes[0],
        b"WAVE",
        b"fmt ",
        16,
        1,
        channels,
        sample_rate,
        sample_rate * block,
        block,
        sample_width * 8,
        b"data",
        sizes[1],
    )


def streaming_header(sample_rate: int, *, channels: int = 1, sample_width: int = 2) -> bytes:
    """Return the header of a WAV whose length isn't known yet."""
    return header(UNKNOWN_SIZE, sample_rate, channels=channels, sample_width=sample_width)


class WavWriter:
    """Writes 16-bit mono PCM as WAV, as it comes.

    Args:
        file: Open for writing, from where it stands; if one can go back in it, sizes are set right at the end, and else
            stay unknown.
        sample_rate: Hertz.
    """

    def __init__(self, file: BinaryIO, sample_rate: int) -> None:
        self._file = file
        self._rate = sample_rate
        self._data_bytes = 0
        self._begins_at = beginning(file)
        self._file.write(streaming_header(sample_rate))

    def write(self, pcm: bytes) -> None:
        """Append ``pcm``."""
        self._file.write(pcm)
        self._data_bytes += len(pcm)

    def close(self) -> None:
        """Set the sizes right, if that can be done; the file itself stays open."""
        if self._begins_at is not None:
            self._file.seek(self._begins_at)
            self._file.write(header(self._data_bytes, self._rate))
            self._file.seek(0, 2)
        self._file.flush()
