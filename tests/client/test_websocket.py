"""A server behind a WebSocket that has stopped reading: nobody waits for ever, to say something or to leave."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import pytest
from websockets.asyncio.server import ServerConnection, serve

from primavoce.client import SpeechSession
from primavoce.client.resuming import ResumePolicy, resuming
from primavoce.client.verification.conversation import CheckFailed, Conversation
from primavoce.client.websocket import websocket
from primavoce.errors import SessionTimeout

pytestmark = pytest.mark.anyio

MUCH = "x" * 1_000_000


@asynccontextmanager
async def deaf_server(opened: list[int] | None = None) -> AsyncIterator[str]:
    """Run a server that opens sessions and reads nothing."""
    over = anyio.Event()

    async def stand_by(socket: ServerConnection) -> None:
        if opened is not None:
            opened.append(1)
        socket.transport.pause_reading()  # type: ignore[attr-defined]
        await over.wait()
        socket.transport.abort()

    async with serve(stand_by, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()[:2]
        try:
            yield f"ws://{host}:{port}"
        finally:
            over.set()


@pytest.fixture(autouse=True)
def short_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.client.websocket.CLOSE_S", 0.1)


async def test_a_message_that_the_server_does_not_take_is_given_up() -> None:
    async with deaf_server() as url, websocket(url, send_timeout_s=0.1)() as link:
        with anyio.fail_after(5), pytest.raises(SessionTimeout, match=r"no room for a message within 0\.1 s"):
            for _ in range(100):
                await link.send(MUCH)


async def test_leaving_a_server_that_takes_nothing_takes_no_longer_than_a_farewell() -> None:
    async with deaf_server() as url:
        with anyio.fail_after(5):
            async with websocket(url, send_timeout_s=0.1)() as link:
                with pytest.raises(SessionTimeout):
                    for _ in range(100):
                        await link.send(MUCH)


async def test_a_session_is_opened_anew_without_a_farewell_to_a_server_that_is_mute(monkeypatch) -> None:
    monkeypatch.setattr("primavoce.client.websocket.CLOSE_S", 3600.0)
    opened: list[int] = []
    policy = ResumePolicy(attempts=2, first_pause_s=0.0, silence_s=0.1)
    async with deaf_server(opened) as url:  # it holds the first while the second is opened
        with anyio.fail_after(10), pytest.raises(SessionTimeout, match="sign of life"):
            async with SpeechSession.over(resuming(websocket(url), policy)) as session:
                async with session.utterance("Hello.") as utterance:
                    async for _ in utterance:
                        pass

    assert len(opened) == 2


@pytest.mark.parametrize(("error", "code"), [(None, 1000), (RuntimeError, 1006)])
async def test_the_farewell_is_for_a_block_that_ends_well(error: type[Exception] | None, code: int) -> None:
    codes: list[int | None] = []
    closed = anyio.Event()

    async def listen(socket: ServerConnection) -> None:
        await socket.wait_closed()
        codes.append(socket.close_code)
        closed.set()

    async with serve(listen, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()[:2]
        with suppress(RuntimeError), anyio.fail_after(10):
            async with websocket(f"ws://{host}:{port}")():
                if error is not None:
                    raise error
        with anyio.fail_after(10):
            await closed.wait()

    assert codes == [code]


async def test_a_session_that_resumes_tells_its_caller_that_no_server_takes_anything() -> None:
    opened: list[int] = []
    policy = ResumePolicy(attempts=2, first_pause_s=0.0, silence_s=0.2)
    async with deaf_server(opened) as url:
        with anyio.fail_after(10), pytest.raises(SessionTimeout, match="room for a message"):
            async with SpeechSession.over(resuming(websocket(url), policy)) as session:
                async with session.utterance() as utterance:
                    for _ in range(100):
                        await utterance.send(MUCH)

    assert len(opened) == 2


async def test_verifying_leaves_a_server_that_takes_nothing_in_the_time_of_a_farewell(monkeypatch) -> None:
    monkeypatch.setattr("primavoce.client.verification.conversation.LEAVE_S", 0.1)
    async with deaf_server() as url:
        conversation = Conversation(url, voice=None, timeout_s=0.1, api_key=None, ssl_context=None)
        await conversation.connect()
        with pytest.raises(CheckFailed, match="no message was taken"):
            for _ in range(100):
                await conversation.send(MUCH)
        with anyio.move_on_after(5) as limit:
            await conversation.disconnect()

    assert not limit.cancel_called  # what is shielded isn't ended by it, and late all the same
