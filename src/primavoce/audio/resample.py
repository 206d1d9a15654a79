"""Sample rates, changed over a whole utterance without a seam."""

import numpy as np
import soxr

from primavoce.audio.pcm import Samples


class Resampler:
    """Changes the rate of a stream of samples; its state spans what is pushed, so parts join without a click.

    Args:
        source_rate: Hertz of what is pushed.
        target_rate: Hertz of what comes back.
    """

    def __init__(self, source_rate: int, target_rate: int) -> None:
        equal = source_rate == target_rate
        self._stream = None if equal else soxr.ResampleStream(source_rate, target_rate, 1, dtype="float32")

    def push(self, samples: Samples) -> Samples:
        """Take ``samples`` and return what is certain by now; the filter holds a few milliseconds back."""
        return samples if self._stream is None else self._resample(samples, last=False)

    def flush(self) -> Samples:
        """End the stream and return what was held back."""
        empty = np.zeros(0, np.float32)
        return empty if self._stream is None else self._resample(empty, last=True)

    def _resample(self, samples: Samples, *, last: bool) -> Samples:
        assert self._stream is not None
        resampled: Samples = self._stream.resample_chunk(samples, last=last)
        return resampled
