"""How soon an endpoint, and an agent, are heard: the published comparison, repeated."""

import functools
import statistics
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import anyio.to_thread
import msgspec

from primavoce.agent.identity import new_session_id
from primavoce.aws.account import READ_TIMEOUT_S, Account, asking
from primavoce.aws.asking_agent import ask, wake
from primavoce.bench.agent_listening import AnswerHeard, AnswerListener
from primavoce.bench.agent_visits import AgentAddress, Asked, hear_answer
from primavoce.bench.hearing import Heard, Hearing
from primavoce.bench.session import hear
from primavoce.bench.texts import read_texts
from primavoce.bench.trials import Note, take_turns
from primavoce.client import SpeechSession
from primavoce.client.link import Opener
from primavoce.client.verification.pace import SAME_WORDS_ASTRAY
from primavoce.errors import SessionBroken, SessionTimeout

if TYPE_CHECKING:
    from primavoce.agent.runtime.deployed import DeployedRuntime

BATCH, STREAM = "batch", "stream"
PUBLISHED_MS = {BATCH: 329.3, STREAM: 156.7}
"""First audio of an isolated text of 267 characters, published: means of one test on one endpoint."""
PUBLISHED_REDUCTION = 52.4
"""Per cent."""
PUBLISHED_RATIOS = {"local": 2.4, "deployed": 3.5}
"""First audio of an agent's answer, batch ÷ stream, published: one trial each."""
PUBLISHED_REMARK = (
    "published figures are those of one test, on another endpoint, with another text and another client: "
    "they are here to be seen beside, not to be beaten"
)
DIGITS = 2
WARM_UP = "Good morning."

type Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Times:
    """Trials of one thing, in milliseconds."""

    mean: float
    median: float
    least: float
    most: float
    n: int

    @classmethod
    def of(cls, seconds: Iterable[float]) -> Self:
        """Return what ``seconds``, of which there is at least one, come to."""
        found = [value * 1000 for value in seconds]
        return cls(
            mean=round(statistics.fmean(found), DIGITS),
            median=round(statistics.median(found), DIGITS),
            least=round(min(found), DIGITS),
            most=round(max(found), DIGITS),
            n=len(found),
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure, batch against streaming."""

    batch: Times
    stream: Times

    @property
    def reduction_of_means(self) -> float:
        """Per cent of the batch's mean that streaming saves."""
        return reduction(self.batch.mean, self.stream.mean)

    @property
    def reduction_of_medians(self) -> float:
        """The same of the medians."""
        return reduction(self.batch.median, self.stream.median)


@dataclass(frozen=True, slots=True)
class SpeechFigures:
    """An endpoint, the same text each time."""

    characters: int
    first_byte: Compared
    """Until the first byte of audio."""
    first_sound: Compared
    """Until the first audible sample, the audio being played as it comes."""
    opening_ms: float
    """Of the session, before the text: TLS, HTTP/2 and the container's answer."""


@dataclass(frozen=True, slots=True)
class AgentFigures:
    """An agent, the same question each time; its answers may differ in length."""

    where: str
    """``local`` or ``deployed``."""
    first_audio: Compared
    ratio: float
    """Median of batch ÷ stream, of the two in one round each."""
    characters: Mapping[str, tuple[int, ...]]
    """Of the answers, by mode."""
    model: str | None = None
    """What wrote, as ``primavoce agent --model`` takes it; null where that isn't known."""


def reduction(batch: float, stream: float) -> float:
    """Return how many per cent less ``stream`` is than ``batch``."""
    return round(100 * (1 - stream / batch), 1)


def compared(heard: Mapping[str, Sequence[object]], measure: str) -> Compared:
    """Return ``measure``, a field in seconds, of the trials ``heard`` in both modes."""
    return Compared(*(Times.of(getattr(each, measure) for each in heard[mode]) for mode in (BATCH, STREAM)))


# --- an endpoint


async def measure_speech(
    account: Account,
    endpoint: str,
    opener: Opener,
    *,
    voice: str,
    trials: int,
    note: Note,
    clock: Clock = time.perf_counter,
) -> SpeechFigures:
    """Have the isolated text spoken ``trials`` times in each mode, in turn.

    Batch is the whole text, sent when all of it is spoken, by a response stream; streaming is a session.

    Raises:
        DeploymentError: the endpoint can't be asked.
        SessionError: the session fails.
    """
    text = read_texts().answer
    client = account.client("sagemaker-runtime")

    async def batch() -> Heard:
        listen = functools.partial(hear_batch, client, endpoint, text, voice=voice, clock=clock)
        return await anyio.to_thread.run_sync(listen, abandon_on_cancel=True)

    began = clock()
    async with SpeechSession.over(opener) as session:
        await session.ping()
        opening_s = clock() - began

        async def stream() -> Heard:
            return await hear(session, text, voice, clock=clock)

        note("warming up")
        await hear(session, WARM_UP, voice, clock=clock)
        await batch()
        found = await take_turns({BATCH: batch, STREAM: stream}, trials=trials, note=note)
    _check_whole(found)
    return SpeechFigures(
        len(text),
        first_byte=compared(found, "first_audio_s"),
        first_sound=compared(found, "first_sound_s"),
        opening_ms=round(opening_s * 1000, DIGITS),
    )


def _check_whole(heard: Mapping[str, Sequence[Heard]]) -> None:
    """See that the same text has lasted as long each time: a stream of responses may end early without a word.

    Raises:
        SessionBroken: it hasn't.
    """
    lasted = {mode: [each.audio_s for each in trials] for mode, trials in heard.items()}
    longest = max(max(each) for each in lasted.values())
    for mode, seconds in lasted.items():
        if min(seconds) < (1 - SAME_WORDS_ASTRAY) * longest:
            told = f"{min(seconds):.2f} s of a text that takes {longest:.2f} s came ({mode})"
            raise SessionBroken(told)


def hear_batch(client: object, endpoint: str, text: str, *, voice: str, clock: Clock = time.perf_counter) -> Heard:
    """Have ``text`` spoken, whole, and sent when it is done; by a response stream. Blocking.

    Raises:
        DeploymentError: it can't be had.
        SessionError: it breaks off, or nothing more comes.
        SynthesisFailed: there was no sound.
    """
    body = msgspec.json.encode({"text": text, "voice": voice, "format": "pcm", "stream": False})
    hearing, began = Hearing(), clock()
    with asking("sagemaker:InvokeEndpointWithResponseStream"):
        answer = client.invoke_endpoint_with_response_stream(  # type: ignore[attr-defined]
            EndpointName=endpoint, ContentType="application/json", Body=body
        )
        with _reading(endpoint), closing(answer["Body"]) as events:
            for event in events:
                if "PayloadPart" in event:
                    hearing.take(event["PayloadPart"]["Bytes"], clock() - began)
    return hearing.end(clock() - began)


@contextmanager
def _reading(endpoint: str) -> Iterator[None]:
    """Make errors of ours of those beneath botocore: while it reads a stream of events, it passes them on as they are.

    Raises:
        SessionError: one of them.
    """
    from botocore.eventstream import ParserError  # type: ignore[import-untyped]
    from urllib3.exceptions import HTTPError, ReadTimeoutError

    try:
        yield
    except ReadTimeoutError as error:
        raise SessionTimeout(f"byte of endpoint {endpoint}", READ_TIMEOUT_S) from error
    except (HTTPError, OSError, ParserError) as error:
        raise SessionBroken(f"the endpoint's answer broke off ({type(error).__name__})") from error


# --- an agent


async def measure_agent(
    ways: Mapping[str, Callable[[], Awaitable[AnswerHeard]]],
    *,
    where: str,
    trials: int,
    note: Note,
    model: str | None = None,
) -> AgentFigures:
    """Have an agent answer ``trials`` times in each mode, in turn.

    Args:
        ways: What asks it, by mode.
        where: It runs.
        trials: Of each mode.
        note: Told what goes on.
        model: What writes, if that is known.

    Raises:
        PrimavoceError: it fails.
    """
    note(f"{where} agent: warming up")
    await ways[STREAM]()
    found = await take_turns(ways, trials=trials, note=note)
    ratios = [b.first_audio_s / s.first_audio_s for b, s in zip(found[BATCH], found[STREAM], strict=True)]
    return AgentFigures(
        where,
        first_audio=compared(found, "first_audio_s"),
        ratio=round(statistics.median(ratios), DIGITS),
        characters={mode: tuple(len(each.text) for each in answers) for mode, answers in found.items()},
        model=model,
    )


def ways_by_address(url: str, asked: Asked) -> dict[str, Callable[[], Awaitable[AnswerHeard]]]:
    """Return what asks an agent that runs at ``url``."""
    return {mode: functools.partial(hear_answer, AgentAddress(url), asked, mode) for mode in (BATCH, STREAM)}


def ways_by_runtime(
    runtime: "DeployedRuntime", asked: Asked, *, clock: Clock = time.perf_counter
) -> dict[str, Callable[[], Awaitable[AnswerHeard]]]:
    """Return what asks a deployed agent: each time in a conversation whose machine is up before the question."""

    def listen(mode: str) -> AnswerHeard:
        session_id = new_session_id()
        wake(runtime, session_id)
        listener = AnswerListener()
        events = ask(runtime, asked.prompt, session_id=session_id, mode=mode, voice=asked.voice, clock=clock)
        for event, at_s in events:
            listener.take(event, at_s)
            if listener.ended:
                break
        return listener.end()

    async def hear_mode(mode: str) -> AnswerHeard:
        return await anyio.to_thread.run_sync(functools.partial(listen, mode), abandon_on_cancel=True)

    return {mode: functools.partial(hear_mode, mode) for mode in (BATCH, STREAM)}
