"""The page's server in front of a deployed runtime, both on loopback."""

import gc
import json
import logging
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx2
import pytest
import trustme

from primavoce.agent.app import AgentService, create_agent_app
from primavoce.agent.conversation import Piece, PlainConversation
from primavoce.agent.identity import SESSION_HEADER
from primavoce.agent.sessions import AgentSessions
from primavoce.assets.locations import AssetLocations
from primavoce.client import SpeechSession
from primavoce.client.events import EventReader
from primavoce.errors import lone_error
from primavoce.server.gate import GatePolicy
from primavoce.server.keys import KeyRing
from primavoce.server.lobby import Lobby
from primavoce.server.run import listen
from primavoce.server.serving import Server, uvicorn_config
from primavoce.server.state import ServerState
from primavoce.settings import Settings
from tests.agent.runtime.data_plane import ARN, HOST, KEY_ID, LISTENER, SECRET_KEY, DataPlane, Seen
from tests.agent.test_app import two_sentences, until


@dataclass
class RunningFront:
    """The page's server in front of the runtime."""

    address: str
    plane: DataPlane
    conversations: list[PlainConversation]
    lobby: Lobby
    trust: ssl.SSLContext
    port: int
    """The data plane's."""
    connections: Collection[object]
    """To the data plane."""

    async def ask(
        self, body: object, *, session: str | None = LISTENER, headers: dict[str, str] | None = None
    ) -> tuple[httpx2.Response, list[dict]]:
        """Post ``body``, and return the answer with its events."""
        given = {} if session is None else {SESSION_HEADER: session}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        async with httpx2.AsyncClient() as client:
            answer = await client.post(
                f"{self.address}/invocations", content=content, headers={**given, **(headers or {})}, timeout=20
            )
        return answer, [json.loads(event.data) for event in EventReader().push(answer.content)]

    async def get(self, path: str, **headers: str) -> httpx2.Response:
        async with httpx2.AsyncClient() as client:
            return await client.get(f"{self.address}{path}", headers=headers)

    def cancels(self) -> list[Seen]:
        return [seen for seen in self.plane.seen if seen.message.get("type") == "cancel"]


type Running = Callable[..., AbstractAsyncContextManager[RunningFront]]


def calls_under_way() -> bool:
    return any(thread.name.startswith("runtime-call") for thread in threading.enumerate())


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(autouse=True)
def logging_of_the_sdk_as_it_was() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in ("bedrock_agentcore", "boto3", "botocore", "urllib3")]
    before = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)


@pytest.fixture
def credentials(monkeypatch, tmp_path) -> None:
    """Have credentials that nobody knows, and none of this machine's."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "BEDROCK_AGENTCORE_DP_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def front(serving, authority, credentials, monkeypatch, tmp_path) -> Running:
    """Return what runs the page's server in front of a runtime whose agent answers as it is told."""
    certificate = authority.issue_cert("127.0.0.1", HOST)
    certificate.private_key_and_cert_chain_pem.write_to_path(tmp_path / "server.pem")
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("AWS_CA_BUNDLE", str(tmp_path / "authority.pem"))
    trust = ssl.create_default_context()
    authority.configure_trust(trust)

    @asynccontextmanager
    async def run(
        answer: Callable[[str], AsyncIterator[Piece]] = two_sentences, *, arn: str = ARN, **changes: object
    ) -> AsyncIterator[RunningFront]:
        from primavoce.agent.runtime import serving as module

        conversations: list[PlainConversation] = []
        lobbies: list[Lobby] = []

        def converse() -> PlainConversation:
            conversations.append(PlainConversation(answer))
            return conversations[-1]

        def lobby(capacity: int) -> Lobby:
            lobbies.append(Lobby(capacity))
            return lobbies[-1]

        monkeypatch.setattr(module, "Lobby", lobby)
        cache = AssetLocations(cache_dir=Path("/nonexistent"))
        inner = Settings(assets=cache)
        pem = tmp_path / "server.pem"
        outer = Settings(assets=cache, tls_certificate=pem, tls_key=pem)
        async with serving() as speech:
            service = AgentService(
                AgentSessions(converse, lambda _: SpeechSession(speech.address), Lobby(inner.max_sessions)), inner
            )
            with lone_error():
                async with anyio.create_task_group() as tasks:
                    plane = DataPlane(service, create_agent_app(service, GatePolicy(KeyRing((), None))), tasks)
                    plane_listener = listen("127.0.0.1", 0)
                    port = plane_listener.getsockname()[1]
                    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_AGENTCORE", f"https://127.0.0.1:{port}")
                    state = ServerState(Lobby(64))
                    ready: list[str] = []
                    is_ready = anyio.Event()

                    def on_ready(address: str) -> None:
                        ready.append(address)
                        is_ready.set()

                    service_server = Server(uvicorn_config(plane.app(), outer, state), state, drain_s=lambda: 0.0)
                    connections = service_server.server_state.connections
                    tasks.start_soon(service_server.serve, [plane_listener])
                    settings = Settings(assets=cache, **changes)
                    listener = listen("127.0.0.1", 0)

                    async def serve() -> None:
                        await module.serve_runtime(arn, settings, listener, on_ready=on_ready)

                    try:
                        async with anyio.create_task_group() as fronts:
                            fronts.start_soon(serve)
                            with anyio.fail_after(20):
                                await is_ready.wait()
                            yield RunningFront(ready[0], plane, conversations, lobbies[0], trust, port, connections)
                            fronts.cancel_scope.cancel()
                        await until(lambda: not calls_under_way())
                        gc.collect()  # pools of connections are closed when they are garbage
                        await until(lambda: not connections)
                    finally:
                        listener.close()
                        service_server.stop()

    return run
