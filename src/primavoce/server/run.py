"""The server's process: the socket, the signals, and the order in which things end."""

import asyncio
import logging
import socket
import sys
from collections.abc import Callable
from types import FrameType

import anyio
import anyio.to_thread
import structlog
import uvicorn

from primavoce.errors import InvalidSetting
from primavoce.server.app import ServerState, create_app
from primavoce.server.connection import SocketConnection, connection_class
from primavoce.server.exposure import check_exposure, check_tls
from primavoce.server.gate import is_loopback
from primavoce.server.lobby import Lobby
from primavoce.server.stages import LISTENING, READY, WARM, log_stage, process_began_at
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine

BACKLOG = 2048
KEEP_ALIVE_S = 75
"""Seconds that an idle connection is kept; longer than the 60 s after which load balancers let go, so that none sends
a request into a connection that is just being closed."""
GRACE_S = 1
"""Seconds that connections have to close in the end, once nobody is served."""
TICK_S = 1.0
NO_NEWS = ("returned without completing handshake", "Invalid UTF-8 sequence received from client")
"""What Uvicorn calls an error and is a client's doing."""

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

    Args:
        config: Of Uvicorn.
        state: Who is being served.
        drain_s: Tells how many seconds those have to finish.
    """

    def __init__(self, config: uvicorn.Config, state: ServerState, *, drain_s: Callable[[], float]) -> None:
        super().__init__(config)
        self._state = state
        self._drain_s = drain_s
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
        emptied = await self._state.lobby.drain(within_s=self._drain_s())
        log.info("drained", emptied=emptied)
        self.stop()
        # Beside Uvicorn's own end: one after the other, they would take longer than a platform waits.
        await anyio.to_thread.run_sync(self._state.observer.close)

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
        InvalidSetting: a file of keys, or of TLS, can't be used; or everybody could reach the server, and no key is
            asked for.
        PrimavoceError: the engine could not be loaded.
    """
    host, port = listener.getsockname()[:2]
    on_loopback = is_loopback(host)
    check_exposure(host, settings)
    check_tls(settings)
    state = ServerState(Lobby(settings.max_sessions) if lobby is None else lobby)
    app = create_app(engine, settings, state, on_loopback=on_loopback)
    config = uvicorn.Config(
        app,
        ssl_certfile=settings.tls_certificate,
        ssl_keyfile=settings.tls_key,
        http=connection_class(
            receive_timeout_s=settings.receive_timeout_s,
            send_timeout_s=settings.send_timeout_s,
            told=state.observer.answered_unread,
        ),
        h11_max_incomplete_event_size=settings.max_header_bytes,
        timeout_keep_alive=KEEP_ALIVE_S,
        ws=SocketConnection,
        # Messages come as they are; PCM doesn't compress.
        ws_per_message_deflate=False,
        # A message that is only a little too large gets an error and its session goes on; a larger one is never held.
        ws_max_size=2 * settings.max_message_bytes,
        # SageMaker pings once a minute by itself, and drops a silent peer; half-open sockets fall to the idle limit.
        ws_ping_interval=None,
        ws_ping_timeout=None,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, settings.send_buffer_bytes)  # connections inherit it
    # What waits for weights that are still on their way has nothing to finish.
    server = Server(config, state, drain_s=lambda: settings.drain_s if engine.ready else 0.0)

    async def announce() -> None:
        await state.ready.wait()
        if state.failure is not None:
            server.stop()
            return
        for stage in (WARM, READY):
            log_stage(stage, began_at=began_at, model=engine.report().model)
        scheme = "http" if settings.tls_certificate is None else "https"
        on_ready(f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}")

    async def leave_when_cancelled() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            server.stop()

    began_at = process_began_at()
    log_stage(LISTENING, began_at=began_at)
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


def is_news(record: logging.LogRecord) -> bool:
    """Return whether a line of Uvicorn's is to be written.

    Uvicorn's ``websockets-sansio`` takes a socket that was refused with an answer of our own for one that was
    forgotten, and calls it an error (Kludex/uvicorn, pull request 3138): a line for each stranger who knocks. So it
    does with text that isn't UTF-8, and adds a trace.
    """
    return not any(told in record.getMessage() for told in NO_NEWS)


LOUD_LIBRARIES = ("uvicorn", "uvicorn.error", "websockets")
"""Loggers of libraries that are only heard from a warning on."""


def configure_logging(level: str) -> None:
    """Write one JSON line an event to standard error, ours and the libraries'."""
    told_of_each: list[structlog.typing.Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    last: list[structlog.typing.Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(),
    ]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=last, foreign_pre_chain=told_of_each))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # Uvicorn logs each connection's coming and going; sessions log what matters of it. And however much is asked for,
    # the lines that show a handshake's headers are never written: keys are among them.
    for name in LOUD_LIBRARIES:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(is_news)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *told_of_each,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
