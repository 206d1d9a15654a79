"""The engine with the real model in it."""

import logging
from collections.abc import Sequence
from pathlib import Path

import anyio.to_thread

from primavoce.assets.locations import AssetLocations
from primavoce.assets.progress import Progress, Report
from primavoce.assets.store import AssetStore
from primavoce.errors import PreparationFailed
from primavoce.kokoro.model import SAMPLE_RATE, KokoroModel
from primavoce.kokoro.prepare import prepare
from primavoce.kokoro.threads import cpu_quota
from primavoce.normalize.options import DEFAULT_READING
from primavoce.phonemes.alphabet import encode
from primavoce.phonemes.phonemizer import Phonemizer
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.reading import Reader
from primavoce.synthesis.segment import Rendering, Samples
from primavoce.synthesis.styles import PackStyles
from primavoce.text import Sentence
from primavoce.voices.blend import parse_voice

WARM_UP_PHONEMES = "həlˈO."
"""Spoken once before the first utterance: the run time allocates and chooses its kernels at its first run."""
WARM_UP_VOICE = "af_heart"
WARM_UP_TEXT = "**3/5/2024**: $5.50, 20%, 3 km, 14:45, info@example.com."
"""Read once in each language that is loaded: rules and tables are made at their first use."""

log = logging.getLogger("primavoce.synthesis")


class WholeSegments:
    """An acoustic model whose every segment is one part.

    Args:
        model: The model to run.

    Raises:
        PreparationFailed: it doesn't tell durations, as a published export that wasn't prepared.
    """

    def __init__(self, model: KokoroModel) -> None:
        if not model.tells_durations:
            raise PreparationFailed("the graph doesn't tell how long phonemes last")
        self._model = model

    @property
    def sample_rate(self) -> int:
        """Hertz."""
        return SAMPLE_RATE

    def render(self, ids: Sequence[int], style: Samples, *, speed: float) -> Rendering:
        """Speak the segment, whose audio is one part."""
        spoken = self._model.synthesize(ids, style, speed=speed)
        return Rendering(spoken.durations_s, iter([spoken.samples]))


def prepared_weights(store: AssetStore, styles: PackStyles, folder: Path, report: Report | None) -> Path:
    """Return the path of the weights as the run time loads them; fetches and prepares them when they aren't here.

    Raises:
        AssetError: they can't be had.
    """

    def tell(note: str) -> None:
        if report is not None:
            report(Progress("the weights", 0, 0, note))

    source, sha256 = store.weights_with_digest()
    return prepare(
        source,
        folder,
        source_sha256=sha256,
        probe_style=lambda n: styles.style(parse_voice(WARM_UP_VOICE), n),
        tell=tell,
    )


def load_prepared(
    store: AssetStore, styles: PackStyles, folder: Path, report: Report | None, threads: int
) -> KokoroModel:
    """Load the prepared weights; a prepared file that can't be loaded is made anew, once.

    Raises:
        AssetError: they can't be had.
    """
    path = prepared_weights(store, styles, folder, report)
    try:
        return KokoroModel.load(path, threads=threads)
    except PreparationFailed:
        if path == store.weights():
            raise
        log.warning("%s can't be loaded and is prepared again", path.name)
        path.unlink(missing_ok=True)
        return KokoroModel.load(prepared_weights(store, styles, folder, report), threads=threads)


def kokoro_engine(
    locations: AssetLocations,
    *,
    threads: int = 0,
    languages: Sequence[str] = ("en-us",),
    progress: Report | None = None,
) -> Engine:
    """Return an engine that speaks with Kokoro-82M; what is missing of it is fetched when it is loaded.

    Args:
        locations: Where weights and voices are, or may be had from.
        threads: Of the model; 0 takes the processor quota of this process.
        languages: Those whose phonemiser is loaded before the first sentence; others are at their first.
        progress: Told of each step of fetching and preparing, on the model's thread.
    """
    store = AssetStore(locations, progress=progress)
    styles = PackStyles(store.voice)

    def load_model() -> WholeSegments:
        model = WholeSegments(load_prepared(store, styles, locations.cache_dir, progress, threads or cpu_quota()))
        style = styles.style(parse_voice(WARM_UP_VOICE), len(WARM_UP_PHONEMES))
        model.render(encode(WARM_UP_PHONEMES), style, speed=1.0)
        return model

    def load_g2p() -> Phonemizer:
        phonemizer = Phonemizer(preload=languages)
        for language in languages:
            Reader(phonemizer, language, DEFAULT_READING).read(Sentence(WARM_UP_TEXT, 0, len(WARM_UP_TEXT), "prose"))
        return phonemizer

    return Engine(load_model=load_model, load_g2p=load_g2p, styles=styles)


async def fetch_and_prepare(locations: AssetLocations, *, progress: Report | None = None) -> None:
    """Have everything in the cache that an engine needs, so that loading one fetches nothing.

    Raises:
        AssetError: something can't be had.
    """

    def work() -> None:
        store = AssetStore(locations, progress=progress)
        prepared_weights(store, PackStyles(store.voice), locations.cache_dir, progress)

    await anyio.to_thread.run_sync(work)
