"""How good speech sounds, as people would score it from 1 to 5: DNSMOS P.835, overall.

The model comes inside the package speechmos, so that nothing is fetched. Its score depends on what is said: compare
scores of the same words.
"""

import numpy as np

HERTZ = 16_000
"""What it was trained on."""
INPUT_SAMPLES = 144_160
"""What it hears in one go, a little more than nine seconds."""


def opinion(samples: np.ndarray, sample_rate: int) -> float:
    """Return the score of mono ``samples`` in [-1, 1].

    A recording that is shorter than what the model hears in one go is heard again and again, as speechmos does it too,
    but never for longer than once: each further second costs as much as the first nine.
    """
    import soxr
    from speechmos import dnsmos

    heard = np.clip(soxr.resample(samples.astype(np.float32), sample_rate, HERTZ), -1.0, 1.0)
    if heard.size < INPUT_SAMPLES:
        heard = np.resize(heard, INPUT_SAMPLES)
    return float(dnsmos.run(heard, HERTZ)["ovrl_mos"])
