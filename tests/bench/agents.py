"""An agent that answers as it is told, over real sockets, without Strands and without a voice."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from primavoce.agent.app import AgentService, create_agent_app
from primavoce.agent.conversation import Piece, PlainConversation
from primavoce.agent.sessions import AgentSessions
from primavoce.assets.locations import AssetLocations
from primavoce.client import SpeechSession
from primavoce.errors import lone_error
from primavoce.server.gate import GatePolicy
from primavoce.server.keys import KeyRing
from primavoce.server.lobby import Lobby
from primavoce.server.run import listen
from primavoce.server.serving import serve_app
from primavoce.server.state import ServerState
from primavoce.settings import Settings

type Answer = Callable[[str], AsyncIterator[Piece]]


async def two_sentences(_: str) -> AsyncIterator[Piece]:
    for piece in ["The first one", " is done. ", "Then comes", " the second."]:
        yield piece


async def endless(_: str) -> AsyncIterator[Piece]:
    yield "One two three four. "
    while True:
        yield "Five six seven eight. "
        await anyio.sleep(0.001)


@asynccontextmanager
async def running_agent(speech_address: str, answer: Answer, **changes: object) -> AsyncIterator[str]:
    """Run one while the block runs; yields its ``http://`` address.

    Args:
        speech_address: Of the server that speaks.
        answer: Writes.
        changes: Settings other than the defaults.
    """
    settings = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")), **changes)  # type: ignore[arg-type]
    state = ServerState(Lobby(settings.max_sessions))
    sessions = AgentSessions(lambda: PlainConversation(answer), lambda: SpeechSession(speech_address))
    gate = GatePolicy(KeyRing(settings.api_keys, settings.keys_file))
    app = create_agent_app(AgentService(sessions, state.lobby, settings), gate)
    state.ready.set()
    ready, addresses = anyio.Event(), []

    def on_ready(address: str) -> None:
        addresses.append(address)
        ready.set()

    async def serve() -> None:
        await serve_app(app, settings, listen("127.0.0.1", 0), state, on_ready=on_ready)

    with lone_error():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            with anyio.fail_after(10):
                await ready.wait()
            yield addresses[0]
            tasks.cancel_scope.cancel()
