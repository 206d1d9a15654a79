"""How long speech of a text lasts: as any speech does at first, then as this server's own.

Speech takes 0.05 to 0.08 s a character, as the voice is: a server that loses half of a text may still be within what
others take. It isn't within what the same one took a moment before.
"""

from dataclasses import dataclass
from typing import Self

from primavoce.client.verification.conversation import CheckFailed

FEWEST_S_PER_CHARACTER, MOST_S_PER_CHARACTER = 0.03, 0.20
"""Twice as fast or three times as slow as speech is no speech of this text."""
ASTRAY = 0.35
"""Share by which texts of one voice differ in pace: pauses, and letters that nobody hears."""
SAME_WORDS_ASTRAY = 0.20
"""Share by which the same words differ when they are spoken again."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a server speaks."""

    s_per_character: float

    @classmethod
    def of(cls, audio_s: float, text: str) -> Self:
        """Return the pace of ``text``, the first that is heard of a server.

        Raises:
            CheckFailed: no speech of it lasts ``audio_s`` seconds.
        """
        s_per_character = audio_s / len(text)
        if not FEWEST_S_PER_CHARACTER <= s_per_character <= MOST_S_PER_CHARACTER:
            raise CheckFailed(f"{audio_s:.2f} s of audio for {len(text)} characters")
        return cls(s_per_character)

    def takes_s(self, text: str) -> float:
        """Return about how many seconds ``text`` takes."""
        return len(text) * self.s_per_character

    def least_s(self, text: str) -> float:
        """Return how many seconds ``text`` takes at least."""
        return (1 - ASTRAY) * self.takes_s(text)

    def check(self, audio_s: float, text: str) -> str:
        """See that ``audio_s`` seconds are speech of ``text``, whole and alone, and tell it.

        Raises:
            CheckFailed: they are more or less.
        """
        expected_s = self.takes_s(text)
        if abs(audio_s - expected_s) > ASTRAY * expected_s:
            raise CheckFailed(
                f"{audio_s:.2f} s of audio for {len(text)} characters, which take {expected_s:.2f} s at the pace of "
                "the first sentence"
            )
        return f"{audio_s:.2f} s for {len(text)} characters"


def check_same_words(audio_s: float, whole_s: float) -> None:
    """See that words in deltas are as many as in one piece, by how long both last.

    Raises:
        CheckFailed: some are lost, or said twice.
    """
    if abs(audio_s - whole_s) > SAME_WORDS_ASTRAY * whole_s:
        raise CheckFailed(f"{audio_s:.2f} s of audio in deltas, where the same words in one piece took {whole_s:.2f} s")
