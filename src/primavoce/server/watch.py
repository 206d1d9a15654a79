"""One utterance, watched from its arrival to its end: what was sent of it, when, and how soon it is heard."""

from collections.abc import Callable

from primavoce.audio.loudness import SoundDetector
from primavoce.errors import PrimavoceError
from primavoce.protocol.options import SpeechOptions
from primavoce.server.records import UtteranceRecord
from primavoce.synthesis.playback import Playback
from primavoce.synthesis.segment import SpeechPart

LISTEN_S = 3.0
"""Seconds of an utterance's audio in which its first sound is looked for: what is silent for longer was asked to be."""


class Watch:
    """Watches one utterance.

    Args:
        options: How it is to sound.
        session: The session's id, if it belongs to one.
        request_id: Its own.
        arrived_at: When it arrived, on ``clock``.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        options: SpeechOptions,
        *,
        session: str | None,
        request_id: str | None,
        arrived_at: float,
        clock: Callable[[], float],
    ) -> None:
        self._options = options
        self._session = session
        self._request_id = request_id
        self._arrived_at = arrived_at
        self._clock = clock
        self._moments: dict[str, float] = {}
        self._detector = SoundDetector(options.sample_rate)
        self._playback = Playback()
        self._segments = 0
        self._work_s = 0.0
        self._first_audio_at: float | None = None
        self._first_sound_at: float | None = None
        self._last_audio_at: float | None = None

    def notice(self, moment: str) -> None:
        """Note that ``moment``, a `Moment`, has come; only its first time counts. May be called on any thread."""
        self._moments.setdefault(moment, self._clock())

    def sent(self, part: SpeechPart) -> None:
        """Note that ``part`` of its audio went out."""
        now = self._clock()
        self._last_audio_at = now
        if self._first_audio_at is None:
            self._first_audio_at = now
        self._listen(part, now)
        self._playback.hand_over(part.duration_s, now=now)
        self._segments += part.segment is not None
        self._work_s += part.work_s

    def _listen(self, part: SpeechPart, now: float) -> None:
        before_s = self._playback.handed_s
        if self._first_sound_at is None and before_s < LISTEN_S:
            most_bytes = 2 * round(LISTEN_S * self._options.sample_rate)
            into_s = self._detector.push(part.pcm[:most_bytes])
            if into_s is not None:
                # The part begins to be heard when what came before it was, or when it comes, whichever is later.
                begins_at = now + max(0.0, self._playback.in_hand_s(now))
                self._first_sound_at = begins_at + max(0.0, into_s - before_s)

    def record(self, outcome: str, *, characters: int, error: PrimavoceError | None = None) -> UtteranceRecord:
        """Return what is known of it, now that it has ended by ``outcome``."""
        return UtteranceRecord(
            session=self._session,
            request_id=self._request_id,
            voice=self._options.voice.name,
            language=self._options.language,
            outcome=outcome,
            code=None if error is None else error.code,
            characters=characters,
            segments=self._segments,
            audio_s=self._playback.handed_s,
            work_s=self._work_s,
            dry_s=self._playback.dry_s,
            arrived_at=self._arrived_at,
            ended_at=self._clock(),
            moments=dict(self._moments),
            first_audio_at=self._first_audio_at,
            first_sound_at=self._first_sound_at,
            last_audio_at=self._last_audio_at,
        )
