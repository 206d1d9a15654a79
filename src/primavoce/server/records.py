"""What is known of an utterance once it has ended, without a word of its text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

SESSION_OUTCOMES = ("closed", "idle", "draining", "limit", "dropped", "gone", "refused", "failed")
"""How a session may end: by the reason that its client was told; because a reader took nothing (dropped) or left
without a word (gone); before it began (refused); by a fault of ours (failed)."""
UTTERANCE_OUTCOMES = ("complete", "cancelled", "error", "dropped", "gone", "failed")
"""How an utterance may end: as the protocol says, or with its session."""


class Moment(StrEnum):
    """What happens to an utterance until its first audio is there, in this order."""

    BEGUN = "begun"
    """Its turn has come."""
    SENTENCE = "sentence"
    """A first sentence is certain."""
    PHONEMES = "phonemes"
    """A first sentence is read and pronounced."""
    PROSODY = "prosody"
    """How long each of a first segment's phonemes lasts is known."""
    WINDOW = "window"
    """A first piece of audio is made."""


@dataclass(frozen=True, slots=True)
class UtteranceRecord:
    """An utterance that has ended."""

    session: str | None
    """The session's id; None for a request over HTTP."""
    request_id: str | None
    """The client's, or ours; None for a request over HTTP without one."""
    voice: str
    """The canonical name of a voice or blend."""
    language: str
    """A wire tag."""
    outcome: str
    """One of `UTTERANCE_OUTCOMES`."""
    code: str | None
    """The code of the error that ended it, if one did."""
    characters: int
    segments: int
    """Segments whose audio began."""
    audio_s: float
    """Seconds of audio that were sent."""
    work_s: float
    """Seconds that the model worked for them."""
    dry_s: float
    """Seconds that a listener waited for more, had it been played as it was sent; for text that came late, too."""
    arrived_at: float
    """Seconds on the server's monotonic clock."""
    ended_at: float
    moments: Mapping[str, float] = field(default_factory=dict)
    """When each `Moment` came first, as far as it did, on that clock."""
    first_audio_at: float | None = None
    first_sound_at: float | None = None
    """When a listener heard the first audible sample, had the audio been played as it was sent."""
    last_audio_at: float | None = None

    @property
    def queued_s(self) -> float | None:
        """Seconds from its arrival to its turn; None if that never came."""
        return self._since_arrival(self.moments.get(Moment.BEGUN))

    @property
    def time_to_first_audio_s(self) -> float | None:
        """Seconds from its arrival to its first audio; None if there was none."""
        return self._since_arrival(self.first_audio_at)

    @property
    def time_to_first_sound_s(self) -> float | None:
        """Seconds from its arrival to its first audible sample; None if there was none."""
        return self._since_arrival(self.first_sound_at)

    @property
    def real_time_factor(self) -> float | None:
        """Work for a second of audio; None without audio."""
        return self.work_s / self.audio_s if self.audio_s else None

    def _since_arrival(self, moment: float | None) -> float | None:
        return None if moment is None else moment - self.arrived_at
