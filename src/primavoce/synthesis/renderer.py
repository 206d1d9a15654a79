"""From the model's samples to an utterance's PCM: silence trimmed, pauses set, sample rate changed.

Pure; it is fed in order, part by part, and never looks back further than it holds.
"""

import numpy as np

from primavoce.audio.pcm import to_pcm
from primavoce.audio.resample import Resampler
from primavoce.audio.silence import SilenceTrimmer, silence
from primavoce.synthesis.segment import Samples


class Renderer:
    """Renders one utterance.

    Args:
        model_rate: Hertz of the samples that are pushed.
        sample_rate: Hertz of the PCM that is returned.
    """

    def __init__(self, *, model_rate: int, sample_rate: int) -> None:
        self._model_rate = model_rate
        self._resampler = Resampler(model_rate, sample_rate)
        self._trimmer = SilenceTrimmer(model_rate)
        self._lead = np.zeros(0, np.float32)
        self._begun = False
        self._pushed = 0
        self._rendered = 0  # samples at the model's rate
        self.origin_s = 0.0
        """Seconds into the utterance at which the segment in hand would have begun, had nothing of it been trimmed.

        Known once the first of its sound was returned."""
        self.sound_begins_s = 0.0
        """Seconds into the utterance at which it is heard first, after its pause; known as soon as ``origin_s``."""

    def begin(self, *, pause_before_s: float) -> None:
        """Begin a segment, ``pause_before_s`` seconds after the one before it."""
        self._trimmer = SilenceTrimmer(self._model_rate)
        self._lead = silence(pause_before_s, self._model_rate)
        self._begun = False
        self._pushed = 0

    def push(self, samples: Samples) -> bytes:
        """Take the segment's next samples and return the PCM that is certain by now; may be empty."""
        self._pushed += samples.size
        return self._render(self._trimmer.push(samples))

    @property
    def sound_ends_s(self) -> float:
        """Seconds into the utterance at which the segment in hand ends, as far as it was pushed."""
        return (self._rendered + self._trimmer.kept) / self._model_rate

    @property
    def pushed_s(self) -> float:
        """Seconds of the segment in hand that were pushed, silence included."""
        return self._pushed / self._model_rate

    def pause(self, seconds: float) -> bytes:
        """Return ``seconds`` of silence after the last segment."""
        quiet = silence(seconds, self._model_rate)
        self._rendered += quiet.size
        return to_pcm(self._resampler.push(quiet))

    def end(self, *, until_s: float = 0.0) -> bytes:
        """End the segment and return what was held back of it.

        Args:
            until_s: Seconds into the utterance up to which it was said to last: silence before isn't trimmed.
        """
        said = round(until_s * self._model_rate) - self._rendered
        return self._render(self._trimmer.flush(at_least=max(0, said)))

    def flush(self) -> bytes:
        """End the utterance and return the resampler's tail."""
        return to_pcm(self._resampler.flush())

    def _render(self, samples: Samples) -> bytes:
        if not samples.size:
            return b""
        if not self._begun:
            self._begun = True
            begins = self._rendered + self._lead.size
            self.sound_begins_s = begins / self._model_rate
            self.origin_s = (begins - self._trimmer.trimmed) / self._model_rate
        # The pause goes out with the sound that follows it: after the last segment there is none.
        joined, self._lead = np.concatenate([self._lead, samples]), self._lead[:0]
        self._rendered += joined.size
        return to_pcm(self._resampler.push(joined))
