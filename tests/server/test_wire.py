"""A session's wire, with a client that takes a frame only when it likes: nothing that was decided is lost."""

import asyncio
import json
from collections import deque
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.websockets import WebSocket
from uvicorn.protocols.utils import ClientDisconnected

from primavoce.assets.locations import AssetLocations
from primavoce.errors import SynthesisFailed
from primavoce.protocol.messages import AnyServerMessage, Pong
from primavoce.protocol.options import NO_LEXICON
from primavoce.protocol.utterance import Utterance
from primavoce.server.lobby import Lobby
from primavoce.server.observation import Observer, SessionWatch
from primavoce.server.policies import session_policy
from primavoce.server.session import SessionShell
from primavoce.server.wire import Wire
from primavoce.settings import Settings
from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.server.test_session import Gate

pytestmark = pytest.mark.anyio


class SlowClient:
    """What is behind a WebSocket; it never takes the first frame that has ``refuses`` in it."""

    def __init__(self, refuses: str) -> None:
        self.refusing = anyio.Event()
        self.taken: list[dict[str, Any]] = []
        self._refuses: str | None = refuses
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        self.socket = WebSocket({"type": "websocket", "headers": [], "query_string": b""}, self._said.get, self._take)

    def say(self, **message: object) -> None:
        self._said.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    def hang_up(self) -> None:
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1000})

    async def _take(self, frame: Any) -> None:
        if self._refuses is not None and self._refuses in str(frame):
            self._refuses = None
            self.refusing.set()
            await anyio.sleep_forever()
        if "text" in frame:
            self.taken.append(json.loads(frame["text"]))

    @property
    def endings(self) -> list[tuple[str, str | None]]:
        """Type and request of what has come since the first start."""
        return [(each["type"], each.get("request_id")) for each in self.taken[1:]]


class LeavingClient(SlowClient):
    """Is gone when the first frame of type ``at`` is sent, of which servers tell as uvicorn does."""

    def __init__(self, at: str) -> None:
        super().__init__(refuses="nothing")
        self.left = False
        self._at = at

    async def _take(self, frame: Any) -> None:
        if frame["type"] == self._at:
            self.left = True
            raise ClientDisconnected
        await super()._take(frame)


# --- the wire


async def wire_of(client: SlowClient) -> Wire:
    wire = Wire(client.socket, session_id="s", send_timeout_s=10.0, told=lambda _: None)
    await wire.accept()
    return wire


async def test_messages_go_out_in_order_and_each_once_however_many_tasks_send() -> None:
    client = SlowClient(refuses="nothing")
    wire = await wire_of(client)
    outbox: deque[AnyServerMessage] = deque(Pong(request_id=name) for name in "abc")

    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(wire.send_next, outbox)

    assert [each["request_id"] for each in client.taken] == ["a", "b", "c"]
    assert not outbox


@pytest.mark.parametrize("busy", [True, False], ids=["another task has the wire", "the client takes nothing"])
async def test_a_message_that_was_not_taken_when_its_task_was_cancelled_is_still_to_be_sent(busy: bool) -> None:
    client = SlowClient(refuses="in the way" if busy else "due")
    wire = await wire_of(client)
    outbox: deque[AnyServerMessage] = deque([Pong(request_id="due")])

    async with anyio.create_task_group() as tasks:
        if busy:
            tasks.start_soon(wire.send, Pong(request_id="in the way"))
            await client.refusing.wait()
        tasks.start_soon(wire.send_next, outbox)
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    await wire.send_next(outbox)

    assert [each["request_id"] for each in client.taken] == ["due"]


async def test_a_client_that_goes_while_it_is_being_closed_is_no_failure() -> None:
    client = LeavingClient(at="websocket.close")
    wire = await wire_of(client)

    await wire.close()

    assert client.left


# --- a session that fails


class Watching(SessionWatch):
    """Has an event for an utterance's end."""

    def __init__(self) -> None:
        super().__init__(Observer(), "s", {})
        self.any_ended = anyio.Event()

    def ended(self, utterance: Utterance) -> None:
        super().ended(utterance)
        self.any_ended.set()


POLICY = session_policy(Settings(assets=AssetLocations(cache_dir=Path("/nonexistent"))), NO_LEXICON)


async def fail_once_it_waits(shell: SessionShell, client: SlowClient, watching: Watching) -> None:
    """Have the session fail when an utterance has ended: in that step, its task has come to wait for the wire."""

    async def fail() -> None:
        raise ValueError("a bug of ours")

    await watching.any_ended.wait()
    client.hang_up()  # to be read when all is told
    assert shell._tasks is not None
    shell._tasks.start_soon(fail)


async def test_a_cancel_is_acknowledged_though_the_session_fails_while_the_wire_is_taken() -> None:
    client, watching = SlowClient(refuses="bytes"), Watching()
    async with fake_engine() as engine:
        await engine.load()
        shell = SessionShell(client.socket, engine, POLICY, watching)
        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(shell.run, Lobby(1))
                client.say(text="Hello there.", request_id="r")
                await client.refusing.wait()
                client.say(text="Good morning.", request_id="c")
                client.say(type="cancel", request_id="c")
                await fail_once_it_waits(shell, client, watching)

    assert client.endings == [("cancelled", "c"), ("error", "r"), ("error", None), ("session_complete", None)]


async def test_an_utterance_that_has_failed_is_told_so_though_the_session_fails_while_the_wire_is_taken() -> None:
    gate = Gate()

    def before() -> None:
        gate()
        raise RuntimeError("the model fails")

    client, watching = SlowClient(refuses="pong"), Watching()
    async with fake_engine(model=FakeModel(before=before)) as engine:
        await engine.load()
        shell = SessionShell(client.socket, engine, POLICY, watching)
        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(shell.run, Lobby(1))
                client.say(text="Hello there.", request_id="r")
                await gate.wait_until_reached()
                client.say(type="ping")
                await client.refusing.wait()
                gate.open()
                await fail_once_it_waits(shell, client, watching)

    assert ("error", "r") in client.endings
    assert next(each for each in client.taken if each.get("request_id") == "r" and "code" in each)["code"] == (
        SynthesisFailed.code
    )
    assert client.endings[-2:] == [("error", None), ("session_complete", None)]
