"""The benchmark's run: an endpoint, an agent on this machine that speaks by it, and the deployed one."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio.to_thread

from primavoce.aws import endpoint, measuring, runtime
from primavoce.aws.account import Account
from primavoce.aws.answer_cycle import PROMPT
from primavoce.aws.asking_agent import open_runtime
from primavoce.aws.measuring import AgentFigures, SpeechFigures
from primavoce.aws.names import Names
from primavoce.aws.verifying import endpoint_link
from primavoce.bench.agent_visits import Asked
from primavoce.bench.own_server import OwnServer, own_server
from primavoce.bench.setting import NOTHING_REMEMBERED
from primavoce.bench.trials import Note
from primavoce.client.link import Opener
from primavoce.errors import StepFailed

DEFAULT_MODEL = "global.amazon.nova-2-lite-v1:0"
"""The agent stack's own choice."""


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
    """What writes for the agent on this machine."""
    note: Note
    environ: Mapping[str, str]
    """Of the agent on this machine."""

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
        speech = await self.speech(found.name, endpoint_link(found.name, self.account.region))
        agents = [await self.local(local_agent), await self.deployed()] if with_agent else []
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

    async def local(self, url: str | None) -> AgentFigures:
        """Measure an agent on this machine that speaks by the endpoint.

        Raises:
            PrimavoceError: it fails.
        """
        async with self._address(url) as address:
            ways = measuring.ways_by_address(address, Asked(PROMPT, self.voice))
            return await measuring.measure_agent(ways, where="local", trials=self.trials, note=self.note)

    async def deployed(self) -> AgentFigures:
        """Measure the agent in AgentCore.

        Raises:
            PrimavoceError: it fails, or isn't there.
        """
        found = await anyio.to_thread.run_sync(runtime.find, self.account, self.names.runtime)
        if found is None or found.status != runtime.READY:
            state = "isn't there" if found is None else f"is {found.status}"
            raise StepFailed(
                "measuring", f"{self.names.runtime} {state}", f"`{self.names.with_prefix('deploy agent')}`"
            )
        opened = await anyio.to_thread.run_sync(open_runtime, found.arn)
        try:
            ways = measuring.ways_by_runtime(opened, Asked(PROMPT, self.voice))
            return await measuring.measure_agent(ways, where="deployed", trials=self.trials, note=self.note)
        finally:
            opened.close()

    @asynccontextmanager
    async def _address(self, url: str | None) -> AsyncIterator[str]:
        if url is not None:
            yield url
            return
        environ = {
            "PRIMAVOCE_LOG_LEVEL": "warning",
            **self.environ,
            **NOTHING_REMEMBERED,
            "PRIMAVOCE_AGENT_SPEECH": f"sagemaker:{self.names.endpoint}",
        }
        model = f"bedrock:{self.model or DEFAULT_MODEL}"
        command = ("agent", "--model", model, "--host", "127.0.0.1", "--port", "0")
        self.note(f"starting an agent of our own: primavoce {' '.join(command)}")
        async with own_server(OwnServer, command, environ) as server:
            yield server.address
