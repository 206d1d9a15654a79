"""The same texts, weights and voice through us and through kokoro-onnx."""

import functools
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread
import numpy as np

from primavoce.assets.progress import Report
from primavoce.assets.store import AssetStore
from primavoce.bench.hearing import Figures, Heard
from primavoce.bench.kokoro_onnx_worker import VOICE
from primavoce.bench.latency import WARM_UP
from primavoce.bench.peer_process import KOKORO_ONNX, Peer, kokoro_onnx_command, peer_process
from primavoce.bench.session import hear
from primavoce.bench.setting import NOTHING_REMEMBERED, Machine, describe_machine, versions
from primavoce.bench.spread import ratio
from primavoce.bench.texts import Texts, english_voice, read_texts
from primavoce.bench.trials import Note, take_turns
from primavoce.client import SpeechSession
from primavoce.client.local_server import local_server
from primavoce.kokoro.threads import cpu_quota
from primavoce.settings import Settings
from primavoce.synthesis.kokoro_engine import fetch_and_prepare
from primavoce.synthesis.styles import PackStyles
from primavoce.voices.blend import Blend
from primavoce.voices.packs import ROWS

type Sides = dict[str, dict[str, Figures]]
"""Way of speaking → text (``isolated``, ``first_sentence``) → figures."""

OUR_WAYS = ("streaming", "whole")
THEIR_WAYS = ("create_stream", "create")
"""What each of ours is compared with, in the same order."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What the trials gave."""

    ours: Sides
    kokoro_onnx: Sides
    ratios: dict[str, float]
    """Ours ÷ theirs."""


@dataclass(frozen=True, slots=True)
class PeersReport:
    """The benchmark's outcome."""

    benchmark: str
    voice: str
    trials: int
    characters: dict[str, int]
    """Text → its length."""
    ours: Sides
    kokoro_onnx: Sides
    ratios: dict[str, float]
    machine: Machine
    model_digest: str
    """SHA-256 of the weights, which both use."""
    versions: dict[str, str]


async def run_peers(
    environ: Mapping[str, str],
    *,
    voice: str | None,
    trials: int,
    note: Note,
    progress: Report | None = None,
    texts: Texts | None = None,
) -> PeersReport:
    """Compare, with two servers of our own and a process of theirs: all loaded, only one at work.

    Args:
        environ: Settings, of the servers too.
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
    spoken = _spoken(texts or read_texts())
    await fetch_and_prepare(settings.assets, progress=progress)
    store = AssetStore(settings.assets, progress=progress)
    weights, digest = store.weights_with_digest()
    threads = settings.threads or cpu_quota()
    machine = describe_machine(threads=threads)
    quiet = {"PRIMAVOCE_LOG_LEVEL": "warning", **environ, **NOTHING_REMEMBERED}
    with tempfile.TemporaryDirectory(prefix="primavoce-") as folder:
        voices = Path(folder) / "voices.npz"
        await anyio.to_thread.run_sync(write_voice, voices, PackStyles(store.voice), chosen)
        note(f"loading {KOKORO_ONNX}, {threads} threads, in an environment of its own")
        async with peer_process(KOKORO_ONNX, kokoro_onnx_command(weights, voices, threads=threads)) as peer:
            note("loading two servers of our own: streaming within segments, and whole segments")
            async with (
                local_server({**quiet, "PRIMAVOCE_VOCODER": "stream"}) as streaming,
                local_server({**quiet, "PRIMAVOCE_VOCODER": "whole"}) as whole,
                SpeechSession(streaming) as streaming_session,
                SpeechSession(whole) as whole_session,
            ):
                sessions = {"streaming": streaming_session, "whole": whole_session}
                found = await compare(sessions, peer, spoken, voice=chosen, trials=trials, note=note)
                theirs = peer.versions
    return PeersReport(
        benchmark="peers",
        voice=chosen.name,
        trials=trials,
        characters={name: len(text) for name, text in spoken.items()},
        ours=found.ours,
        kokoro_onnx=found.kokoro_onnx,
        ratios=found.ratios,
        machine=machine,
        model_digest=digest,
        versions={
            **versions(),
            "kokoro-onnx": theirs["kokoro-onnx"],
            "kokoro-onnx's onnxruntime": theirs["onnxruntime"],
        },
    )


async def compare(
    sessions: Mapping[str, SpeechSession],
    peer: Peer,
    texts: Mapping[str, str],
    *,
    voice: Blend,
    trials: int,
    note: Note,
) -> Compared:
    """Have each text spoken in each way, by us and by the peer, one after the other.

    Args:
        sessions: Our ways.
        peer: The other.
        texts: Name → text.
        voice: The one that speaks.
        trials: Of each.
        note: Told what goes on.

    Raises:
        PrimavoceError: something fails.
    """
    ours = {
        f"{way}/{name}": functools.partial(hear, sessions[way], text, voice.name)
        for way in OUR_WAYS
        for name, text in texts.items()
    }
    theirs = {
        f"{way}/{name}": functools.partial(peer.hear, text, way=way, language=voice.language)
        for way in THEIR_WAYS
        for name, text in texts.items()
    }
    ways: dict[str, Callable[[], Awaitable[Heard]]] = {**ours, **theirs}
    note("warming up")
    for session in sessions.values():
        await hear(session, WARM_UP, voice.name)
    await peer.hear(WARM_UP, way="create", language=voice.language)
    heard = await take_turns(ways, trials=trials, note=note)

    def side(own: tuple[str, ...]) -> Sides:
        return {way: {name: Figures.of(heard[f"{way}/{name}"]) for name in texts} for way in own}

    our_side, their_side = side(OUR_WAYS), side(THEIR_WAYS)
    return Compared(our_side, their_side, _ratios(our_side, their_side))


def _ratios(ours: Sides, theirs: Sides) -> dict[str, float]:
    streaming, whole = (ours[way] for way in OUR_WAYS)
    stream, create = (theirs[way] for way in THEIR_WAYS)
    return {
        "first_sound": ratio(streaming["isolated"].first_sound_s, stream["isolated"].first_sound_s),
        "first_sound_first_sentence": ratio(
            streaming["first_sentence"].first_sound_s, stream["first_sentence"].first_sound_s
        ),
        "real_time_factor": ratio(streaming["isolated"].real_time_factor, stream["isolated"].real_time_factor),
        "real_time_factor_whole": ratio(whole["isolated"].real_time_factor, create["isolated"].real_time_factor),
        # The same text, so the same speech: pauses that we set shorter than theirs don't count against us here.
        "total": ratio(streaming["isolated"].total_s, stream["isolated"].total_s),
        "total_whole": ratio(whole["isolated"].total_s, create["isolated"].total_s),
    }


def _spoken(texts: Texts) -> dict[str, str]:
    return {"isolated": texts.answer, "first_sentence": texts.isolated[0]}


def write_voice(path: Path, styles: PackStyles, voice: Blend) -> None:
    """Write ``voice`` as the file of voices that kokoro-onnx reads, under the name `VOICE`.

    Raises:
        AssetError: a pack can't be had.
    """
    rows = np.stack([styles.style(voice, count) for count in range(1, ROWS + 1)])
    np.savez(path, allow_pickle=False, **{VOICE: rows})
