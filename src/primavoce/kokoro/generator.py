"""The second stage on a device: runs one after another, or several at once where the device gains from it."""

from collections.abc import Sequence
from itertools import batched

import numpy as np
import onnxruntime

from primavoce.kokoro.device import Device
from primavoce.kokoro.graph import names
from primavoce.kokoro.runs import SHARED, SOURCE_FRAMES, Feed, Floats, Kind, Run, padded_to, stacked
from primavoce.kokoro.windows import CONTEXT_FRAMES

SPECTRUM_CHANNELS = 22
"""Eleven bins, log magnitudes before phases."""


class Generator:
    """The second stage on a device: runs one after another, or several of a kind at once.

    Args:
        session: Of its graph.
        device: What the session runs on.
    """

    def __init__(self, session: "onnxruntime.InferenceSession", device: Device) -> None:
        self.session = session
        """The run time's."""
        self._device = device
        self._bound: dict[tuple[int, Kind], _Bound] = {}

    def make(self, run: Run) -> None:
        """Make one by itself."""
        run.take(self._spectra(run.feed, run.kind)[0])

    def make_together(self, runs: Sequence[Run]) -> None:
        """Make all of them, those of one kind in one run as far as the device gains from it."""
        kinds: dict[Kind, list[Run]] = {}
        for run in runs:
            kinds.setdefault(run.kind, []).append(run)
        for kind, alike in kinds.items():
            for group in batched(alike, self._device.together):
                spectra = self._spectra(stacked([run.feed for run in group]), kind)
                for run, spectrum in zip(group, spectra, strict=True):
                    run.take(spectrum)

    def run_unbound(self, outputs: Sequence[str], feed: Feed) -> list[Floats]:
        """Run the graph on a shape that may never come again."""
        made: list[Floats] = self.session.run(outputs, feed)
        return made

    def _spectra(self, feed: Feed, kind: Kind) -> Floats:
        if not is_held(kind, self._device.sizes):
            return self.run_unbound([names.SPECTRUM], feed)[0]
        count = len(feed[names.FRAMES])
        # Powers of two: a few shapes for all batches. What is added is made as well, and thrown away.
        padded = padded_to(1 << (count - 1).bit_length(), feed)
        key = (len(padded[names.FRAMES]), kind)
        if key not in self._bound:
            self._bound[key] = _Bound(self.session, self._device, padded)
        return self._bound[key].run(padded)[:count]


class _Bound:
    """Runs of one shape, from and to memory on the device that stays where it is.

    Names and meanings of the calls: onnxruntime, I/O binding.
    """

    def __init__(self, session: "onnxruntime.InferenceSession", device: Device, feed: Feed) -> None:
        self._session = session
        self._binding = session.io_binding()
        self._inputs = {
            name: onnxruntime.OrtValue.ortvalue_from_numpy(value, device.name)
            for name, value in feed.items()
            if name not in SHARED
        }
        for name, value in self._inputs.items():
            self._binding.bind_ortvalue_input(name, value)
        for name in SHARED:  # they say what is done, which the processor decides
            self._binding.bind_cpu_input(name, feed[name])
        batch, _, source_frames = feed[names.SOURCE].shape
        dropped = int(feed[names.DROPPED].sum())
        frames = source_frames - SOURCE_FRAMES * dropped
        shape = [batch, SPECTRUM_CHANNELS, frames]
        self._output = onnxruntime.OrtValue.ortvalue_from_shape_and_type(shape, np.float32, device.name)
        self._binding.bind_ortvalue_output(names.SPECTRUM, self._output)

    def run(self, feed: Feed) -> Floats:
        """Return the spectra."""
        for name, value in self._inputs.items():
            value.update_inplace(np.ascontiguousarray(feed[name]))
        self._session.run_with_iobinding(self._binding)
        made: Floats = self._output.numpy()
        return made


def is_held(kind: Kind, sizes: Sequence[int]) -> bool:
    """Say whether runs of ``kind`` come again and again: those of windows of one of ``sizes``, with their context."""
    frames, *dropped = kind
    return frames - CONTEXT_FRAMES * sum(each > 0 for each in dropped) in sizes
