"""Uvicorn's connections, bounded: what comes in has to come whole in time, and what is closed is closed in time."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame

from primavoce.errors import PrimavoceError, RequestIncomplete
from primavoce.server.transport import MortalTransport

BAD_HANDSHAKE = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
MOST_FRAGMENTS = 1024
"""Frames that one message may come in: the limit of its bytes doesn't count those that are empty."""

type Told = Callable[[int, PrimavoceError | None], None]
"""Is told the status of an answer that no route gave, and the error in it, if it has one."""


class SocketConnection(WebSocketsSansIOProtocol):
    """What a connection becomes that is a WebSocket: the one of Uvicorn's that stops reading when we do.

    It also waits before it writes when the client does.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection over."""
        super().connection_made(transport)
        assert isinstance(transport, MortalTransport)
        self._mortal = transport
        if transport.stalled:  # asyncio has said so to the connection that it was before, and won't again
            self.writable.clear()
        self._unsent = (
            b""  # of pongs that wait for the reader, the last: it stands for those before it (RFC 6455, 5.5.3)
        )
        self.close_timeout = transport.linger_s  # for the client's half of the closing handshake

    def connection_lost(self, exc: Exception | None) -> None:
        """Let it go."""
        self._mortal.lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Look at what came, a little at a time."""
        if self.handshake_initiated:
            self._mortal.hand_on(data, super().data_received)
        else:  # the handshake, which the connection before has read
            super().data_received(data)

    def pause_writing(self) -> None:
        """Note that the reader has stopped."""
        super().pause_writing()
        self._mortal.reader_stopped()

    def resume_writing(self) -> None:
        """Note that the reader goes on, and answer its last ping."""
        self._mortal.reader_goes_on()
        super().resume_writing()
        unsent, self._unsent = self._unsent, b""
        self.transport.write(unsent)

    def handle_ping(self) -> None:
        """Answer a ping; to one who doesn't read, only the last."""
        if self.writable.is_set():
            super().handle_ping()
            return
        for frame in self.conn.data_to_send():
            self._unsent = frame or self._unsent

    def handle_cont(self, event: Frame) -> None:
        """Take a piece of a message, unless it has come in too many."""
        if self.close_sent:
            return
        if len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
            return
        self.frames = []
        self.conn.fail(CloseCode.POLICY_VIOLATION, f"a message may come in {MOST_FRAGMENTS} frames")
        self.handle_parser_exception()

    def send_receive_event_to_app(self) -> None:
        """Hand a message on, unless it is text that isn't UTF-8: the socket is closed then."""
        try:
            super().send_receive_event_to_app()
        except InvalidState:  # its closing had begun before, which Uvicorn doesn't expect
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()


def connection_class(
    *, receive_timeout_s: float, send_timeout_s: float, told: Told = lambda *_: None
) -> type[H11Protocol]:
    """Return what Uvicorn makes a connection of.

    Args:
        receive_timeout_s: Seconds that a request's head may take to come whole; and the rest of a body that was
            answered before its end.
        send_timeout_s: Seconds that a reader may take nothing.
        told: Told of what is answered here.
    """

    class Connection(H11Protocol):
        """One connection that speaks HTTP, until it becomes a WebSocket."""

        def __init__(self, config: uvicorn.Config, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Uvicorn's
            super().__init__(config, *args, **kwargs)
            self._most_bytes = config.h11_max_incomplete_event_size or 0
            self._patience: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            self._mortal = MortalTransport(transport, self.loop, send_timeout_s=send_timeout_s)
            super().connection_made(self._mortal)  # type: ignore[arg-type]
            self._be_patient(wanted=True)

        def connection_lost(self, exc: Exception | None) -> None:
            self._be_patient(wanted=False)
            self._mortal.lost()
            super().connection_lost(exc)

        def pause_writing(self) -> None:
            super().pause_writing()
            self._mortal.reader_stopped()

        def resume_writing(self) -> None:
            self._mortal.reader_goes_on()
            super().resume_writing()

        def data_received(self, data: bytes) -> None:
            self._mortal.hand_on(data, self._take)

        def _take(self, piece: bytes) -> None:
            # h11 bounds what is incomplete; a head that comes whole with this piece could be larger by the piece.
            first = len(piece)
            if self.conn.their_state is h11.IDLE:
                first = max(0, self._most_bytes + 1 - len(self.conn.trailing_data[0]))
            for part in (piece[:first], piece[first:]):
                # It may have become a WebSocket, whose client says nothing before it is answered.
                if part and not self.transport.is_closing() and self.transport.get_protocol() is self:
                    super().data_received(part)
            self._be_patient(wanted=self._more_is_due())

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            super().handle_websocket_upgrade(event)
            if not self.transport.get_protocol().handshake_initiated:  # type: ignore[attr-defined]
                # Lines longer than websockets reads, or more of them. Uvicorn would say nothing, for ever.
                self.transport.write(BAD_HANDSHAKE)
                self.transport.close()
                told(400, None)

        def send_400_response(self, msg: str) -> None:
            # What comes may turn out to be no HTTP in the middle of a body: whoever is answering it must hear of that
            # as of a client that has left, and an answer that has begun is no place for another.
            if self.conn.our_state is h11.IDLE:
                told(400, None)  # else a route has the request, and is told of
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
            answer = {"error": error.code, "message": str(error), "request_id": None, "retryable": error.retryable}
            body = json.dumps(answer).encode()
            headers = [
                ("content-type", "application/json"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            for event in (h11.Response(status_code=status, headers=headers), h11.Data(body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event))
            told(status, error)

    return Connection
