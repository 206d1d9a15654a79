"""What an utterance is spoken with: how it is to sound, and what it shares with all others."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from primavoce.normalize.options import DEFAULT_READING, ReadingOptions
from primavoce.synthesis.checks import Checks
from primavoce.synthesis.scheduler import Scheduler
from primavoce.synthesis.segment import G2P, AcousticModel, StyleSource
from primavoce.synthesis.worker import Worker
from primavoce.text.segments import DEFAULT_POLICY, SegmentPolicy
from primavoce.voices.blend import Blend

ADMISSION_PATIENCE_S = 1.0


type Moment = Literal["phonemes", "prosody", "window"]
"""A sentence was read and pronounced; a segment was begun; the first part of a segment was made."""
type Notice = Callable[[Moment], None]
"""Told of moments as they are reached, of each sentence and segment; must neither block nor raise."""


def notice_nothing(_: Moment) -> None:
    """Take no notice."""


@dataclass(frozen=True, slots=True)
class Voicing:
    """How an utterance is to sound."""

    voice: Blend
    language: str
    speed: float
    sample_rate: int
    """Hertz, of the PCM that comes out."""
    reading: ReadingOptions = DEFAULT_READING
    """What to read otherwise, and how names are said."""
    owner: str = ""
    """Whose text it is: phrases that are remembered for one are never told another."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What all utterances share."""

    model: AcousticModel
    g2p: G2P
    styles: StyleSource
    inference: Worker
    phonemes: Worker
    scheduler: Scheduler
    policy: SegmentPolicy = DEFAULT_POLICY
    patience_s: float = ADMISSION_PATIENCE_S
    """Seconds that an utterance waits for others to end when it would make them run dry."""
    checks: Checks = field(default_factory=Checks)
    clock: Callable[[], float] = time.perf_counter
