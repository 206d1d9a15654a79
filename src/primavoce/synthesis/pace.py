"""How fast the model works, measured over whatever it speaks, so that nothing is begun that takes too long."""

UNKNOWN_S_PER_PHONEME = 0.04
"""Seconds of work for a phoneme before anything was measured; a slow laptop's, segments being spoken whole."""
UNKNOWN_S_PER_AUDIO_S = 0.4
"""Seconds of work for a second of audio before anything was measured; on two cores it takes 0.3."""
WEIGHT = 0.3
"""Share of the newest measure in a moving average."""
MARGIN = 0.7
"""Share of the audio in hand that a segment's first sound may take, since the next estimate may be wrong."""


class Average:
    """A moving average of a rate; pure.

    Args:
        guess: What it is taken for before anything was measured.
    """

    def __init__(self, guess: float) -> None:
        self.value = guess
        self.measured = False

    def note(self, amount: float, work_s: float) -> None:
        """Note that ``work_s`` seconds of work made ``amount``; what measures nothing is ignored."""
        if amount <= 0 or work_s <= 0:
            return
        self.value += (work_s / amount - self.value) * (WEIGHT if self.measured else 1.0)
        self.measured = True


class Pace:
    """The model's measured speed; pure."""

    def __init__(self) -> None:
        self._per_phoneme = Average(UNKNOWN_S_PER_PHONEME)
        self._per_part_s = Average(UNKNOWN_S_PER_AUDIO_S)
        self._per_audio_s = Average(UNKNOWN_S_PER_AUDIO_S)

    @property
    def s_per_audio_s(self) -> float | None:
        """Seconds of work for a second of audio, all of it: the real-time factor; None before anything was measured."""
        return self._per_audio_s.value if self._per_audio_s.measured else None

    def note_first(self, phonemes: int, work_s: float) -> None:
        """Note that the longest job up to the first sound of a segment of ``phonemes`` took ``work_s`` seconds."""
        self._per_phoneme.note(phonemes, work_s)

    def note_part(self, audio_s: float, work_s: float) -> None:
        """Note that a part of ``audio_s`` seconds, made by itself, took ``work_s`` seconds."""
        self._per_part_s.note(audio_s, work_s)

    def note_segment(self, audio_s: float, work_s: float) -> None:
        """Note that ``audio_s`` seconds of audio took ``work_s`` seconds in all."""
        self._per_audio_s.note(audio_s, work_s)

    def share_of(self, in_hand_s: float) -> float:
        """Return how many seconds of work may be done while ``in_hand_s`` seconds are heard, with a margin."""
        return max(0.0, in_hand_s) * MARGIN

    def phonemes_within(self, work_s: float) -> float:
        """Return how many phonemes a segment may have that is to be begun within ``work_s`` seconds."""
        return work_s / self._per_phoneme.value

    def audio_within(self, work_s: float) -> float:
        """Return how many seconds of audio a part may have that is to be made within ``work_s`` seconds."""
        return work_s / self._per_part_s.value
