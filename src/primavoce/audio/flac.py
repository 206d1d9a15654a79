"""FLAC: where a stream says how long it is (RFC 9639, 8.2)."""

LENGTH_START, LENGTH_END = 18, 26
"""Bytes of the stream that have its rate, channels, width and, in the last 36 bits, the number of its samples."""


def with_length(flac: bytes, samples: int) -> bytes:
    """Return a stream, or its beginning, that left its length open, saying that it has so many ``samples``."""
    facts = int.from_bytes(flac[LENGTH_START:LENGTH_END]) | samples
    return flac[:LENGTH_START] + facts.to_bytes(8) + flac[LENGTH_END:]
