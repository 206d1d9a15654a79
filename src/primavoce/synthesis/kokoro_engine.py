"""The engine with the real model in it."""

import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio.to_thread

from primavoce.assets.locations import AssetLocations
from primavoce.assets.progress import Progress, Report
from primavoce.assets.store import AssetStore
from primavoce.errors import DeviceUnavailable, PreparationFailed
from primavoce.kokoro.adoption import find_or_adopt
from primavoce.kokoro.device import CPU, Device, candidates
from primavoce.kokoro.model import Samples
from primavoce.kokoro.prediction import StatisticsPredictor, feature_vector, packaged_predictor
from primavoce.kokoro.prepare import Prepared, prepare
from primavoce.kokoro.staged import StagedModel
from primavoce.kokoro.threads import cpu_quota
from primavoce.kokoro.windows import windows
from primavoce.normalize.options import DEFAULT_READING
from primavoce.phonemes.alphabet import encode
from primavoce.phonemes.phonemizer import Phonemizer
from primavoce.settings import DeviceChoice
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.kokoro_segments import KokoroSegments
from primavoce.synthesis.phrases import PhraseCache, RememberingModel
from primavoce.synthesis.reading import Reader
from primavoce.synthesis.segment import AcousticModel
from primavoce.synthesis.styles import PackStyles
from primavoce.text import Sentence
from primavoce.voices.blend import parse_voice
from primavoce.voices.vocoder import VocoderChoice

WARM_UP_PHONEMES = "həlˈO."
"""Spoken once before the first utterance: the run time allocates and chooses its kernels at its first run."""
WARM_UP_VOICE = "af_heart"
WARM_UP_TEXT = "**3/5/2024**: $5.50, 20%, 3 km, 14:45, info@example.com."
"""Read once in each language that is loaded: rules and tables are made at their first use."""

log = logging.getLogger("primavoce.synthesis")


def prepared_weights(store: AssetStore, styles: PackStyles, folder: Path, report: Report | None) -> Prepared:
    """Return the weights as the run time loads them; fetches and prepares them when they aren't here.

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
    store: AssetStore,
    styles: PackStyles,
    folder: Path,
    report: Report | None,
    threads: int,
    devices: Sequence[Device] = (CPU,),
) -> StagedModel:
    """Load the prepared weights; prepared graphs that can't be loaded are made anew, once.

    Args:
        store: Has the weights, or fetches them.
        styles: The voices.
        folder: Where prepared graphs are kept.
        report: Told of each step.
        threads: Of the model.
        devices: What it may run on: the first that can be had.

    Raises:
        AssetError: they can't be had.
        DeviceUnavailable: none of the devices can.
    """
    prepared = prepared_weights(store, styles, folder, report)
    try:
        return load_on_first(prepared, threads, devices)
    except PreparationFailed:
        log.warning("%s can't be loaded and is prepared again", prepared.folder.name)
        prepared.discard()
        return load_on_first(prepared_weights(store, styles, folder, report), threads, devices)


def load_on_first(prepared: Prepared, threads: int, devices: Sequence[Device]) -> StagedModel:
    """Load prepared weights on the first of ``devices`` that can be had.

    Raises:
        PreparationFailed: they can't be loaded.
        DeviceUnavailable: none of them can be had.
    """
    *preferred, last = devices
    for device in preferred:
        try:
            return prepared.load(threads=threads, device=device)
        except DeviceUnavailable as error:
            log.warning("%s; the model runs on %s", error, last.name)
    return prepared.load(threads=threads, device=last)


def warm_up(
    model: StagedModel, predictor: StatisticsPredictor | None, ids: Sequence[int], style: Samples
) -> tuple[float, float]:
    """Speak a segment every way that others may be spoken, and forget it; then once more, as others will be.

    Returns:
        The seconds of its audio, and those that it took to make the second time.

    Args:
        model: Is run whole, and in windows where there is a predictor.
        predictor: Is asked once.
        ids: Phoneme ids of the segment.
        style: Its style vector.
    """
    prosody = model.prosody(ids, style, speed=1.0)
    _, statistics = model.whole(prosody)

    def speak() -> None:
        planned = windows(prosody.count, lead=prosody.lead, sizes=model.device.sizes)
        for _ in model.windows(prosody, statistics, planned):
            pass

    if model.device.sizes and predictor is not None:
        speak()  # memory on the device is bound for each shape at its first run
    began = time.perf_counter()
    prosody = model.prosody(ids, style, speed=1.0)
    if predictor is None:
        model.whole(prosody)
    else:
        features = feature_vector(prosody.features, style, speed=1.0, phonemes=len(ids), frames=prosody.count)
        predictor.predict(features)
        speak()
    return sum(prosody.durations_s), time.perf_counter() - began


def kokoro_engine(
    locations: AssetLocations,
    *,
    threads: int = 0,
    languages: Sequence[str] = ("en-us",),
    vocoder: VocoderChoice | None = None,
    phrase_cache_bytes: int = 0,
    device: DeviceChoice = "auto",
    progress: Report | None = None,
) -> Engine:
    """Return an engine that speaks with Kokoro-82M; what is missing of it is fetched when it is loaded.

    Args:
        locations: Where weights and voices are, or may be had from.
        threads: Of the model; 0 takes the processor quota of this process.
        languages: Those whose phonemiser is loaded before the first sentence; others are at their first.
        vocoder: Whether segments are made audio in windows or whole.
        phrase_cache_bytes: Bytes of audio of phrases that are remembered; 0 remembers none.
        device: What the model runs on; loading fails with `DeviceUnavailable` if it is asked for by name and can't be.
        progress: Told of each step of fetching and preparing, on the model's thread.
    """
    store = AssetStore(locations, progress=progress)
    styles = PackStyles(store.voice)

    def load_model() -> AcousticModel:
        devices = candidates(device)
        # It takes most of a second, and so does loading the graphs.
        with ThreadPoolExecutor(1, thread_name_prefix="primavoce-predictor") as beside:
            beside.submit(packaged_predictor)
            staged = load_prepared(store, styles, locations.cache_dir, progress, threads or cpu_quota(), devices)
        digest = store.weights_with_digest()[1]
        log.info("the model runs on %s, by %s", staged.device.name, staged.device.provider)
        predictor = find_or_adopt(
            staged,
            digest=digest,
            style=lambda n: styles.style(parse_voice(WARM_UP_VOICE), n),
            folder=locations.cache_dir,
        )
        ids = encode(WARM_UP_PHONEMES)
        trial = warm_up(staged, predictor, ids, styles.style(parse_voice(WARM_UP_VOICE), len(ids)))
        model = KokoroSegments(staged, predictor, vocoder, trial=trial, digest=digest)
        return RememberingModel(model, PhraseCache(phrase_cache_bytes)) if phrase_cache_bytes else model

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
