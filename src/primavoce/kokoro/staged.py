"""The model in two stages: what must see the whole segment, and the vocoder, which need not.

The first stage makes of phonemes and a style what the generator needs: frames, the harmonic source, what the style
makes of normalised values. The generator then speaks the segment whole, taking its normalisations' statistics of what
it sees, or window by window, told them. Both are one graph and one copy of the weights.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph import names
from primavoce.kokoro.inverse_stft import InverseBasis, InverseStft
from primavoce.kokoro.model import DURATION_STEP, PAD_ID, SAMPLE_RATE, Samples, session_options
from primavoce.kokoro.windows import CONTEXT_FRAMES, HALFWAY_FRAMES, Window

SOURCE_FRAMES = 60
"""Frames of the harmonic source, and of the spectrum, for each of the generator's."""
FRAME_SAMPLES = 300
"""Samples of each of the generator's frames."""
FRAMES_A_SECOND = SAMPLE_RATE // FRAME_SAMPLES
"""How many of the generator's frames a second of audio has."""

type Floats = NDArray[np.float32]

_FROM_PROSODY = (names.FRAMES, names.SOURCE, names.FEATURES, names.SCALES, names.SHIFTS, names.DURATIONS)


@dataclass(frozen=True, slots=True)
class Prosody:
    """A segment before it is heard."""

    frames: Floats
    """(1, 512, T): what the generator speaks, 80 frames a second."""
    source: Floats
    """(1, 22, 60 T + 1): the harmonic source's spectrum, 4,800 frames a second."""
    features: Floats
    """(features,): what the first stage tells of it, for the prediction of its statistics."""
    scales: Floats
    """(1, channels of all uses, 1): what the style multiplies normalised values by."""
    shifts: Floats
    """(1, channels of all uses, 1): what it adds."""
    durations_s: tuple[float, ...]
    """Seconds of each position of the input, a pad at each end included; they add up to the audio's duration."""

    @property
    def lead(self) -> int:
        """How many frames the pad before the first phoneme lasts."""
        return round(self.durations_s[0] * SAMPLE_RATE / FRAME_SAMPLES)

    @property
    def count(self) -> int:
        """How many frames there are."""
        return int(self.frames.shape[2])


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a segment's instance normalisations subtract, and of what they divide by the root."""

    means: Floats
    """(channels of all sites,)."""
    variances: Floats
    """(channels of all sites,)."""


class StagedModel:
    """Kokoro-82M, prepared, in onnxruntime; blocking, not thread-safe.

    Args:
        prosody: A session of the first stage.
        generator: A session of the second, with one thread.
        threads: How many shares of a window are made at the same time.

    Raises:
        PreparationFailed: they are other graphs.
    """

    def __init__(
        self,
        prosody: "onnxruntime.InferenceSession",
        generator: "onnxruntime.InferenceSession",
        *,
        threads: int = 1,
    ) -> None:
        self._prosody = prosody
        self._generator = generator
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="primavoce-vocoder")
        try:
            self._basis = InverseBasis.from_text(generator.get_modelmeta().custom_metadata_map)
            self._channels = next(each.shape[1] for each in generator.get_inputs() if each.name == names.MEANS)
        except (KeyError, StopIteration) as error:
            raise PreparationFailed("the second stage's graph is none of ours") from error
        if not {each.name for each in prosody.get_outputs()}.issuperset(_FROM_PROSODY):
            raise PreparationFailed("the first stage's graph is none of ours")
        self._tokens = prosody.get_inputs()[0].name
        self._untold = np.zeros((1, self._channels, 1), np.float32)

    @classmethod
    def load(cls, prosody: Path, generator: Path, *, threads: int) -> Self:
        """Load the two graphs.

        Args:
            prosody: Path of the first stage.
            generator: Path of the second.
            threads: Of the first stage. The second has one for each share of a window, and one for a whole segment: its
                operators are many and small, and threads that share them out wait for each other at each.

        Raises:
            PreparationFailed: they can't be loaded, or are other graphs.
        """
        sessions = []
        for path, each in ((prosody, threads), (generator, 1)):
            try:
                sessions.append(
                    onnxruntime.InferenceSession(str(path), session_options(each), providers=["CPUExecutionProvider"])
                )
            except Exception as error:
                raise PreparationFailed(f"the run time refuses {path.name}: {type(error).__name__}") from error
        return cls(*sessions, threads=threads)

    def prosody(self, ids: Sequence[int], style: Samples, *, speed: float) -> Prosody:
        """Do what must see the whole segment.

        Args:
            ids: 1 to 510 phoneme ids, without padding.
            style: The style vector, (1, 256).
            speed: 1 is the voice's own; passed as it is, never rounded.
        """
        feed = {
            self._tokens: np.array([[PAD_ID, *ids, PAD_ID]], np.int64),
            "style": style,
            "speed": np.array([speed], np.float32),
        }
        frames, source, features, scales, shifts, durations = self._prosody.run(_FROM_PROSODY, feed)
        steps = np.asarray(durations, np.float64).reshape(-1)
        durations_s = tuple((steps * (DURATION_STEP / SAMPLE_RATE)).tolist())
        return Prosody(frames, source, features.reshape(-1), scales, shifts, durations_s)

    def whole(self, prosody: Prosody) -> tuple[Samples, Statistics]:
        """Speak a segment in one run, and return what its normalisations found."""
        spectrum, means, variances = self._generator.run(
            [names.SPECTRUM, names.USED_MEANS, names.USED_VARIANCES],
            self._feed(prosody, Window(0, prosody.count, 0, prosody.count), own=True),
        )
        inverse = InverseStft(self._basis)
        samples = np.concatenate([inverse.push(spectrum[0]), inverse.flush()])
        return samples, Statistics(means.reshape(-1), variances.reshape(-1))

    def windows(
        self,
        prosody: Prosody,
        statistics: Statistics,
        windows: Iterator[Window],
        *,
        context: int = CONTEXT_FRAMES,
        halfway: int = HALFWAY_FRAMES,
    ) -> Iterator[Samples]:
        """Speak a segment window by window, and yield each one's samples; each step is one window.

        Args:
            prosody: The segment.
            statistics: Of the whole of it; true or predicted.
            windows: As `primavoce.kokoro.windows.windows` plans them for it.
            context: Frames of context of a window's shares.
            halfway: As many of them as the generator's second half reads.
        """
        inverse = InverseStft(self._basis)

        def spectrum_of(share: Window) -> Floats:
            dropped = share.dropped(halfway)
            feed = self._feed(prosody, share, own=False, statistics=statistics, dropped=dropped)
            made: Floats = self._generator.run([names.SPECTRUM], feed)[0][0]
            made_from = share.read_from + dropped[0]
            start, end = SOURCE_FRAMES * (share.start - made_from), SOURCE_FRAMES * (share.end - made_from)
            # The spectrum has one frame more than the source's frames fill: the last window's.
            return made[:, start : end + (share.end == prosody.count)]

        for window in windows:
            shares = window.shares(self._threads, frames=prosody.count, context=context)
            # Nothing is under way between two steps: whoever has the model's thread has the model.
            spectra = list(self._pool.map(spectrum_of, shares)) if len(shares) > 1 else [spectrum_of(window)]
            made = [inverse.push(spectrum) for spectrum in spectra]
            yield np.concatenate([*made, inverse.flush()] if window.end == prosody.count else made)

    def _feed(
        self,
        prosody: Prosody,
        window: Window,
        *,
        own: bool,
        statistics: Statistics | None = None,
        dropped: tuple[int, int] = (0, 0),
    ) -> dict[str, NDArray[np.generic]]:
        means, variances = (
            (self._untold, self._untold)
            if statistics is None
            else (each.reshape(1, -1, 1) for each in (statistics.means, statistics.variances))
        )
        return {
            names.FRAMES: prosody.frames[:, :, window.read_from : window.read_to],
            names.SOURCE: prosody.source[:, :, SOURCE_FRAMES * window.read_from : SOURCE_FRAMES * window.read_to + 1],
            names.SCALES: prosody.scales,
            names.SHIFTS: prosody.shifts,
            names.MEANS: means,
            names.VARIANCES: variances,
            names.OWN: np.array(own),
            names.DROPPED: np.array(dropped, np.int64),
        }
