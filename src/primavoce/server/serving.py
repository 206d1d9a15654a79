"""An ASGI application, served as ours are: bounded connections, and nobody is cut off when the process is to leave.

It makes no difference what the application does. It shares a `ServerState` with its process: it sets ``ready``, and
has whoever is to be waited for in the ``lobby``.
"""

import asyncio
import socket
from collections.abc import Callable
from types import FrameType

import anyio
import anyio.to_thread
import structlog
import uvicorn
from starlette.types import ASGIApp

from primavoce.server.connection import SocketConnection, connection_class
from primavoce.server.exposure import check_exposure, check_tls
from primavoce.server.state import ServerState
from primavoce.settings import Settings

KEEP_ALIVE_S = 75
"""Seconds that an idle connection is kept; longer than the 60 s after which load balancers let go, so that none sends
a request into a connection that is just being closed."""
GRACE_S = 1
"""Seconds that connections have to close in the end, once nobody is served."""
TICK_S = 1.0

log = structlog.get_logger("primavoce.server")


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


async def serve_app(
    app: ASGIApp,
    settings: Settings,
    listener: socket.socket,
    state: ServerState,
    *,
    on_ready: Callable[[str], None] = lambda _: None,
    drain_s: Callable[[], float] | None = None,
) -> None:
    """Serve ``app`` on ``listener`` until a signal comes.

    Args:
        app: Asks for the keys of ``settings``, if there are any: they are what lets a network reach it.
        settings: Limits, and TLS.
        listener: Bound and listening.
        state: What the application learns while it serves.
        on_ready: Called once with the server's address, when the application is ready.
        drain_s: Tells how many seconds those who are being served have to finish; as ``settings`` say unless given.

    Raises:
        InvalidSetting: the files of TLS can't be used; or everybody could reach the server, and no key is asked for.
        Exception: ``state.failure``.
    """
    host, port = listener.getsockname()[:2]
    check_exposure(host, settings)
    check_tls(settings)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, settings.send_buffer_bytes)  # connections inherit it
    server = Server(uvicorn_config(app, settings, state), state, drain_s=drain_s or (lambda: settings.drain_s))

    async def announce() -> None:
        await state.ready.wait()
        if state.failure is not None:
            server.stop()
            return
        scheme = "http" if settings.tls_certificate is None else "https"
        on_ready(f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}")

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


def uvicorn_config(app: ASGIApp, settings: Settings, state: ServerState) -> uvicorn.Config:
    """Return how Uvicorn is to serve ``app``."""
    return uvicorn.Config(
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
