"""The formats that audio is sent in: what each is called, and which sample rates it can have. Light: no encoder."""

from collections.abc import Mapping
from dataclasses import dataclass

ALL_RATES = (8000, 16000, 22050, 24000, 44100, 48000)
"""Hertz that speech is offered at."""
TELEPHONE_RATES = (8000,)
"""Of G.711."""
OPUS_RATES = (8000, 16000, 24000, 48000)
"""Of those that Opus is defined for (RFC 6716, section 2), the ones that are offered."""


@dataclass(frozen=True, slots=True)
class AudioFormat:
    """One of them."""

    name: str
    """On the wire."""
    media_type: str
    rates: tuple[int, ...] = ALL_RATES
    """Sample rates that it can have, hertz."""
    sample_width: int = 2
    """Bytes of each sample that a player gets; of what is compressed, once it is decoded."""
    sends_samples: bool = True
    """Whether its bytes are samples, which may be cut anywhere between two of them."""


FORMATS: Mapping[str, AudioFormat] = {
    each.name: each
    for each in (
        AudioFormat("pcm", "audio/pcm"),
        AudioFormat("wav", "audio/wav"),
        AudioFormat("mulaw", "audio/basic", TELEPHONE_RATES, 1),
        AudioFormat("alaw", "audio/x-alaw-basic", TELEPHONE_RATES, 1),
        AudioFormat("mp3", "audio/mpeg", sends_samples=False),
        AudioFormat("opus", "audio/ogg", OPUS_RATES, sends_samples=False),
        AudioFormat("flac", "audio/flac", sends_samples=False),
    )
}
"""By their names."""
