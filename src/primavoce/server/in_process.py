"""Sessions with an engine in this very process: the server's own shell, and no socket.

What the shell takes for a WebSocket is one in ASGI's sense, two queues of ASGI's events. So all that a session has
over the network it has here: turns, limits, patience, draining, and what is logged and counted.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from starlette.types import Message
from starlette.websockets import WebSocket

from primavoce.client.link import Opener
from primavoce.errors import SessionBroken, lone_error
from primavoce.server.lobby import Lobby
from primavoce.server.observation import Observer
from primavoce.server.session import SessionPolicy, SessionShell
from primavoce.synthesis.engine import Engine

FRAMES_AHEAD = 8
"""Frames that wait on their way, in each direction: of audio, the 256 KiB that a socket's buffer holds."""


class InProcessLink:
    """The client's end; see `primavoce.client.link.SessionLink`.

    Args:
        said: Takes what the client says.
        heard: Has what the server says.
    """

    typed = True

    def __init__(self, said: MemoryObjectSendStream[str], heard: MemoryObjectReceiveStream[str | bytes]) -> None:
        self._said = said
        self._heard = heard

    async def send(self, frame: str) -> None:
        """Send a message.

        Raises:
            SessionBroken: the session's shell has ended.
        """
        try:
            await self._said.send(frame)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise SessionBroken("the server closed it") from error

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str | bytes:
        try:
            return await self._heard.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            raise StopAsyncIteration from None


class _ServersEnd:
    """The server's end, as the two functions that make a WebSocket in ASGI's sense.

    Args:
        said: Has what the client says.
        heard: Takes what the server says.
    """

    def __init__(self, said: MemoryObjectReceiveStream[str], heard: MemoryObjectSendStream[str | bytes]) -> None:
        self._said = said
        self._heard = heard
        self._connected = False

    async def receive(self) -> Message:
        """Return what the client does next."""
        if not self._connected:
            self._connected = True
            return {"type": "websocket.connect"}
        try:
            return {"type": "websocket.receive", "text": await self._said.receive()}
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            return {"type": "websocket.disconnect", "code": 1005}

    async def send(self, event: Message) -> None:
        """Let the client hear ``event``; wait while `FRAMES_AHEAD` are unread.

        Raises:
            BrokenPipeError: it has left.
        """
        if event["type"] == "websocket.close":
            self.close()
        elif event["type"] == "websocket.send":
            frame: bytes | None = event.get("bytes")
            try:
                await self._heard.send(event["text"] if frame is None else frame)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
                raise BrokenPipeError from error

    def close(self) -> None:
        """Say nothing more, and listen no longer."""
        self._said.close()
        self._heard.close()


def in_process(
    engine: Engine, policy: SessionPolicy, lobby: Lobby, observer: Observer | None = None, *, owner: str = ""
) -> Opener:
    """Return what opens a session with ``engine``, for `primavoce.client.SpeechSession.over`.

    Leaving a session's block, or being cancelled in it, ends its tasks; a step of the model that has begun is outlived.

    Args:
        engine: Entered; a session waits until it is loaded.
        policy: Limits, patience and clocks; `primavoce.server.policies.session_policy` has them of settings.
        lobby: Counts who is in, and has them leave when the process is to.
        observer: Is told what happens.
        owner: Whose text it is; phrases that are remembered for one are never told another.
    """
    observer = observer or Observer()

    async def serve(end: _ServersEnd) -> None:
        scope = {"type": "websocket", "headers": [], "state": {"owner": owner}}
        try:
            with observer.session({}) as watching:
                await SessionShell(WebSocket(scope, end.receive, end.send), engine, policy, watching).run(lobby)
        finally:
            end.close()

    @asynccontextmanager
    async def open_link() -> AsyncIterator[InProcessLink]:
        said, hearing = anyio.create_memory_object_stream[str](FRAMES_AHEAD)
        saying, heard = anyio.create_memory_object_stream[str | bytes](FRAMES_AHEAD)
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(serve, _ServersEnd(hearing, saying))
                with said, heard:
                    yield InProcessLink(said, heard)
                tasks.cancel_scope.cancel()

    return open_link
