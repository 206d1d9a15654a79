"""The beginning of a message, without the message."""

import binascii
import struct


def prelude(payload_bytes: int, headers_bytes: int) -> bytes:
    """Return what says that a message of such lengths comes."""
    lengths = struct.pack(">II", 16 + headers_bytes + payload_bytes, headers_bytes)
    return lengths + struct.pack(">I", binascii.crc32(lengths))
