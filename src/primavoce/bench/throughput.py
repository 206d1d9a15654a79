"""How many can be spoken to at a time, and how much is spoken in an hour when nobody listens."""

import functools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import anyio

from primavoce.assets.progress import Report
from primavoce.assets.store import AssetStore
from primavoce.bench.conversation import Conversation, converse
from primavoce.bench.latency import WARM_UP
from primavoce.bench.session import hear
from primavoce.bench.setting import NOTHING_REMEMBERED, Machine, describe_machine, versions
from primavoce.bench.spread import DIGITS
from primavoce.bench.tail import percentile
from primavoce.bench.texts import Texts, english_voice, read_texts
from primavoce.bench.trials import Note
from primavoce.bench.writing import TOKENS_PER_S, Clock, Sleep, answers
from primavoce.client import SpeechSession
from primavoce.client.local_server import local_server
from primavoce.errors import lone_error
from primavoce.kokoro.threads import cpu_quota
from primavoce.settings import Settings
from primavoce.synthesis.kokoro_engine import fetch_and_prepare
from primavoce.voices.blend import Blend

NOBODY_LISTENS = {"PRIMAVOCE_MAX_AHEAD_S": "86400"}
"""Setting of a server whose audio is for a file."""


@dataclass(frozen=True, slots=True)
class Level:
    """So many sessions at a time."""

    n: int
    """Sessions."""
    answers: int
    """Answers that were spoken."""
    underruns: int
    """Gaps in playback that text being late doesn't explain."""
    longest_underrun_s: float
    refused: int
    """Answers that the server didn't take: `overloaded`."""
    first_sound_p50_s: float | None
    """Speech lag, from an answer's first sentence being certain to its first sound; null when nothing was heard."""
    first_sound_p95_s: float | None
    audio_hours_per_hour: float
    """Audio that the listeners heard: as many hours as there are sessions, if nobody ever waited."""

    @classmethod
    def of(cls, conversations: Sequence[Conversation], *, heard_s: float, within_s: float) -> Self:
        """Return what ``conversations`` came to, whose listeners heard ``heard_s`` seconds ``within_s`` seconds."""
        listeners = [listener for conversation in conversations for listener in conversation.listeners]
        lags = [listener.first_sound_s for listener in listeners if listener.first_sound_s is not None]
        gaps = [gap_s for listener in listeners for gap_s in listener.underruns]
        return cls(
            n=len(conversations),
            answers=len(lags),
            underruns=len(gaps),
            longest_underrun_s=round(max(gaps, default=0.0), DIGITS),
            refused=sum(conversation.refused for conversation in conversations),
            first_sound_p50_s=round(percentile(lags, 0.5), DIGITS) if lags else None,
            first_sound_p95_s=round(percentile(lags, 0.95), DIGITS) if lags else None,
            audio_hours_per_hour=round(heard_s / within_s, DIGITS),
        )


@dataclass(frozen=True, slots=True)
class Offline:
    """Whole texts, one after another, as fast as they can be spoken."""

    audio_hours_per_hour: float
    """The inverse of the real-time factor."""
    audio_s: float
    """Seconds of audio that were made."""
    elapsed_s: float
    """Seconds that it took."""


@dataclass(frozen=True, slots=True)
class ThroughputReport:
    """The benchmark's outcome."""

    benchmark: str
    voice: str
    seconds: float
    """How long each number of sessions was kept up."""
    tokens_per_s: float
    """The agents' rate."""
    sessions: tuple[Level, ...]
    offline: Offline
    machine: Machine
    model_digest: str
    """SHA-256 of the weights."""
    versions: dict[str, str]


async def run_throughput(
    environ: Mapping[str, str],
    *,
    sessions: Sequence[int],
    seconds: float,
    voice: str | None,
    note: Note,
    progress: Report | None = None,
    texts: Texts | None = None,
) -> ThroughputReport:
    """Measure, with servers of its own.

    Args:
        environ: Settings, of the servers too.
        sessions: How many at a time; each number for itself.
        seconds: How long each number is kept up.
        voice: An English voice or blend; the settings' own unless given.
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
    machine = describe_machine(threads=settings.threads or cpu_quota())
    # What is to be found out is how many the model can speak to, not how many the door lets in.
    room = str(max(settings.max_sessions, *(n + 1 for n in sessions)))
    quiet = {"PRIMAVOCE_LOG_LEVEL": "warning", **environ, **NOTHING_REMEMBERED, "PRIMAVOCE_MAX_SESSIONS": room}
    note("whole texts, no pacing")
    async with local_server({**quiet, **NOBODY_LISTENS}) as address, SpeechSession(address) as session:
        await hear(session, WARM_UP, chosen.name)
        offline = await measure_offline(session, texts, voice=chosen, seconds=seconds)
    levels = []
    async with local_server(quiet) as address:
        async with SpeechSession(address) as session:
            await hear(session, WARM_UP, chosen.name)
        for n in sessions:
            note(f"{n} {'session' if n == 1 else 'sessions'} for {seconds:g} s")
            levels.append(await measure_level(address, texts, n=n, seconds=seconds, voice=chosen))
    _, digest = AssetStore(settings.assets, progress=progress).weights_with_digest()
    return ThroughputReport(
        benchmark="throughput",
        voice=chosen.name,
        seconds=seconds,
        tokens_per_s=TOKENS_PER_S,
        sessions=tuple(levels),
        offline=offline,
        machine=machine,
        model_digest=digest,
        versions=versions(),
    )


async def measure_level(
    address: str,
    texts: Texts,
    *,
    n: int,
    seconds: float,
    voice: Blend,
    tokens_per_s: float = TOKENS_PER_S,
    clock: Clock = time.perf_counter,
    sleep: Sleep = anyio.sleep,
) -> Level:
    """Keep ``n`` sessions up for ``seconds``; all begin at once, which is the worst there is.

    Raises:
        PrimavoceError: something fails.
    """
    conversations = [Conversation() for _ in range(n)]
    began = clock()
    speak = functools.partial(
        converse, voice=voice, until_s=began + seconds, tokens_per_s=tokens_per_s, clock=clock, sleep=sleep
    )
    with lone_error():
        async with anyio.create_task_group() as tasks:
            for seed, conversation in enumerate(conversations):
                tasks.start_soon(speak, address, answers(texts, seed=seed), conversation)
            await sleep(seconds)
            # Now, and not when all is over: by then some have been silent for a while.
            now = clock()
            heard_s = sum(listener.heard_s(now) for each in conversations for listener in each.listeners)
    return Level.of(conversations, heard_s=heard_s, within_s=now - began)


async def measure_offline(
    session: SpeechSession, texts: Texts, *, voice: Blend, seconds: float, clock: Clock = time.perf_counter
) -> Offline:
    """Have all texts spoken as one, again and again until ``seconds`` have passed; the last is spoken to its end.

    Raises:
        PrimavoceError: something fails.
    """
    text = " ".join((*texts.isolated, *texts.by_length))
    began, audio_s, elapsed_s = clock(), 0.0, 0.0
    while elapsed_s < seconds:
        audio_s += (await hear(session, text, voice.name, clock=clock)).audio_s
        elapsed_s = clock() - began
    return Offline(round(audio_s / elapsed_s, DIGITS), round(audio_s, DIGITS), round(elapsed_s, DIGITS))
