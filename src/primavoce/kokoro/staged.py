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

from primavoce.errors import DeviceUnavailable, PreparationFailed
from primavoce.kokoro.device import CPU, Device, load_libraries
from primavoce.kokoro.generator import Generator
from primavoce.kokoro.graph import names
from primavoce.kokoro.inverse_stft import InverseBasis, InverseStft
from primavoce.kokoro.model import DURATION_STEP, PAD_ID, SAMPLE_RATE, Samples, session_options
from primavoce.kokoro.runs import SOURCE_FRAMES, Feed, Run
from primavoce.kokoro.windows import CONTEXT_FRAMES, FRAMES_A_SECOND, HALFWAY_FRAMES, Window

FRAME_SAMPLES = 300
"""Samples of each of the generator's frames."""
assert FRAMES_A_SECOND == SAMPLE_RATE / FRAME_SAMPLES

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
        threads: How many shares of a window are made at the same time, where the device makes one window at a time.
        device: What both run on.

    Raises:
        PreparationFailed: they are other graphs.
        DeviceUnavailable: they run elsewhere.
    """

    def __init__(
        self,
        prosody: "onnxruntime.InferenceSession",
        generator: "onnxruntime.InferenceSession",
        *,
        threads: int = 1,
        device: Device = CPU,
    ) -> None:
        for each in (prosody, generator):
            device.check(each)
        self._prosody = prosody
        self._generator = Generator(generator, device)
        self._shares = threads if device.together == 1 else 1
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
        self.device = device
        """What it runs on."""

    @classmethod
    def load(cls, prosody: Path, generator: Path, *, threads: int, device: Device = CPU) -> Self:
        """Load the two graphs.

        Args:
            prosody: Path of the first stage.
            generator: Path of the second.
            threads: Of the first stage. The second has one for each share of a window, and one for a whole segment: its
                operators are many and small, and threads that share them out wait for each other at each.
            device: What they are to run on.

        Raises:
            PreparationFailed: they can't be loaded, or are other graphs.
            DeviceUnavailable: they can't be run there.
        """
        if device is not CPU:
            load_libraries()
        sessions = []
        for path, each in ((prosody, threads), (generator, 1)):
            try:
                session = onnxruntime.InferenceSession(str(path), session_options(each), providers=device.providers)
            except Exception as error:
                if device is not CPU:  # its memory may be full, which says nothing of the graph
                    raise DeviceUnavailable(device.name, f"{path.name}: {type(error).__name__}") from error
                raise PreparationFailed(f"the run time refuses {path.name}: {type(error).__name__}") from error
            sessions.append(session)
        return cls(*sessions, threads=threads, device=device)

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
        spectrum, means, variances = self._generator.run_unbound(
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
    ) -> "SpokenWindows":
        """Speak a segment window by window.

        Args:
            prosody: The segment.
            statistics: Of the whole of it; true or predicted.
            windows: As `primavoce.kokoro.windows.windows` plans them for it.
            context: Frames of context of a window's shares.
            halfway: As many of them as the generator's second half reads.
        """

        def runs() -> Iterator[tuple[Window, list[Run]]]:
            for window in windows:
                shares = window.shares(self._shares, frames=prosody.count, context=context)
                # A window by itself may read more than its context.
                runs = shares if len(shares) > 1 else [window]
                yield window, [self._run(prosody, statistics, each, context, halfway) for each in runs]

        return SpokenWindows(self, runs(), InverseStft(self._basis), prosody.count)

    def make(self, runs: Sequence[Run]) -> None:
        """Make runs of the generator, of any segments: at the same time, or as one, as the device gains from."""
        if self.device.together > 1:
            self._generator.make_together(runs)
        elif len(runs) == 1:
            self._generator.make(runs[0])
        else:
            # Nothing is under way when this returns: whoever has the model's thread has the model.
            list(self._pool.map(self._generator.make, runs))

    def _run(self, prosody: Prosody, statistics: Statistics, share: Window, context: int, halfway: int) -> Run:
        dropped = share.dropped(context, halfway)
        made_from = share.read_from + dropped[0]
        # The spectrum has one frame more than the source's frames fill: the last window's.
        end = SOURCE_FRAMES * (share.end - made_from) + (share.end == prosody.count)
        feed = self._feed(prosody, share, own=False, statistics=statistics, dropped=dropped)
        return Run(feed, slice(SOURCE_FRAMES * (share.start - made_from), end))

    def _feed(
        self,
        prosody: Prosody,
        window: Window,
        *,
        own: bool,
        statistics: Statistics | None = None,
        dropped: tuple[int, int] = (0, 0),
    ) -> Feed:
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


class SpokenWindows:
    """A segment that is spoken window by window: iterate it for each window's samples.

    Args:
        model: Makes the windows.
        windows: Each with the runs that make it.
        inverse: Makes samples of the spectra.
        frames: How many the segment has.
    """

    def __init__(
        self, model: StagedModel, windows: Iterator[tuple[Window, list[Run]]], inverse: InverseStft, frames: int
    ) -> None:
        self._model = model
        self._windows = windows
        self._inverse = inverse
        self._frames = frames
        self._next: tuple[Window, list[Run]] | None = None
        self._error: Exception | None = None

    def ahead(self) -> Sequence[Run]:
        """Plan the next window, and return the runs that make it; none when all are spoken.

        For who makes several segments' windows together: those that were made aren't made again.
        """
        if self._error is not None:
            raise self._error  # a plan that has failed would pass for one that is done
        if self._next is None:
            try:
                self._next = next(self._windows, None)
            except Exception as error:
                self._error = error
                raise
        return self._next[1] if self._next is not None else ()

    def __iter__(self) -> "SpokenWindows":
        return self

    def __next__(self) -> Samples:
        """Return the next window's samples; makes what wasn't made already."""
        self.ahead()
        if self._next is None:
            raise StopIteration
        window, runs = self._next
        if missing := [run for run in runs if run.spectrum is None]:
            self._model.make(missing)
        self._next = None
        made = [self._inverse.push(run.spectrum) for run in runs if run.spectrum is not None]
        return np.concatenate([*made, self._inverse.flush()] if window.end == self._frames else made)
