"""What everything but the model costs: the wire, the sentences, the scheduling, the framing."""

import functools
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from primavoce.bench.humming_server import HummingServer, humming_server
from primavoce.bench.loop_meter import Longest
from primavoce.bench.setting import Machine, describe_machine, versions
from primavoce.bench.tail import NANO_DIGITS, Tail
from primavoce.bench.texts import Texts, read_texts
from primavoce.bench.trials import Note, take_turns
from primavoce.bench.writing import Clock, tokens
from primavoce.client import SpeechSession
from primavoce.errors import SynthesisFailed
from primavoce.protocol.client import Audio

WARM_UPS = 3
MODEL_THREADS = 1
NOBODY_WRITES_SO_FAST = {"PRIMAVOCE_MAX_MESSAGES_PER_S": "1000000"}
"""Setting of a server whose bound on messages a second isn't what is measured."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the trials gave."""

    per_utterance_s: Tail
    """From sending one whole sentence to its completion."""
    per_frame_s: Tail
    """From one frame of audio to the next, in an answer of several sentences."""
    per_token_s: Tail
    """From sending a token to its having been looked at, many being sent one after another."""
    event_loop: Longest
    """The server's, over all trials."""


@dataclass(frozen=True, slots=True)
class OverheadReport:
    """The benchmark's outcome."""

    benchmark: str
    trials: int
    per_utterance_s: Tail
    per_frame_s: Tail
    per_token_s: Tail
    event_loop: Longest
    machine: Machine
    model_digest: None
    """Null: no weights were used."""
    versions: dict[str, str]


async def run_overhead(
    environ: Mapping[str, str], *, trials: int, note: Note, texts: Texts | None = None
) -> OverheadReport:
    """Measure, with a server of its own whose model costs nothing.

    Args:
        environ: Settings of the server.
        trials: Of each measurement.
        note: Told what goes on.
        texts: What is spoken; the benchmark's own texts unless given.

    Raises:
        PrimavoceError: something is missing or fails.
    """
    machine = describe_machine(threads=MODEL_THREADS)
    note("starting a server of our own whose model costs nothing")
    async with humming_server({**NOBODY_WRITES_SO_FAST, "PRIMAVOCE_LOG_LEVEL": "warning", **environ}) as server:
        found = await measure_overhead(server, texts or read_texts(), trials=trials, note=note)
    return OverheadReport(
        benchmark="overhead",
        trials=trials,
        per_utterance_s=found.per_utterance_s,
        per_frame_s=found.per_frame_s,
        per_token_s=found.per_token_s,
        event_loop=found.event_loop,
        machine=machine,
        model_digest=None,
        versions=versions(),
    )


async def measure_overhead(server: HummingServer, texts: Texts, *, trials: int, note: Note) -> Measured:
    """Measure through one session with ``server``.

    Raises:
        PrimavoceError: something fails.
    """
    async with SpeechSession(server.address) as session:
        ways: dict[str, Callable[[], Awaitable[float]]] = {
            "utterance": functools.partial(time_utterance, session, texts.isolated[0]),
            "frame": functools.partial(time_frames, session, texts.answer),
            # One sentence, so that nothing of it is certain, and spoken, before its end.
            "token": functools.partial(time_tokens, session, texts.by_length[-1]),
        }
        note(f"{trials} trials each: {', '.join(f'per {name}' for name in ways)}")
        await take_turns(ways, trials=WARM_UPS, note=_nothing)
        await server.longest()  # what was done for the first time is over
        found = await take_turns(ways, trials=trials, note=_nothing)
        longest = await server.longest()
    return Measured(
        Tail.of(found["utterance"]),
        Tail.of(found["frame"], digits=NANO_DIGITS),
        Tail.of(found["token"], digits=NANO_DIGITS),
        longest,
    )


def _nothing(_: str) -> None:
    """Say nothing: there are hundreds of trials, and each takes milliseconds."""


async def time_utterance(session: SpeechSession, text: str, *, clock: Clock = time.perf_counter) -> float:
    """Return the seconds from sending ``text``, whole, to its completion.

    Raises:
        SessionError: the session fails.
    """
    began = clock()
    async with session.utterance(text) as utterance:
        async for _ in utterance:
            pass
        return clock() - began


async def time_frames(session: SpeechSession, text: str, *, clock: Clock = time.perf_counter) -> float:
    """Return the mean seconds between two frames of the audio of ``text``.

    Raises:
        SessionError: the session fails.
        SynthesisFailed: it makes fewer than two frames.
    """
    async with session.utterance(text) as utterance:
        arrivals = [clock() async for event in utterance if isinstance(event, Audio)]
    if len(arrivals) < 2:
        raise SynthesisFailed
    return (arrivals[-1] - arrivals[0]) / (len(arrivals) - 1)


async def time_tokens(session: SpeechSession, text: str, *, clock: Clock = time.perf_counter) -> float:
    """Return the mean seconds that the server takes in a token of ``text``; then cancel.

    Raises:
        SessionError: the session fails.
    """
    written = tokens(text)
    async with session.utterance() as utterance:
        began = clock()
        for token in written:
            await utterance.send(token)
        await session.ping()  # the server answers in order: by then it has looked at all of them
        return (clock() - began) / len(written)
