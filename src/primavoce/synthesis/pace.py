"""How fast the model works, measured over whatever it speaks, so that nothing is begun that takes too long."""

import math

UNKNOWN_S_PER_PHONEME = 0.04
"""Seconds of work for a phoneme before anything was measured; a slow laptop's, segments being spoken whole."""
UNKNOWN_S_PER_AUDIO_S = 0.4
"""Seconds of work for a second of audio before anything was measured; on two cores it takes 0.3."""
REMEMBERED_S = 15.0
"""Seconds of audio after which a measure counts a third: long enough for segments of all lengths to be among them."""
REMEMBERED_PHONEMES = 200
"""The same in phonemes."""
MARGIN = 0.7
"""Share of the audio in hand that a segment's first sound may take, since the next estimate may be wrong."""


class Average:
    """What a moving average of all the work by all that it made comes to; pure.

    Args:
        guess: What it is taken for before anything was measured.
        remembered: How much is made until a measure counts a third.
    """

    def __init__(self, guess: float, *, remembered: float) -> None:
        self._guess = guess
        self._remembered = remembered
        self._amount = self._work_s = 0.0

    @property
    def measured(self) -> bool:
        """Whether anything was."""
        return self._amount > 0

    @property
    def value(self) -> float:
        """Seconds of work for one of what is made."""
        return self._work_s / self._amount if self.measured else self._guess

    def note(self, amount: float, work_s: float) -> None:
        """Note that ``work_s`` seconds of work made ``amount``; what measures nothing is ignored."""
        if amount <= 0 or work_s <= 0:
            return
        kept = math.exp(-amount / self._remembered)
        self._amount = self._amount * kept + amount
        self._work_s = self._work_s * kept + work_s


class Pace:
    """The model's measured speed; pure."""

    def __init__(self) -> None:
        self._per_phoneme = Average(UNKNOWN_S_PER_PHONEME, remembered=REMEMBERED_PHONEMES)
        self._per_part_s = Average(UNKNOWN_S_PER_AUDIO_S, remembered=REMEMBERED_S)
        self._per_audio_s = Average(UNKNOWN_S_PER_AUDIO_S, remembered=REMEMBERED_S)

    @property
    def s_per_audio_s(self) -> float | None:
        """Seconds of work for a second of audio, all of it: the real-time factor; None before anything was measured."""
        return self._per_audio_s.value if self._per_audio_s.measured else None

    def note_first(self, phonemes: int, work_s: float) -> None:
        """Note that the work up to the first part of a segment of ``phonemes`` took ``work_s`` seconds."""
        self._per_phoneme.note(phonemes, work_s)

    def note_part(self, audio_s: float, work_s: float) -> None:
        """Note that a part of ``audio_s`` seconds, made by itself, took ``work_s`` seconds."""
        self._per_part_s.note(audio_s, work_s)

    def note_segment(self, audio_s: float, work_s: float) -> None:
        """Note that ``audio_s`` seconds of audio took ``work_s`` seconds in all."""
        self._per_audio_s.note(audio_s, work_s)

    def first_s(self, phonemes: int) -> float:
        """Return how many seconds the work up to the first part of a segment of ``phonemes`` is likely to take."""
        return phonemes * self._per_phoneme.value

    def part_s(self, audio_s: float) -> float:
        """Return how many seconds a part of ``audio_s`` seconds, made by itself, is likely to take."""
        return audio_s * self._per_part_s.value

    def share_of(self, in_hand_s: float) -> float:
        """Return how many seconds of work may be done while ``in_hand_s`` seconds are heard, with a margin."""
        return max(0.0, in_hand_s) * MARGIN

    def phonemes_within(self, work_s: float) -> float:
        """Return how many phonemes a segment may have that is to be begun within ``work_s`` seconds."""
        return work_s / self._per_phoneme.value

    def audio_within(self, work_s: float) -> float:
        """Return how many seconds of audio a part may have that is to be made within ``work_s`` seconds."""
        return work_s / self._per_part_s.value
