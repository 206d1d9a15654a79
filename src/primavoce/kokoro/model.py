"""The model as it is published: phoneme ids and a style vector in, samples out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from primavoce.errors import PreparationFailed

SAMPLE_RATE = 24_000
"""Hertz of the model's audio."""
PAD_ID = 0
"""Stands before and after the phonemes, as in training."""

Samples = NDArray[np.float32]

DURATION_STEP = 600
"""Samples that one step of the duration predictor lasts: two frames of the decoder, of 300 samples each."""

EXPORTS = (("tokens", "style", "speed", "audio"), ("input_ids", "style", "speed", "waveform"))
"""Names of the inputs and the output in the published exports."""


def session_options(threads: int) -> "onnxruntime.SessionOptions":
    """Return how every graph is run: one run at a time, with ``threads``."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # its warnings are about the exporter's leftovers
    return options


class KokoroModel:
    """A published export of Kokoro-82M in onnxruntime; blocking, not thread-safe.

    Args:
        session: A session of its graph.

    Raises:
        PreparationFailed: it is another graph.
    """

    def __init__(self, session: "onnxruntime.InferenceSession") -> None:
        names = {*(found.name for found in session.get_inputs()), *(found.name for found in session.get_outputs())}
        export = next((names_of for names_of in EXPORTS if set(names_of) <= names), None)
        if export is None:
            raise PreparationFailed(f"no known export of Kokoro has {', '.join(sorted(names))}")
        self._tokens, self._style, self._speed, self._audio = export
        self._session = session

    @classmethod
    def load(cls, path: Path, *, threads: int) -> Self:
        """Load the graph at ``path``.

        Args:
            path: An ONNX file.
            threads: For each run; one run goes on at a time.

        Raises:
            PreparationFailed: it can't be loaded, or isn't an export of Kokoro.
        """
        try:
            session = onnxruntime.InferenceSession(
                str(path), session_options(threads), providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise PreparationFailed(f"the run time refuses {path.name}: {type(error).__name__}") from error
        return cls(session)

    def synthesize(self, ids: Sequence[int], style: Samples, *, speed: float) -> Samples:
        """Return a segment, spoken: mono at `SAMPLE_RATE`, about in [-1, 1].

        Args:
            ids: 1 to 510 phoneme ids, without padding.
            style: The style vector, shape (1, 256).
            speed: 1 is the voice's own; passed as it is, never rounded.
        """
        feed: dict[str, Any] = {
            self._tokens: np.array([[PAD_ID, *ids, PAD_ID]], np.int64),
            self._style: style,
            self._speed: np.array([speed], np.float32),
        }
        return np.asarray(self._session.run([self._audio], feed)[0], np.float32).reshape(-1)
