"""Options and fixtures for every test.

``--with quality,…`` opts in to tests that need a heavy dependency group or a Debian package. Without the option
such a test is deselected, never skipped: a skip would hide a missing dependency.
"""

import logging
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import hypothesis
import pytest
import structlog
from anyio.from_thread import start_blocking_portal

from primavoce.errors import lone_error

if TYPE_CHECKING:  # light tests must not need the engine
    from starlette.applications import Starlette
    from starlette.routing import BaseRoute

    from primavoce.agent.app import AgentService
    from primavoce.agent.conversation import Conversation
    from primavoce.assets.store import AssetStore
    from primavoce.server.lobby import Lobby
    from primavoce.synthesis.engine import Engine

    type Serving = Callable[..., AbstractAsyncContextManager["RunningServer"]]

OPT_IN = ("quality", "peers", "fuzz", "interop", "agent", "aws", "browser", "infra")
"""Markers whose tests run only when asked for."""

hypothesis.settings.register_profile(
    "untimed",
    hypothesis.settings.get_profile(hypothesis.settings.get_current_profile_name()),
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
"""Hypothesis' own profile for this place, without its time limits: a busy machine is no wrong answer."""
hypothesis.settings.load_profile("untimed")

hypothesis.settings.register_profile("thorough", max_examples=1000, stateful_step_count=60, deadline=None)
"""For `--hypothesis-profile thorough`: minutes where the plain run takes seconds."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--with", dest="with_groups", default="", metavar="GROUP,…", help=f"also run: {', '.join(OPT_IN)}")
    parser.addoption("--fuzz-s", type=float, default=30.0, metavar="S", help="how long --with fuzz goes on [30]")
    parser.addoption("--fuzz-seed", type=int, default=None, metavar="N", help="what a fuzz begins with [by chance]")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    asked = {name for name in config.getoption("with_groups").split(",") if name}
    if unknown := asked - set(OPT_IN):
        raise pytest.UsageError(f"--with: unknown group {', '.join(sorted(unknown))}; known: {', '.join(OPT_IN)}")
    left_out = set(OPT_IN) - asked
    kept = [item for item in items if not left_out & {mark.name for mark in item.iter_markers()}]
    if len(kept) != len(items):
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Undo what a command that a test has run in this process did to logging: it would outlive the test."""
    loggers = [logging.getLogger(name) for name in ("", "uvicorn", "uvicorn.error", "websockets")]
    before = [(logger, logger.level, list(logger.filters), list(logger.handlers)) for logger in loggers]
    configuration = structlog.get_config()
    yield
    structlog.configure(**configuration)
    for logger, level, filters, handlers in before:
        logger.setLevel(level)
        logger.filters[:] = filters
        for handler in list(logger.handlers):
            # Pytest's own come and go by themselves.
            if handler not in handlers and not type(handler).__module__.startswith("_pytest"):
                logger.removeHandler(handler)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def asset_store() -> "AssetStore":
    """The user's own asset store; the first test that asks it for something fetches it."""
    from primavoce.assets.store import AssetStore
    from primavoce.settings import Settings

    return AssetStore(Settings.from_env(os.environ).assets)


@pytest.fixture(scope="session")
def weights_path(asset_store: "AssetStore") -> Path:
    """The published weights, verified."""
    return asset_store.weights()


@pytest.fixture(scope="session")
def shared_server() -> Iterator["RunningServer"]:
    """A server with default settings that all tests share, on a loop and a thread of its own."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(run_server()) as server:
        yield server


@pytest.fixture
def serving(shared_server: "RunningServer") -> "Serving":
    """Return what runs a server with a humming engine: the shared one, or, for special wishes, one of its own."""

    @asynccontextmanager
    async def serve(engine: "Engine | None" = None, **changes: object) -> AsyncIterator[RunningServer]:
        if engine is None and not changes:
            yield shared_server
        else:
            async with run_server(engine, **changes) as server:
                yield server

    return serve


@asynccontextmanager
async def run_server(engine: "Engine | None" = None, **changes: object) -> "AsyncIterator[RunningServer]":
    """Run the real server, by Uvicorn over real sockets, while the block runs.

    Args:
        engine: What speaks; a humming one unless given.
        changes: Settings other than the defaults.
    """
    from primavoce.assets.locations import AssetLocations
    from primavoce.server.lobby import Lobby
    from primavoce.server.run import listen, serve
    from primavoce.settings import Settings
    from primavoce.testing.fake_engine import fake_engine

    engine = engine or fake_engine()
    settings = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")), **changes)  # type: ignore[arg-type]
    lobby = Lobby(settings.max_sessions)
    ready: list[str] = []
    is_ready = anyio.Event()

    def on_ready(address: str) -> None:
        ready.append(address)
        is_ready.set()

    with lone_error():
        async with anyio.create_task_group() as tasks:
            listener = listen("127.0.0.1", 0)

            async def run() -> None:
                await serve(engine, settings, listener, on_ready=on_ready, lobby=lobby)

            tasks.start_soon(run)
            with anyio.fail_after(10):
                await is_ready.wait()
            yield RunningServer(ready[0], engine, lobby)
            tasks.cancel_scope.cancel()


@asynccontextmanager
async def run_agent(
    converse: "Callable[[], Conversation]",
    speech_address: str,
    *,
    create: "Callable[..., Starlette] | None" = None,
    more: "Sequence[BaseRoute]" = (),
    **changes: object,
) -> "AsyncIterator[RunningAgent]":
    """Run an agent's application, by Uvicorn over real sockets, while the block runs.

    Args:
        converse: Begins a conversation.
        speech_address: Of the server that speaks.
        create: Makes the application; with Starlette alone unless given.
        more: Other routes.
        changes: Settings other than the defaults.
    """
    from primavoce.agent.app import AgentService, create_agent_app
    from primavoce.agent.sessions import AgentSessions
    from primavoce.assets.locations import AssetLocations
    from primavoce.client import SpeechSession
    from primavoce.server.gate import GatePolicy
    from primavoce.server.keys import KeyRing
    from primavoce.server.lobby import Lobby
    from primavoce.server.run import listen
    from primavoce.server.serving import serve_app
    from primavoce.server.state import ServerState
    from primavoce.settings import Settings

    settings = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")), **changes)  # type: ignore[arg-type]
    state = ServerState(Lobby(settings.max_sessions))
    sessions = AgentSessions(converse, lambda _: SpeechSession(speech_address), state.lobby)
    service = AgentService(sessions, settings)
    gate = GatePolicy(KeyRing(settings.api_keys, settings.keys_file))
    app = (create or create_agent_app)(service, gate, more=more)
    state.ready.set()
    ready: list[str] = []
    is_ready = anyio.Event()

    def on_ready(address: str) -> None:
        ready.append(address)
        is_ready.set()

    with lone_error():
        async with anyio.create_task_group() as tasks:

            async def run() -> None:
                await serve_app(app, settings, listen("127.0.0.1", 0), state, on_ready=on_ready)

            tasks.start_soon(run)
            with anyio.fail_after(10):
                await is_ready.wait()
            yield RunningAgent(ready[0], service)
            tasks.cancel_scope.cancel()


@dataclass(frozen=True)
class RunningAgent:
    """An agent that runs."""

    address: str
    """``http://`` address."""
    service: "AgentService"

    @property
    def socket_url(self) -> str:
        return self.address.replace("http", "ws") + "/ws"


@dataclass(frozen=True)
class RunningServer:
    """A server that runs."""

    address: str
    """``http://`` address."""
    engine: "Engine"
    lobby: "Lobby"

    @property
    def session_url(self) -> str:
        return self.address.replace("http", "ws") + "/invocations-bidirectional-stream"
