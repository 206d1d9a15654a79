"""What a fetch says while it goes on."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a fetch is."""

    asset: str
    """What is being fetched: ``the weights``, ``54 voices``, or one file's name."""
    done_bytes: int
    """Bytes that are verified and in the cache."""
    total_bytes: int
    """Bytes that there will be."""
    note: str
    """What is going on, in words."""


Report = Callable[[Progress], None]
"""Takes each `Progress` as it comes, in the thread that fetches."""
