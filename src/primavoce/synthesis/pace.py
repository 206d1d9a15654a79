"""How fast the model works, so that a segment isn't longer than the audio in hand pays for."""

UNKNOWN_S_PER_PHONEME = 0.04
"""Seconds of work a phoneme before anything was measured; a slow laptop's."""
WEIGHT = 0.3
"""Share of the newest segment in the moving average."""
MARGIN = 0.7
"""Share of the audio in hand that a segment's work may take, since the next estimate may be wrong."""


class Pace:
    """The model's measured speed, over whatever it speaks; pure."""

    def __init__(self) -> None:
        self._s_per_phoneme = UNKNOWN_S_PER_PHONEME
        self._measured = False

    def note(self, phonemes: int, work_s: float) -> None:
        """Note that a segment of ``phonemes`` took ``work_s`` seconds of work."""
        if phonemes < 1 or work_s <= 0:
            return
        newest = work_s / phonemes
        self._s_per_phoneme += (newest - self._s_per_phoneme) * (WEIGHT if self._measured else 1.0)
        self._measured = True

    def affordable(self, in_hand_s: float) -> int:
        """Return how many phonemes can be spoken before ``in_hand_s`` seconds of audio are heard."""
        return int(max(0.0, in_hand_s) * MARGIN / self._s_per_phoneme)
