"""Clips sent over each way to a listener, the same server behind all; `primavoce.bench.ways` says what each cost."""

import functools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import anyio.to_thread

from primavoce.assets.progress import Report
from primavoce.assets.store import AssetStore
from primavoce.bench.delivery import over_events, over_websocket
from primavoce.bench.latency import WARM_UP
from primavoce.bench.quality_group import has
from primavoce.bench.recogniser import Recogniser
from primavoce.bench.recording import Clip, read_clip_texts, record
from primavoce.bench.replay_server import ReplayServer, replay_server
from primavoce.bench.session import hear
from primavoce.bench.setting import NOTHING_REMEMBERED, Machine, describe_machine, versions
from primavoce.bench.spread import DIGITS
from primavoce.bench.texts import english_voice
from primavoce.bench.trials import Note, take_turns
from primavoce.bench.ways import Trial, Way, judge
from primavoce.client import SpeechSession
from primavoce.client.local_server import local_server
from primavoce.kokoro.threads import cpu_quota
from primavoce.settings import Settings
from primavoce.synthesis.kokoro_engine import fetch_and_prepare

SENT_AS = ("pcm", "wav", "mp3", "opus", "flac")
"""Formats that are compared; those of telephones are PCM of another kind."""
TRANSPORTS = {"websocket": over_websocket, "sse": over_events}
WARM_UPS = 2
"""Clips of each way before anything counts."""


@dataclass(frozen=True, slots=True)
class TransportReport:
    """The benchmark's outcome."""

    benchmark: str
    voice: str
    trials: int
    clips: int
    audio_s: float
    """Of all clips."""
    ways: tuple[Way, ...]
    machine: Machine
    model_digest: str
    """SHA-256 of the weights that spoke the clips."""
    versions: dict[str, str]


async def run_transport(
    environ: Mapping[str, str],
    *,
    voice: str | None,
    trials: int,
    wer: bool,
    note: Note,
    progress: Report | None = None,
    texts: Sequence[str] | None = None,
) -> TransportReport:
    """Record the clips with the real voice, then have a server that replays them send them over each way.

    Args:
        environ: Settings, of both servers too.
        voice: An English voice or blend; the settings' own unless given.
        trials: Of each way.
        wer: Whether a recogniser listens, too.
        note: Told what goes on.
        progress: Told of fetching and preparing.
        texts: What is spoken; the benchmark's own clips unless given.

    Raises:
        PrimavoceError: something is missing or fails.
    """
    settings = Settings.from_env(environ)
    chosen = english_voice(voice or settings.voice)
    threads = settings.threads or cpu_quota()
    recogniser = await anyio.to_thread.run_sync(lambda: Recogniser(threads=threads)) if wer else None
    await fetch_and_prepare(settings.assets, progress=progress)
    machine = describe_machine(threads=threads)
    quiet = {"PRIMAVOCE_LOG_LEVEL": "warning", **environ, **NOTHING_REMEMBERED}
    spoken = texts or read_clip_texts()
    note(f"recording {len(spoken)} clips")
    async with local_server(quiet) as address, SpeechSession(address) as session:
        await hear(session, WARM_UP, chosen.name)
        clips = [await record(session, text, chosen.name) for text in spoken]
    async with replay_server(quiet, clips) as server:
        found = await measure_transport(server, clips, trials=trials, note=note)
    listen = None if recogniser is None else recogniser.transcribe
    if listen is not None:
        note("listening to what came")
    ways = await anyio.to_thread.run_sync(lambda: judge(clips, found, listen=listen, aac=has("av")))
    return TransportReport(
        benchmark="transport",
        voice=chosen.name,
        trials=trials,
        clips=len(clips),
        audio_s=round(sum(clip.audio_s for clip in clips), DIGITS),
        ways=ways,
        machine=machine,
        model_digest=AssetStore(settings.assets).weights_with_digest()[1],
        versions=versions(),
    )


async def measure_transport(
    server: ReplayServer, clips: Sequence[Clip], *, trials: int, note: Note, formats: Sequence[str] = SENT_AS
) -> dict[tuple[str, str], list[Trial]]:
    """Have ``server`` send ``clips`` over each way, and return the trials by transport and format.

    Raises:
        PrimavoceError: something fails.
    """

    async def send(transport: str, audio_format: str, sent: Sequence[Clip]) -> Trial:
        before_s = await server.cpu_s()
        delivered = await TRANSPORTS[transport](server.address, sent, audio_format)
        return Trial(delivered, await server.cpu_s() - before_s)

    names = {f"{transport} {each}": (transport, each) for transport in TRANSPORTS for each in formats}

    def sending(sent: Sequence[Clip]) -> dict[str, Callable[[], Awaitable[Trial]]]:
        return {name: functools.partial(send, *way, sent) for name, way in names.items()}

    note(f"{len(clips)} clips over {len(names)} ways")
    await take_turns(sending(clips[:WARM_UPS]), trials=1, note=lambda _: None)
    found = await take_turns(sending(clips), trials=trials, note=note)
    return {names[name]: tried for name, tried in found.items()}
