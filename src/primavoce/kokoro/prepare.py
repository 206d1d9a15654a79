"""The published weights, prepared for the run time: once, verified, and kept.

The durations become an output. The int8 export is also expanded to fp32, its STFT becomes a convolution and its long
convolutions two-dimensional: ``docs/decisions/0001-weights-precision.md`` has the figures.
"""

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from primavoce.errors import NoSpace, PreparationFailed
from primavoce.kokoro.log_mel import log_mel_distance
from primavoce.kokoro.model import KokoroModel, Samples
from primavoce.kokoro.threads import cpu_quota

if TYPE_CHECKING:  # imported only when there is something to prepare
    import onnx

PREPARER = 2
"""Raised whenever the same weights are prepared differently; files of other numbers are left alone."""
PREPARED_BYTES = 330_000_000
"""About what a prepared file takes."""
SHORTEST_WIDE_KERNEL = 7
"""Taps from which a convolution is faster in two dimensions."""
PROBE_IDS = (50, 83, 54, 156, 31, 3, 16, 65, 156, 87, 123, 54, 46, 4)
"""The phonemes of "Hello, world.": spoken by both graphs before the new one is trusted."""
MOST_DISTANCE_DB = 4.0
"""Log-mel distance between the export and what was made of it: measured 1.0–2.0 dB over four voices, from activations
that are no longer rounded and phases that are no longer chance. Noise instead of speech is beyond 10 dB."""
MOST_SAMPLES_APART = 2400
"""Samples (four steps of the duration predictor) by which the two may differ in length: rounding moves a duration
now and then."""

Tell = Callable[[str], None]


def prepare(
    source: Path,
    folder: Path,
    *,
    source_sha256: str,
    probe_style: Callable[[int], Samples],
    tell: Tell = lambda _: None,
) -> Path:
    """Return the path of what is to be loaded for ``source``; makes it when it isn't there yet.

    Safe when several processes do it at once: each makes a file of its own, and the last to finish puts the same
    bytes in its place.

    Args:
        source: A published export.
        folder: Where prepared files are kept.
        source_sha256: The digest of ``source``, which the file's name is made from.
        probe_style: Gives a voice's style vector for a number of phonemes, for the check.
        tell: Told what is going on, when something is.

    Raises:
        NoSpace: the disk is full.
        PreparationFailed: it is no export that we know, or the result doesn't speak like it.
    """
    import onnx

    target = folder / f"kokoro-{source_sha256[:16]}-fp32-{PREPARER}.onnx"
    if target.exists():
        return target
    try:
        model = onnx.load(source)
    except Exception as error:
        raise PreparationFailed(f"{source.name} is no ONNX file ({type(error).__name__})") from error
    tell("preparing the weights")
    rewrite(model)
    with _workspace(folder) as made:
        onnx.save(model, made)
        del model
        tell("checking the prepared weights against the published ones")
        check(source, made, probe_style(len(PROBE_IDS)))
        _to_disk(made)
        made.replace(target)
    tell("the weights are prepared")
    return target


def rewrite(model: "onnx.ModelProto") -> None:
    """Rewrite ``model`` in place.

    Raises:
        PreparationFailed: it is no export that we know, or quantised in a way that isn't.
    """
    from primavoce.kokoro.graph.convolutions import widen_convolutions
    from primavoce.kokoro.graph.dequantize import QUANTIZED, dequantize
    from primavoce.kokoro.graph.durations import expose_durations
    from primavoce.kokoro.graph.editor import GraphEditor
    from primavoce.kokoro.graph.stft import convolve_stft

    editor = GraphEditor(model)
    quantised = bool(editor.nodes(*QUANTIZED))
    expose_durations(editor, model)
    if not quantised:
        return
    editor = GraphEditor(model)
    dequantize(editor)
    editor.finish()
    editor = GraphEditor(model)
    convolve_stft(editor)
    widen_convolutions(editor, shortest_kernel=SHORTEST_WIDE_KERNEL)
    editor.finish()


def check(source: Path, made: Path, style: Samples) -> None:
    """Have both graphs speak the same words.

    Raises:
        PreparationFailed: they don't speak alike.
    """
    theirs, ours = (
        KokoroModel.load(path, threads=cpu_quota()).synthesize(PROBE_IDS, style, speed=1.0).samples
        for path in (source, made)
    )
    if abs(theirs.size - ours.size) > MOST_SAMPLES_APART:
        raise PreparationFailed(f"it speaks for {ours.size} samples where the published one speaks for {theirs.size}")
    distance = log_mel_distance(theirs, ours)
    if not distance <= MOST_DISTANCE_DB:
        raise PreparationFailed(f"it is {distance:.1f} dB away from the published one")


def _to_disk(path: Path) -> None:
    """Have what was written to ``path`` on the disk before anything points to it."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


@contextmanager
def _workspace(folder: Path) -> Iterator[Path]:
    """Give a path in ``folder`` to write to; what is left there is removed.

    Raises:
        NoSpace: the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # In the folder itself, so that the last step is a rename within one file system.
        with tempfile.TemporaryDirectory(prefix=".prepare-", dir=folder) as name:
            yield Path(name) / "prepared.onnx"
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NoSpace(str(folder), PREPARED_BYTES) from error
        raise PreparationFailed(f"{folder} can't be written ({error.strerror})") from error
