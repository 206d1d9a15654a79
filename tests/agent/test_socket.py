"""A listener's socket, with listeners that go at the worst moment: none of it is a failure."""

from dataclasses import replace
from pathlib import Path

import pytest

from primavoce.agent.app import AgentService
from primavoce.agent.conversation import PlainConversation
from primavoce.agent.identity import SESSION_HEADER
from primavoce.agent.sessions import AgentSessions
from primavoce.assets.locations import AssetLocations
from primavoce.client import SpeechSession
from primavoce.server.lobby import Lobby
from primavoce.settings import Settings
from tests.agent.test_app import two_sentences
from tests.server.test_wire import LeavingClient

pytestmark = pytest.mark.anyio


def service() -> AgentService:
    settings = replace(Settings(assets=AssetLocations(cache_dir=Path("/nonexistent"))), session_idle_s=0.01)
    sessions = AgentSessions(
        lambda: PlainConversation(two_sentences), lambda _: SpeechSession("ws://127.0.0.1:9"), Lobby(1)
    )
    return AgentService(sessions, settings)


async def test_a_listener_that_goes_while_its_socket_is_closed_is_no_failure() -> None:
    client = LeavingClient(at="websocket.close")

    await service().socket(client.socket)  # it says nothing, and is closed for that

    assert client.left


async def test_a_listener_that_goes_while_it_is_refused_is_no_failure() -> None:
    client = LeavingClient(at="websocket.send")
    client.socket.scope["headers"].append((SESSION_HEADER.lower().encode(), b"too short"))

    await service().socket(client.socket)

    assert client.left
