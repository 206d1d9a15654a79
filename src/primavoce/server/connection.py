"""Uvicorn's connections, bounded: what comes in has to come whole in time, and what is closed is closed in time."""

import asyncio
import json
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from primavoce.errors import RequestIncomplete

LINGER_S = 3.0
"""Seconds that a client has to take what was sent before the connection was closed."""

BAD_HANDSHAKE = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class MortalTransport:
    """A transport whose closing comes to an end, whether or not the other side reads.

    asyncio's waits until the last byte is out: one who has stopped reading would hold it for ever.

    Args:
        transport: It.
        loop: The event loop's clock.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the transport has
        return getattr(self._transport, name)

    def close(self) -> None:
        """Close once what was written is out; after `LINGER_S` seconds in any case."""
        if not self._transport.is_closing():
            self._loop.call_later(LINGER_S, self._give_up)
        self._transport.close()

    def _give_up(self) -> None:
        # asyncio's own can't be told twice that it is lost.
        socket = self._transport.get_extra_info("socket")
        if socket is not None and socket.fileno() != -1:
            self._transport.abort()


class SocketConnection(WebSocketsSansIOProtocol):
    """What a connection becomes that is a WebSocket: the one of Uvicorn's that stops reading when we do.

    It also waits before it writes when the client does.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection over."""
        super().connection_made(transport)
        self.close_timeout = LINGER_S  # for the client's half of the closing handshake

    def send_receive_event_to_app(self) -> None:
        """Hand a message on, unless it is text that isn't UTF-8: the socket is closed then."""
        try:
            super().send_receive_event_to_app()
        except InvalidState:  # its closing had begun before, which Uvicorn doesn't expect
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()


def connection_class(*, receive_timeout_s: float) -> type[H11Protocol]:
    """Return what Uvicorn makes a connection of.

    Args:
        receive_timeout_s: Seconds that a request's head may take to come whole; and the rest of a body that was
            answered before its end.
    """

    class Connection(H11Protocol):
        """One connection that speaks HTTP, until it becomes a WebSocket."""

        def __init__(self, config: uvicorn.Config, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Uvicorn's
            super().__init__(config, *args, **kwargs)
            self._most_bytes = config.h11_max_incomplete_event_size or 0
            self._patience: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(MortalTransport(transport, self.loop))  # type: ignore[arg-type]
            self._be_patient(wanted=True)

        def connection_lost(self, exc: Exception | None) -> None:
            self._be_patient(wanted=False)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            # h11 bounds what is incomplete; a head that came in one read would be as large as the read.
            first = len(data) if self.conn.their_state is not h11.IDLE else self._most_bytes + 1
            super().data_received(data[:first])
            if len(data) > first and not self.transport.is_closing() and self.transport.get_protocol() is self:
                super().data_received(data[first:])
            self._be_patient(wanted=self._more_is_due())

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            super().handle_websocket_upgrade(event)
            if not self.transport.get_protocol().handshake_initiated:  # type: ignore[attr-defined]
                # Lines longer than websockets reads, or more of them. Uvicorn would say nothing, for ever.
                self.transport.write(BAD_HANDSHAKE)
                self.transport.close()

        def send_400_response(self, msg: str) -> None:
            # What comes may turn out to be no HTTP in the middle of a body: whoever is answering it must hear of that
            # as of a client that has left, and an answer that has begun is no place for another.
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                super().send_400_response(msg)
            self.transport.close()
            if self.cycle is not None:
                self.cycle.disconnected = True
                self.cycle.message_event.set()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self._more_is_due() and self.conn.their_state is not h11.IDLE:
                self._be_patient(wanted=True)

        def _more_is_due(self) -> bool:
            """Whether the client is in the middle of something that nobody else has patience for."""
            answered = self.conn.our_state in (h11.DONE, h11.MUST_CLOSE) and self.conn.their_state is h11.SEND_BODY
            return self.conn.their_state is h11.IDLE or answered

        def _be_patient(self, *, wanted: bool) -> None:
            if wanted and self._patience is None:
                self._patience = self.loop.call_later(receive_timeout_s, self._lose_patience)
            elif not wanted and self._patience is not None:
                self._patience.cancel()
                self._patience = None

        def _lose_patience(self) -> None:
            self._patience = None
            if self.transport.is_closing():
                return
            if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
                self._answer(408, RequestIncomplete(receive_timeout_s))
            self.transport.close()

        def _answer(self, status: int, error: RequestIncomplete) -> None:
            told = {"error": error.code, "message": str(error), "request_id": None, "retryable": error.retryable}
            body = json.dumps(told).encode()
            headers = [
                ("content-type", "application/json"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            for event in (h11.Response(status_code=status, headers=headers), h11.Data(body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event))

    return Connection
