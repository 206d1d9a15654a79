"""From 16-bit PCM to the format that was asked for, as it comes.

An encoder is fed whole samples in order and never sees the future: what comes back is what is certain by now. One that
compresses holds a little back; `flush` ends the stream and brings the rest.
"""

from typing import Protocol

import lameenc

from primavoce.audio.flac import with_length
from primavoce.audio.sound_file import SoundFileStream
from primavoce.audio.wav import HEADER_BYTES, header, streaming_header

OPUS_PAGE_S = 0.1
"""Seconds of audio in each Ogg page: libsndfile's own default of 1 s would be a second of waiting."""
MP3_KBIT_S = 64
"""Of one channel of speech: transparent, and what every player takes at each of our sample rates."""
MP3_QUALITY = 5
"""Of LAME, 0 the slowest and best, 9 the fastest: its own middle."""


class Encoder(Protocol):
    """Encodes one utterance."""

    @property
    def header_bytes(self) -> int:
        """Bytes at the beginning of what came so far that are no audio."""

    def push(self, pcm: bytes) -> bytes:
        """Take 16-bit little-endian mono PCM of whole samples, and return what is encoded by now; may be nothing."""

    def flush(self) -> bytes:
        """End the stream, and return what was held back."""


class Plain:
    """PCM as it is, after an optional header."""

    def __init__(self, header: bytes = b"") -> None:
        self._header = header
        self.header_bytes = len(header)

    def push(self, pcm: bytes) -> bytes:
        """Return ``pcm``, after the header if it is the first."""
        header, self._header = self._header, b""
        return header + pcm

    def flush(self) -> bytes:
        """Return the header if nothing was pushed."""
        return self.push(b"")


class Mp3:
    """MPEG layer III by LAME: frames of 24 to 72 ms, the first after a tenth of a second of audio at most.

    Args:
        sample_rate: Hertz.
    """

    header_bytes = 0

    def __init__(self, sample_rate: int) -> None:
        self._lame = lameenc.Encoder()
        self._lame.silence()
        self._lame.set_channels(1)
        self._lame.set_in_sample_rate(sample_rate)
        self._lame.set_out_sample_rate(sample_rate)
        self._lame.set_bit_rate(MP3_KBIT_S)
        self._lame.set_quality(MP3_QUALITY)
        self._begun = False

    def push(self, pcm: bytes) -> bytes:
        """Return the frames that are complete."""
        if not pcm:
            return b""
        self._begun = True
        return bytes(self._lame.encode(pcm))

    def flush(self) -> bytes:
        """Return the frames with the tail; nothing if there was no audio."""
        return bytes(self._lame.flush()) if self._begun else b""


def encoder_for(name: str, sample_rate: int) -> Encoder:
    """Return an encoder for one utterance.

    Args:
        name: A format of `primavoce.audio.formats.FORMATS`.
        sample_rate: Hertz; one that the format can have.

    Raises:
        KeyError: there is no such format.
    """
    match name:
        case "pcm":
            return Plain()
        case "wav":
            return Plain(streaming_header(sample_rate))
        case "mulaw":
            return SoundFileStream("RAW", "ULAW", sample_rate)
        case "alaw":
            return SoundFileStream("RAW", "ALAW", sample_rate)
        case "mp3":
            return Mp3(sample_rate)
        case "opus":
            return SoundFileStream("OGG", "OPUS", sample_rate, page_latency_s=OPUS_PAGE_S)
        case "flac":
            return SoundFileStream("FLAC", "PCM_16", sample_rate)
        case _:
            raise KeyError(name)


def with_true_length(name: str, data: bytes, *, samples: int, sample_rate: int) -> bytes:
    """Return an utterance that is encoded whole, telling its length where its format does.

    Args:
        name: A format of `primavoce.audio.formats.FORMATS`.
        data: All that its encoder gave.
        samples: How many it has.
        sample_rate: Hertz.
    """
    match name:
        case "wav":
            return header(2 * samples, sample_rate) + data[HEADER_BYTES:]
        case "flac" if data:
            return with_length(data, samples)
        case _:
            return data
