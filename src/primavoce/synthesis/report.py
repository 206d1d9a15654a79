"""What an engine knows of itself, for whoever watches it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ModelReport:
    """What a model knows of itself, and has done since it was loaded."""

    digest: str
    """SHA-256 of the published weights; empty for a model that has none."""
    device: str
    """Where it runs: ``cpu`` or ``cuda``."""
    provider: str
    """The run time's name for what runs it, such as ``CPUExecutionProvider``."""
    segments: Mapping[str, int] = field(default_factory=dict)
    """Segments by the way that they were made: ``stream`` (in windows), or why whole: ``short``, ``far``, ``asked``,
    ``voice``."""
    parts: int = 0
    """Pieces of audio that were made: windows, and segments whole."""
    phrase_hits: int = 0
    """Segments that were remembered, and so not made."""
    phrase_misses: int = 0
    """Segments that weren't."""
    phrase_bytes: int = 0
    """Bytes of audio that are remembered."""
    checks: int = 0
    """Segments in windows that were compared with their whole run."""
    worst_check_db: float = 0.0
    """Log-mel distance of the worst of them."""


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What an engine knows of itself, now."""

    model: ModelReport | None
    """None until it is loaded."""
    real_time_factor: float | None
    """Seconds of work for a second of audio, a moving average; None before anything was measured."""
    capacity: int | None
    """How many utterances can be spoken at a time without a gap; None before anything was measured."""
    speaking: int
    """Utterances that need the model, or will before their listener has heard everything."""
    underruns: int
    """Gaps in what listeners heard, had they played it as it came: predicted, for nobody sees them play."""
    dry_s: float
    """Seconds of such gaps, all together."""
    busy_s: float
    """Seconds that the model's thread has worked."""
