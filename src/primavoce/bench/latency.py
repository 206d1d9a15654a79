"""How soon the first sound of a text is heard, by three ways of speaking it; and how that grows with a sentence."""

import functools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import anyio.to_thread

from primavoce.assets.progress import Report
from primavoce.assets.store import AssetStore
from primavoce.bench.hearing import Figures, Heard
from primavoce.bench.published import PublishedModel, WholeTexts, hear_in_turn
from primavoce.bench.session import hear, hear_first_sound
from primavoce.bench.setting import NOTHING_REMEMBERED, Machine, describe_machine, versions
from primavoce.bench.spread import DIGITS, LagFit, Spread, ratio
from primavoce.bench.texts import Texts, english_voice, read_texts
from primavoce.bench.trials import Note, take_turns
from primavoce.client import SpeechSession
from primavoce.client.local_server import local_server
from primavoce.kokoro.threads import cpu_quota
from primavoce.settings import Settings
from primavoce.synthesis.kokoro_engine import fetch_and_prepare

WARM_UP = "This is only said to warm up."


@dataclass(frozen=True, slots=True)
class Lag:
    """Speech lag of a sentence: from its being certain to its first sound at the listener."""

    characters: int
    phonemes: int
    first_sound_s: Spread


@dataclass(frozen=True, slots=True)
class Measured:
    """What the trials gave."""

    modes: dict[str, Figures]
    """``batch``, ``first_sentence``, ``streaming``."""
    ratios: dict[str, float]
    by_length: tuple[Lag, ...]
    lag_fit: LagFit


@dataclass(frozen=True, slots=True)
class LatencyReport:
    """The benchmark's outcome."""

    benchmark: str
    voice: str
    trials: int
    characters: int
    """Of the isolated text."""
    modes: dict[str, Figures]
    ratios: dict[str, float]
    by_length: tuple[Lag, ...]
    lag_fit: LagFit
    machine: Machine
    model_digest: str
    """SHA-256 of the weights."""
    versions: dict[str, str]


async def run_latency(
    environ: Mapping[str, str],
    *,
    voice: str | None,
    trials: int,
    note: Note,
    progress: Report | None = None,
    texts: Texts | None = None,
) -> LatencyReport:
    """Measure, with a server of its own.

    Args:
        environ: Settings, of the server too.
        voice: An English voice or blend; the settings' own unless given.
        trials: Of each way of speaking.
        note: Told what goes on.
        progress: Told of fetching and preparing.
        texts: What is spoken; the benchmark's own texts unless given.

    Raises:
        PrimavoceError: something is missing or fails.
    """
    settings = Settings.from_env(environ)
    chosen = english_voice(voice or settings.voice)
    texts = texts or read_texts()
    await fetch_and_prepare(settings.assets, progress=progress)
    store = AssetStore(settings.assets, progress=progress)
    threads = settings.threads or cpu_quota()
    machine = describe_machine(threads=threads)
    note(f"loading the published export, {threads} threads, and a server of our own")
    published = await anyio.to_thread.run_sync(lambda: PublishedModel.load(store, chosen, threads=threads))
    async with local_server({"PRIMAVOCE_LOG_LEVEL": "warning", **environ, **NOTHING_REMEMBERED}) as address:
        async with SpeechSession(address) as session:
            found = await measure_latency(session, published, texts, voice=chosen.name, trials=trials, note=note)
    _, digest = store.weights_with_digest()
    return LatencyReport(
        benchmark="latency",
        voice=chosen.name,
        trials=trials,
        characters=len(texts.answer),
        modes=found.modes,
        ratios=found.ratios,
        by_length=found.by_length,
        lag_fit=found.lag_fit,
        machine=machine,
        model_digest=digest,
        versions=versions(),
    )


async def measure_latency(
    session: SpeechSession, published: WholeTexts, texts: Texts, *, voice: str, trials: int, note: Note
) -> Measured:
    """Measure through ``session`` and beside ``published``, one after the other, never both at a time.

    Raises:
        PrimavoceError: something fails.
    """

    async def in_turn(*parts: str) -> Heard:
        return await anyio.to_thread.run_sync(hear_in_turn, published, parts)

    modes: dict[str, Callable[[], Awaitable[Heard]]] = {
        "batch": functools.partial(in_turn, texts.answer),
        "first_sentence": functools.partial(in_turn, texts.isolated[0], " ".join(texts.isolated[1:])),
        "streaming": functools.partial(hear, session, texts.answer, voice),
    }
    lags = {text: functools.partial(hear_first_sound, session, text, voice) for text in texts.by_length}
    note("warming up")
    await in_turn(WARM_UP)
    await hear(session, WARM_UP, voice)
    note(f"{len(texts.answer)} characters: {', '.join(modes)}")
    heard = await take_turns(modes, trials=trials, note=note)
    note(f"{len(lags)} sentences, from {len(texts.by_length[0])} to {len(texts.by_length[-1])} characters")
    lagged = await take_turns(lags, trials=trials, note=note)

    figures = {name: Figures.of(found) for name, found in heard.items()}
    by_length = tuple(Lag(len(text), published.count_phonemes(text), Spread.of(lagged[text])) for text in lags)
    medians = [lag.first_sound_s.median for lag in by_length]
    batch, streaming = figures["batch"], figures["streaming"]
    return Measured(
        figures,
        {
            "streaming_to_batch_first_sound": ratio(streaming.first_sound_s, batch.first_sound_s),
            "streaming_to_batch_real_time_factor": ratio(streaming.real_time_factor, batch.real_time_factor),
            "longest_to_shortest_lag": round(max(medians) / min(medians), DIGITS),
        },
        by_length,
        LagFit.through([lag.phonemes for lag in by_length], medians),
    )
