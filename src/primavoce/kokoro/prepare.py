"""The published weights, prepared for the run time: once, verified, and kept.

An export of less than fp32 is expanded to it. Its STFT becomes a convolution and its long convolutions two-dimensional,
the durations become an output, and the graph is cut in two where a segment's whole is needed no more: the decisions
0001, 0003 and 0004 have the figures.
"""

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from primavoce.errors import NoSpace, PreparationFailed
from primavoce.kokoro.device import CPU, Device
from primavoce.kokoro.inverse_stft import InverseBasis
from primavoce.kokoro.log_mel import log_mel_distance
from primavoce.kokoro.model import KokoroModel, Samples
from primavoce.kokoro.staged import StagedModel
from primavoce.kokoro.threads import cpu_quota

if TYPE_CHECKING:  # imported only when there is something to prepare
    import onnx

    from primavoce.kokoro.graph.stages import Stages

PREPARER = 6
"""Raised whenever the same weights are prepared differently."""
OLDEST_OPERATORS = 18
"""ONNX's version of them: the first whose means take their axes as an input, as the rewrites write them."""
PREPARED_BYTES = 500_000_000
"""About what the prepared graphs take."""
DECODER_TILES = (4,)
"""Outputs that the first stage's convolutions compute together: six at a time would take as long, and 70 MB more."""
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

ABANDONED_AFTER_S = 3600.0
"""Age beyond which a preparation isn't still going on: it takes half a minute, and some minutes on a slow machine."""
_WORKSPACE = ".prepare-"
"""How the names of folders begin that something is prepared in."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A folder with the prepared graphs of one export."""

    folder: Path

    @property
    def prosody(self) -> Path:
        """The first stage's graph."""
        return self.folder / "prosody.onnx"

    @property
    def generator(self) -> Path:
        """The second stage's graph."""
        return self.folder / "generator.onnx"

    def load(self, *, threads: int, device: Device = CPU) -> StagedModel:
        """Load the graphs.

        Raises:
            PreparationFailed: they can't be loaded.
            DeviceUnavailable: they can't be run there.
        """
        return StagedModel.load(self.prosody, self.generator, threads=threads, device=device)

    def discard(self) -> None:
        """Remove it, so that it is prepared anew."""
        shutil.rmtree(self.folder, ignore_errors=True)


def prepare(
    source: Path,
    folder: Path,
    *,
    source_sha256: str,
    probe_style: Callable[[int], Samples],
    tell: Tell = lambda _: None,
) -> Prepared:
    """Return what is to be loaded for ``source``; makes it when it isn't there yet.

    Safe when several processes do it at once: each makes a folder of its own, and the first to finish puts it in its
    place. What an earlier version prepared of the same export is removed.

    Args:
        source: A published export.
        folder: Where prepared graphs are kept.
        source_sha256: The digest of ``source``, which the folder's name is made from.
        probe_style: Gives a voice's style vector for a number of phonemes, for the check.
        tell: Told what is going on, when something is.

    Raises:
        NoSpace: the disk is full.
        PreparationFailed: it is no export that we know, or the result doesn't speak like it.
    """
    target = Prepared(folder / f"kokoro-{source_sha256[:16]}-{PREPARER}")
    if target.folder.is_dir():
        return target
    _remove_abandoned(folder)
    with _workspace(folder) as workspace:
        made = Prepared(workspace)
        tell("preparing the weights")
        _make(source, made)
        tell("checking the prepared weights against the published ones")
        check(source, made, probe_style(len(PROBE_IDS)))
        for path in (made.prosody, made.generator):
            _to_disk(path)
        _put(made.folder, target.folder)
    for old in _earlier(folder, source_sha256):
        _remove(old)
    tell("the weights are prepared")
    return target


def _earlier(folder: Path, source_sha256: str) -> list[Path]:
    """Return what preparers of lower numbers made of the same export: a file up to the second, then folders."""
    found = folder.glob(f"kokoro-{source_sha256[:16]}-*")
    numbers = {path: path.stem.rpartition("-")[2] for path in found}
    return [path for path, number in numbers.items() if number.isdecimal() and int(number) < PREPARER]


def _remove_abandoned(folder: Path) -> None:
    """Remove what a preparation that was killed has left in ``folder``."""
    for path in folder.glob(f"{_WORKSPACE}*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > ABANDONED_AFTER_S:
                _remove(path)


def _remove(path: Path) -> None:
    """Remove a file or folder; one that can't be removed is only a waste of room."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def _make(source: Path, made: Prepared) -> None:
    import onnx

    from primavoce.kokoro.graph.stages import cut

    try:
        model = onnx.load(source)
    except Exception as error:
        raise PreparationFailed(f"{source.name} is no ONNX file ({type(error).__name__})") from error
    model = modern(model)
    stages = cut(model, rewrite(model))
    quicken(stages)
    onnx.save(stages.prosody, made.prosody)
    onnx.save(stages.generator, made.generator)


def _put(made: Path, target: Path) -> None:
    """Rename a folder; one that another process has put there first is as good."""
    try:
        made.rename(target)
    except OSError:
        if not target.is_dir():
            raise


def modern(model: "onnx.ModelProto") -> "onnx.ModelProto":
    """Return ``model`` in the operators' version that the rewrites write, or a later one.

    Raises:
        PreparationFailed: it can't be had in that version.
    """
    from onnx import version_converter

    version = next((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), 0)
    if version >= OLDEST_OPERATORS:
        return model
    try:
        return version_converter.convert_version(model, OLDEST_OPERATORS)
    except Exception as error:
        raise PreparationFailed(f"its operators are of version {version} and can't be converted") from error


def rewrite(model: "onnx.ModelProto") -> InverseBasis:
    """Rewrite ``model`` in place, and return its inverse transform.

    Raises:
        PreparationFailed: it is no export that we know, or quantised in a way that isn't.
    """
    from primavoce.kokoro.graph.dequantize import dequantize
    from primavoce.kokoro.graph.durations import expose_durations
    from primavoce.kokoro.graph.editor import GraphEditor
    from primavoce.kokoro.graph.half import widen_halves
    from primavoce.kokoro.graph.instance_norms import spell_out_norms
    from primavoce.kokoro.graph.inverse import find_inverse
    from primavoce.kokoro.graph.landmarks import find_landmarks, free_names, name_landmarks
    from primavoce.kokoro.graph.snake import shorten_snakes
    from primavoce.kokoro.graph.stft import convolve_stft

    free_names(model)
    widen_halves(model)
    expose_durations(GraphEditor(model), model)
    editor = GraphEditor(model)
    dequantize(editor)
    spell_out_norms(editor)
    editor.finish()
    editor = GraphEditor(model)
    inverse = find_inverse(editor)
    name_landmarks(model, find_landmarks(editor))
    editor = GraphEditor(model)
    convolve_stft(editor)
    shorten_snakes(editor)
    editor.finish()
    return inverse


def quicken(stages: "Stages") -> None:
    """Rewrite the convolutions of both stages in place, so that they take less time and say the same.

    What pitch and durations are made of isn't touched: where a bin of the harmonic source is next to nothing, another
    order of rounding turns its phase by half a circle.
    """
    from primavoce.kokoro.graph.convolutions import widen_convolutions
    from primavoce.kokoro.graph.editor import GraphEditor
    from primavoce.kokoro.graph.fast_convolutions import quicken_convolutions
    from primavoce.kokoro.graph.names import DURATIONS, SOURCE

    editor = GraphEditor(stages.generator)
    quicken_convolutions(editor)
    editor.finish()
    editor = GraphEditor(stages.generator)
    widen_convolutions(editor, shortest_kernel=SHORTEST_WIDE_KERNEL)
    editor.finish()
    editor = GraphEditor(stages.prosody)
    quicken_convolutions(editor, spare=editor.upstream([SOURCE, DURATIONS]), tiles=DECODER_TILES)
    editor.finish()


def check(source: Path, made: Prepared, style: Samples) -> None:
    """Have the export and what was made of it speak the same words.

    Raises:
        PreparationFailed: they don't speak alike.
    """
    theirs = KokoroModel.load(source, threads=cpu_quota()).synthesize(PROBE_IDS, style, speed=1.0)
    model = made.load(threads=cpu_quota())
    ours, _ = model.whole(model.prosody(PROBE_IDS, style, speed=1.0))
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
    """Give a new folder in ``folder`` to write to; what is left of it is removed.

    Raises:
        NoSpace: the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # In the folder itself, so that the last step is a rename within one file system.
        with tempfile.TemporaryDirectory(prefix=_WORKSPACE, dir=folder) as name:
            workspace = Path(name) / "prepared"
            workspace.mkdir()
            yield workspace
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NoSpace(str(folder), PREPARED_BYTES) from error
        raise PreparationFailed(f"{folder} can't be written ({error.strerror})") from error
