"""Any ASGI application, served as ours are."""

import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from primavoce.assets.locations import AssetLocations
from primavoce.errors import AssetMissing, InvalidSetting
from primavoce.server.lobby import Lobby
from primavoce.server.run import listen
from primavoce.server.serving import serve_app
from primavoce.server.state import ServerState
from primavoce.settings import Settings

pytestmark = pytest.mark.anyio

SETTINGS = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")))


class Guesthouse:
    """An application whose guests stay until they are let go."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.state = ServerState(Lobby(1))
        self.inside, self.let_go = anyio.Event(), anyio.Event()
        self._failure = failure
        self._words = "goodbye"
        self.app = Starlette(routes=[Route("/", self._stay)], lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self.state.failure = self._failure
        self.state.ready.set()
        yield

    async def _stay(self, _: Request) -> Response:
        with self.state.lobby.visit(cut=self._cut):
            self.inside.set()
            await self.let_go.wait()
        return PlainTextResponse(self._words)

    def _cut(self) -> None:
        self._words = "you have to leave"
        self.let_go.set()


async def get(listener: socket.socket) -> bytes:
    """Return the answer to a request, whole."""
    async with await anyio.connect_tcp(*listener.getsockname()[:2]) as stream:
        await stream.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return b"".join([part async for part in stream])


async def answer_of(house: Guesthouse, **how: object) -> bytes:
    """Serve ``house`` until its one guest is in; return what the guest is answered, once the process is to leave."""
    answers: list[bytes] = []
    listener = listen("127.0.0.1", 0)

    async def serve() -> None:
        await serve_app(house.app, SETTINGS, listener, house.state, **how)  # type: ignore[arg-type]

    async def visit() -> None:
        answers.append(await get(listener))

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            tasks.start_soon(visit)
            await house.inside.wait()
            signal.raise_signal(signal.SIGTERM)
            while not house.state.lobby.draining:
                await anyio.lowlevel.checkpoint()
            if "drain_s" not in how:
                house.let_go.set()
    return answers[0].rpartition(b"\r\n\r\n")[2]


async def test_an_application_is_announced_once_it_is_ready() -> None:
    house = Guesthouse()
    addresses: list[str] = []

    await answer_of(house, on_ready=addresses.append)

    (address,) = addresses
    assert address.startswith("http://127.0.0.1:")


async def test_guests_may_finish_when_the_process_is_told_to_leave() -> None:
    assert await answer_of(Guesthouse()) == b"goodbye"


async def test_guests_who_take_longer_than_is_said_are_cut() -> None:
    assert await answer_of(Guesthouse(), drain_s=lambda: 0.0) == b"you have to leave"


async def test_an_application_that_will_never_be_ready_ends_the_process_with_its_reason() -> None:
    house = Guesthouse(AssetMissing("the weights", "nowhere"))

    with anyio.fail_after(10), pytest.raises(AssetMissing):
        await serve_app(house.app, SETTINGS, listen("127.0.0.1", 0), house.state, on_ready=pytest.fail)


async def test_no_application_is_shown_to_the_network_without_a_key() -> None:
    house = Guesthouse()

    with listen("0.0.0.0", 0) as listener, pytest.raises(InvalidSetting, match="no API key is asked for"):
        await serve_app(house.app, SETTINGS, listener, house.state)
