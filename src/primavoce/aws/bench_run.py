"""The benchmark's run: an endpoint, an agent on this machine that speaks by it, and the deployed one."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

import anyio.to_thread

from primavoce.aws import endpoint, measuring, runtime
from primavoce.aws.account import Account
from primavoce.aws.answer_cycle import PROMPT
from primavoce.aws.asking_agent import open_runtime
from primavoce.aws.measuring import AgentFigures, SpeechFigures
from primavoce.aws.names import Names
from primavoce.aws.runtime import Runtime
from primavoce.aws.steps import MODEL
from primavoce.aws.verifying import endpoint_link
from primavoce.bench.agent_visits import Asked
from primavoce.bench.own_server import OwnServer, own_server
from primavoce.bench.setting import NOTHING_REMEMBERED
from primavoce.bench.trials import Note
from primavoce.client.link import Opener
from primavoce.errors import StepFailed


@dataclass(frozen=True, slots=True)
class AwsBench:
    """The benchmark's outcome."""

    benchmark: str
    endpoint: str
    instance_type: str | None
    region: str
    voice: str
    trials: int
    prompt: str
    speech: SpeechFigures
    agents: tuple[AgentFigures, ...]
    published_ms: dict[str, float] = field(default_factory=lambda: dict(measuring.PUBLISHED_MS))
    published_reduction: float = measuring.PUBLISHED_REDUCTION
    published_ratios: dict[str, float] = field(default_factory=lambda: dict(measuring.PUBLISHED_RATIOS))
    remark: str = measuring.PUBLISHED_REMARK


@dataclass(frozen=True, slots=True)
class Bench:
    """One run."""

    account: Account
    names: Names
    voice: str
    trials: int
    model: str | None
    """Bedrock's, that writes for the agent on this machine; the deployed one's unless given."""
    note: Note
    environ: Mapping[str, str]
    """Of the agent on this machine."""
    speech_url: str | None = None
    """Address of the endpoint's sessions; the region's own unless given."""

    async def run(self, with_agent: bool, local_agent: str | None) -> AwsBench:  # noqa: FBT001 - anyio passes no names
        """Measure.

        Args:
            with_agent: Whether agents are measured, too.
            local_agent: Address of one on this machine; one is started unless given.

        Raises:
            PrimavoceError: something isn't there, or fails.
        """
        found = await anyio.to_thread.run_sync(endpoint.find, self.account, self.names.endpoint)
        if found is None or found.status != endpoint.IN_SERVICE:
            told = f"{self.names.endpoint} {endpoint.why_not(found)}"
            raise StepFailed("measuring", told, f"`{self.names.with_prefix('deploy speech')}`")
        # Before minutes are spent on the endpoint.
        deployed = await self._ready() if with_agent else None
        link = endpoint_link(found.name, self.account.region, self.speech_url)
        speech = await self.speech(found.name, link)
        agents = [] if deployed is None else [await self.local(local_agent, deployed), await self.deployed(deployed)]
        return AwsBench(
            "aws",
            found.name,
            found.instance_type,
            self.account.region,
            self.voice,
            self.trials,
            PROMPT,
            speech,
            tuple(agents),
        )

    async def speech(self, name: str, opener: Opener) -> SpeechFigures:
        """Measure the endpoint ``name``.

        Raises:
            PrimavoceError: it fails.
        """
        self.note(f"endpoint {name}: the whole text by a response stream, and a session")
        return await measuring.measure_speech(
            self.account, name, opener, voice=self.voice, trials=self.trials, note=self.note
        )

    async def local(self, url: str | None, deployed: Runtime) -> AgentFigures:
        """Measure an agent on this machine that speaks by the endpoint.

        Args:
            url: Its address; one is started unless given.
            deployed: The one that it is compared with, by whose model it writes unless told otherwise.

        Raises:
            PrimavoceError: it fails.
        """
        if url is not None:
            return await self._local_at(url, model=None)
        model = self._model_beside(deployed)
        async with self._own_agent(model) as address:
            return await self._local_at(address, model=model)

    async def _local_at(self, address: str, *, model: str | None) -> AgentFigures:
        ways = measuring.ways_by_address(address, Asked(PROMPT, self.voice))
        return await measuring.measure_agent(ways, where="local", trials=self.trials, note=self.note, model=model)

    async def deployed(self, found: Runtime) -> AgentFigures:
        """Measure the agent in AgentCore.

        Raises:
            PrimavoceError: it fails.
        """
        opened = await anyio.to_thread.run_sync(open_runtime, found.arn)
        try:
            ways = measuring.ways_by_runtime(opened, Asked(PROMPT, self.voice))
            return await measuring.measure_agent(
                ways, where="deployed", trials=self.trials, note=self.note, model=found.model or None
            )
        finally:
            opened.close()

    async def _ready(self) -> Runtime:
        """Return the deployed agent.

        Raises:
            PrimavoceError: it isn't there, or can't be asked.
        """
        found = await anyio.to_thread.run_sync(runtime.find, self.account, self.names.runtime)
        if found is None or found.status != runtime.READY:
            state = "isn't there" if found is None else f"is {found.status}"
            raise StepFailed(
                "measuring", f"{self.names.runtime} {state}", f"`{self.names.with_prefix('deploy agent')}`"
            )
        return found

    def _model_beside(self, deployed: Runtime) -> str:
        """Return what writes for the agent of our own: by another model, it would be heard sooner or later for that."""
        if self.model is not None:
            return f"bedrock:{self.model}"
        return deployed.model or f"bedrock:{MODEL}"

    @asynccontextmanager
    async def _own_agent(self, model: str) -> AsyncIterator[str]:
        """Run an agent while the block runs; yields its address."""
        options = {"region": self.account.region, **({"url": self.speech_url} if self.speech_url else {})}
        environ = {
            "PRIMAVOCE_LOG_LEVEL": "warning",
            **self.environ,
            **NOTHING_REMEMBERED,
            "PRIMAVOCE_AGENT_SPEECH": f"sagemaker:{self.names.endpoint}?{urlencode(options)}",
        }
        command = ("agent", "--model", model, "--host", "127.0.0.1", "--port", "0")
        self.note(f"starting an agent of our own: primavoce {' '.join(command)}")
        async with own_server(OwnServer, command, environ) as server:
            yield server.address
