"""The server's process: the socket, the signals, and the order in which things end."""

import asyncio
import logging
import socket
import sys
from collections.abc import Callable
from types import FrameType

import anyio
import structlog
import uvicorn

from primavoce.errors import InvalidSetting
from primavoce.server.app import ServerState, create_app
from primavoce.server.lobby import Lobby
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine

DRAIN_S = 25.0
"""Seconds that the utterances being spoken have to end; SageMaker kills 30 s after SIGTERM."""
BACKLOG = 2048
TICK_S = 1.0

log = structlog.get_logger("primavoce.server")


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on ``host`` and ``port``; port 0 takes a free one.

    Raises:
        InvalidSetting: the address can't be had.
    """
    try:
        listener = socket.create_server((host, port), family=_family(host), backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        reason = f"can't listen there: {error.strerror if isinstance(error, OSError) else error}"
        raise InvalidSetting(f"{host}:{port}", reason) from error
    # Connections inherit it. asyncio sets it on sockets that say which protocol they are of, and these don't: without
    # it, a small frame waits up to 40 ms for the client to acknowledge the one before.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


class Server(uvicorn.Server):
    """Uvicorn, which lets those who are being served finish first.

    Left to itself, Uvicorn closes every WebSocket at once when it is told to leave, in the middle of a word.
    A second signal ends the waiting.
    """

    def __init__(self, config: uvicorn.Config, state: ServerState) -> None:
        super().__init__(config)
        self._state = state
        self._leaving = anyio.Event()
        self._loop = asyncio.get_running_loop()
        self._told = False
        self._exit = anyio.Event()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note that the process is to leave; ``sig`` and ``frame`` are those of a signal's receiver."""
        if self._told:
            super().handle_exit(sig, frame)
            self._loop.call_soon_threadsafe(self._exit.set)
        self._told = True
        # A signal interrupts the loop between two steps, or in one: only this call is safe from here.
        self._loop.call_soon_threadsafe(self._leaving.set)

    async def leave_when_told(self) -> None:
        """Wait for a signal, drain, and let Uvicorn stop."""
        await self._leaving.wait()
        log.info("draining", sessions=len(self._state.lobby))
        emptied = await self._state.lobby.drain(within_s=DRAIN_S)
        log.info("drained", emptied=emptied)
        self.stop()

    def stop(self) -> None:
        """Have Uvicorn stop now; sockets that are still open are closed."""
        self.should_exit = True
        self._exit.set()

    async def main_loop(self) -> None:
        """Wait for the end, and keep the ``Date`` header fresh; Uvicorn itself looks ten times a second."""
        while not await self.on_tick(0):
            with anyio.move_on_after(TICK_S):
                await self._exit.wait()


async def serve(
    engine: Engine,
    settings: Settings,
    listener: socket.socket,
    *,
    on_ready: Callable[[str], None] = lambda _: None,
    lobby: Lobby | None = None,
) -> None:
    """Serve ``engine`` on ``listener`` until a signal comes.

    Args:
        engine: Not yet entered.
        settings: Limits.
        listener: Bound and listening.
        on_ready: Called once with the server's address, when the engine is loaded.
        lobby: Counts who is in; one as large as ``settings`` says unless given.

    Raises:
        PrimavoceError: the engine could not be loaded.
    """
    state = ServerState(lobby or Lobby(settings.max_sessions))
    config = uvicorn.Config(
        create_app(engine, settings, state),
        # Messages come as they are; PCM doesn't compress.
        ws_per_message_deflate=False,
        ws_max_size=settings.max_message_bytes,
        # SageMaker pings once a minute by itself, and drops a silent peer; half-open sockets fall to the idle limit.
        ws_ping_interval=None,
        ws_ping_timeout=None,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = Server(config, state)

    async def announce() -> None:
        await state.ready.wait()
        if state.failure is not None:
            server.stop()
            return
        host, port = listener.getsockname()[:2]
        on_ready(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    async def leave_when_cancelled() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            server.stop()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(announce)
        tasks.start_soon(server.leave_when_told)
        tasks.start_soon(leave_when_cancelled)
        # Cancelled in the middle, Uvicorn would leave its sockets open: it is told to stop, and waited for.
        with anyio.CancelScope(shield=True):
            await server.serve(sockets=[listener])
        tasks.cancel_scope.cancel()
    if state.failure is not None:
        raise state.failure


def configure_logging(level: str) -> None:
    """Write one JSON line an event to standard error, ours and the libraries'."""
    logging.basicConfig(level=level.upper(), stream=sys.stderr, format="%(message)s", force=True)
    # Uvicorn logs each connection's coming and going; sessions log what matters of it.
    for name in ("uvicorn", "uvicorn.error", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
