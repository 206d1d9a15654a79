"""The speech server's process: what it listens on, what it serves, and what it logs."""

import logging
import socket
import sys
from collections.abc import Callable

import structlog

from primavoce.errors import InvalidSetting
from primavoce.server.app import create_app
from primavoce.server.gate import is_loopback
from primavoce.server.lobby import Lobby
from primavoce.server.serving import serve_app
from primavoce.server.state import ServerState
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine

BACKLOG = 2048
NO_NEWS = ("returned without completing handshake", "Invalid UTF-8 sequence received from client")
"""What Uvicorn calls an error and is a client's doing."""


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
    state = ServerState(Lobby(settings.max_sessions) if lobby is None else lobby)
    app = create_app(engine, settings, state, on_loopback=is_loopback(listener.getsockname()[0]))

    def drain_s() -> float:
        # What waits for weights that are still on their way has nothing to finish.
        return settings.drain_s if engine.ready else 0.0

    await serve_app(app, settings, listener, state, on_ready=on_ready, drain_s=drain_s)


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
