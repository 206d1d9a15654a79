"""An agent's answer spoken while it is written, against the same answer spoken afterwards; and interrupted."""

import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

from primavoce.agent.scripted import FIRST_TOKEN_S, TOKENS_PER_S
from primavoce.agent.settings import AgentSettings
from primavoce.assets.progress import Report
from primavoce.assets.store import AssetStore
from primavoce.bench.agent_listening import AnswerFigures, AnswerHeard
from primavoce.bench.agent_visits import AgentAddress, Asked, Interrupted, hear_answer, interrupt_answer
from primavoce.bench.own_server import OwnServer, own_server
from primavoce.bench.setting import NOTHING_REMEMBERED, Machine, describe_machine, versions
from primavoce.bench.spread import Spread
from primavoce.bench.texts import english_voice
from primavoce.bench.throughput import NOBODY_LISTENS
from primavoce.bench.trials import Note, take_turns
from primavoce.errors import ExtraMissing, InvalidSetting
from primavoce.kokoro.threads import cpu_quota
from primavoce.settings import Settings
from primavoce.synthesis.kokoro_engine import fetch_and_prepare
from primavoce.voices.blend import parse_voice

STREAM = "stream"
BASELINES = ("batch", "text_complete")
"""All text, then all audio, then sent, as it was published; and all text, then speech that streams."""
MODES = (STREAM, *BASELINES)
GOALS = {"batch": 10.0, "text_complete": 5.0}
"""How many times sooner the first audio is to come than by each baseline."""
INTERRUPTION_GOAL_S = 0.1
PUBLISHED = {"local": 2.4, "deployed": 3.5}
"""First audio, batch ÷ stream, of the published system: one trial each, on other machines."""
PROMPT = "Explain in about a hundred and twenty words why the sky is blue."
SCRIPTED = "scripted"
SCRIPTED_AGENT = ("bench", "scripted-agent")
"""Of ``primavoce``; not for people."""
INTERRUPTED_WITHIN_S = 2.0
"""Seconds after the first audio over which the interruptions are spread: whatever the model is at, they meet it."""
AGENT_DISTRIBUTIONS = ("strands-agents", "bedrock-agentcore")


@dataclass(frozen=True, slots=True)
class Interruption:
    """Answers that were interrupted; seconds from the sending of the ``cancel``."""

    last_audio_s: Spread
    """Until the last byte of audio came."""
    cancelled_s: Spread
    """Until the answer was told to be cancelled."""
    goal_s: float = INTERRUPTION_GOAL_S


@dataclass(frozen=True, slots=True)
class Measured:
    """What the trials gave."""

    voice: str
    """What the agent says that it was spoken by."""
    same_text: bool
    """Whether all answers were the same."""
    modes: dict[str, AnswerFigures]
    ratios: dict[str, Spread]
    """Baseline ÷ `stream`, of one round each."""
    interruption: Interruption | None
    """Null where every answer had ended before it was to be interrupted."""


@dataclass(frozen=True, slots=True)
class AgentReport:
    """The benchmark's outcome."""

    benchmark: str
    url: str | None
    """Of an agent that ran already; null for one of our own."""
    model: str | None
    """What wrote; null where the agent's own did."""
    tokens_per_s: float | None
    """Of a scripted model."""
    first_token_s: float | None
    speech: str | None
    """What spoke; null where it isn't known."""
    prompt: str
    trials: int
    voice: str
    same_text: bool
    modes: dict[str, AnswerFigures]
    ratios: dict[str, Spread]
    goals: dict[str, float]
    published: dict[str, float]
    interruption: Interruption | None
    machine: Machine
    model_digest: str | None
    """SHA-256 of the weights that spoke; null where they aren't known."""
    versions: dict[str, str]


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """Which agent is measured; what is `None` is the agent's own choice, or the default."""

    url: str | None = None
    """Of one that runs already."""
    api_key: str | None = None
    """Shown to it."""
    model: str | None = None
    """What writes in one of our own."""
    tokens_per_s: float | None = None
    """Mean rate of ``scripted``."""
    first_token_s: float | None = None
    """Seconds before its first token."""
    prompt: str = PROMPT
    voice: str | None = None

    def check(self) -> None:
        """Make sure that the choices go together.

        Raises:
            InvalidSetting: they don't.
            ExtraMissing: the extra ``agent`` isn't installed, and an agent of our own is to be measured.
        """
        if self.url is not None and self.model is not None:
            raise InvalidSetting("--model", "the agent behind --url has chosen its own")
        if not self.is_scripted and (self.tokens_per_s is not None or self.first_token_s is not None):
            raise InvalidSetting("--tokens-per-s, --first-token-s", "they are of --model scripted alone")
        if self.url is None and any(find_spec(name) is None for name in ("strands", "bedrock_agentcore")):
            raise ExtraMissing("`primavoce bench agent`", "agent")

    @property
    def is_scripted(self) -> bool:
        """Whether a script of ours writes."""
        return self.url is None and self.model in {None, SCRIPTED}

    def pace(self) -> tuple[float, float]:
        """Return the scripted model's rate, and the seconds before its first token."""
        return (
            TOKENS_PER_S if self.tokens_per_s is None else self.tokens_per_s,
            FIRST_TOKEN_S if self.first_token_s is None else self.first_token_s,
        )

    def command(self) -> tuple[str, ...]:
        """Return the command of ``primavoce`` that runs an agent of our own, on a free port of loopback."""
        if self.is_scripted:
            tokens_per_s, first_token_s = self.pace()
            return (*SCRIPTED_AGENT, "--tokens-per-s", str(tokens_per_s), "--first-token-s", str(first_token_s))
        return ("agent", "--model", self.model or "", "--host", "127.0.0.1", "--port", "0")


async def run_agent(
    environ: Mapping[str, str], choice: AgentChoice, *, trials: int, note: Note, progress: Report | None = None
) -> AgentReport:
    """Measure, with an agent of our own unless there is one.

    Args:
        environ: Settings, of the agent too.
        choice: Which agent.
        trials: Of each mode, and of interruptions.
        note: Told what goes on.
        progress: Told of fetching and preparing.

    Raises:
        PrimavoceError: something is missing or fails.
    """
    choice.check()
    settings, chosen = Settings.from_env(environ), AgentSettings.from_env(environ)
    local = choice.url is None and chosen.speech == "local"
    voice = choice.voice
    if choice.url is None:
        voice = (english_voice if choice.is_scripted else parse_voice)(voice or settings.voice).name
    digest: str | None = None
    if local:
        await fetch_and_prepare(settings.assets, progress=progress)
        _, digest = AssetStore(settings.assets, progress=progress).weights_with_digest()
    machine = describe_machine(threads=settings.threads or cpu_quota())
    async with agent_for(environ, choice, note=note) as agent:
        found = await measure_agent(agent, Asked(choice.prompt, voice), trials=trials, note=note)
    tokens_per_s, first_token_s = choice.pace() if choice.is_scripted else (None, None)
    own = {} if choice.url is not None else {name: metadata.version(name) for name in AGENT_DISTRIBUTIONS}
    return AgentReport(
        benchmark="agent",
        url=choice.url,
        model=None if choice.url is not None else choice.model or SCRIPTED,
        tokens_per_s=tokens_per_s,
        first_token_s=first_token_s,
        speech=None if choice.url is not None else chosen.speech,
        prompt=choice.prompt,
        trials=trials,
        voice=found.voice,
        same_text=found.same_text,
        modes=found.modes,
        ratios=found.ratios,
        goals=GOALS,
        published=PUBLISHED,
        interruption=found.interruption,
        machine=machine,
        model_digest=digest,
        versions={**versions(), **own},
    )


@asynccontextmanager
async def agent_for(environ: Mapping[str, str], choice: AgentChoice, *, note: Note) -> AsyncIterator[AgentAddress]:
    """Have an agent there while the block runs.

    Raises:
        ServerNotStarted: it ended before it was ready.
    """
    if choice.url is not None:
        yield AgentAddress(choice.url, choice.api_key)
        return
    note(f"starting an agent of our own: primavoce {' '.join(choice.command())}")
    # Nothing is remembered from one trial to the next, and nothing waits until a listener has heard what came before.
    settings = {"PRIMAVOCE_LOG_LEVEL": "warning", **environ, **NOTHING_REMEMBERED, **NOBODY_LISTENS}
    async with own_server(OwnServer, choice.command(), settings) as server:
        yield AgentAddress(server.address)


async def measure_agent(agent: AgentAddress, asked: Asked, *, trials: int, note: Note) -> Measured:
    """Measure the modes in turn, and then interruptions; never two at a time.

    Raises:
        PrimavoceError: something fails.
    """
    ways: dict[str, Callable[[], Awaitable[AnswerHeard]]] = {
        mode: functools.partial(hear_answer, agent, asked, mode) for mode in MODES
    }
    note("warming up")
    await hear_answer(agent, asked, STREAM)
    note(", ".join(MODES))
    heard = await take_turns(ways, trials=trials, note=note)
    note("interruptions")
    moments = [INTERRUPTED_WITHIN_S * (trial + 0.5) / trials for trial in range(trials)]
    interrupted = [await interrupt_answer(agent, asked, after_s=after_s) for after_s in moments]
    texts = {each.text for answers in heard.values() for each in answers}
    return Measured(
        heard[STREAM][0].voice,
        len(texts) == 1,
        {mode: AnswerFigures.of(answers) for mode, answers in heard.items()},
        ratios_of(heard),
        interruption_of([each for each in interrupted if each is not None]),
    )


def ratios_of(heard: Mapping[str, Sequence[AnswerHeard]]) -> dict[str, Spread]:
    """Return how many times as long as `stream` each baseline took, of the two in one round each."""
    return {
        f"{baseline}_to_stream_{measure.removesuffix('_s')}": Spread.of(
            getattr(theirs, measure) / getattr(ours, measure)
            for theirs, ours in zip(heard[baseline], heard[STREAM], strict=True)
        )
        for baseline in BASELINES
        for measure in ("first_audio_s", "first_sound_s")
    }


def interruption_of(found: Sequence[Interrupted]) -> Interruption | None:
    """Return what the interruptions that met an answer come to."""
    if not found:
        return None
    return Interruption(Spread.of(each.last_audio_s for each in found), Spread.of(each.cancelled_s for each in found))
