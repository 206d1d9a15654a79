"""What a listener makes of the bytes that have come: whether anything can be heard yet, and all of it as samples."""

import io
from collections.abc import Iterable
from itertools import accumulate

import numpy as np
import soundfile

from primavoce.audio.pcm import from_pcm
from primavoce.audio.wav import HEADER_BYTES
from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.quality_group import load
from primavoce.errors import SynthesisFailed
from primavoce.synthesis.segment import Samples

CONTAINERS = {"mp3": "mp3", "opus": "ogg", "flac": "flac", "aac": "aac"}
"""FFmpeg's names of what the formats come in."""


def can_be_heard(audio_format: str, received: bytes) -> bool:
    """Say whether a decoder returns a sample of ``received``, the beginning of a stream.

    Raises:
        InvalidSetting: the format is AAC, and PyAV isn't installed.
    """
    if audio_format == "pcm":
        return len(received) >= 2
    if audio_format == "aac":
        return bool(_decode(audio_format, received).size)
    try:
        with soundfile.SoundFile(io.BytesIO(received)) as file:
            return bool(file.read(1).size)
    except soundfile.LibsndfileError:
        return False  # there is no whole header yet, or no whole frame


def first_heard(audio_format: str, pieces: Iterable[bytes]) -> int:
    """Return which of ``pieces``, counted from 0, is the first with which something can be heard.

    Raises:
        SynthesisFailed: there is nothing to hear in all of them.
        InvalidSetting: the format is AAC, and PyAV isn't installed.
    """
    seen = 0
    for place, received in enumerate(accumulate(pieces)):
        if len(received) > seen and can_be_heard(audio_format, received):
            return place
        seen = len(received)
    raise SynthesisFailed


def decode(audio_format: str, received: bytes) -> Samples:
    """Return all samples of a stream, at `primavoce.bench.hearing.SAMPLE_RATE`.

    Raises:
        InvalidSetting: a decoder is needed, and PyAV isn't installed.
    """
    if audio_format == "pcm":
        return from_pcm(received)
    if audio_format == "wav":
        return from_pcm(received[HEADER_BYTES:])
    return _decode(audio_format, received)


def _decode(audio_format: str, received: bytes) -> Samples:
    av = load("av", wanted_for=f"decoding {audio_format}")
    resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)
    decoded: list[Samples] = [np.zeros(0, np.float32)]
    try:
        with av.open(io.BytesIO(received), format=CONTAINERS[audio_format]) as container:
            for frame in container.decode(audio=0):
                decoded += [part.to_ndarray().reshape(-1) for part in resampler.resample(frame)]
        decoded += [part.to_ndarray().reshape(-1) for part in resampler.resample(None)]
    except (av.FFmpegError, EOFError):
        pass  # a stream that isn't over ends where it ends
    return np.concatenate(decoded)
