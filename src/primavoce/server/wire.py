"""A session's WebSocket: frames in, frames out, and a reader that stops reading is dropped."""

from collections import deque
from collections.abc import Awaitable, Callable

import anyio
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from primavoce.protocol.codec import encode
from primavoce.protocol.messages import AnyServerMessage
from primavoce.protocol.utterance import Utterance

CLOSE_PATIENCE_S = 2.0
"""Seconds that a client has to close after ``session_complete``; a server's close reaches SageMaker as an error."""

log = structlog.get_logger("primavoce.session")


class ReaderGone(Exception):
    """The client has left, or has taken nothing for too long."""


class ReaderDropped(ReaderGone):
    """The client has taken nothing for too long."""


class Wire:
    """One WebSocket.

    Args:
        socket: Not yet accepted.
        session_id: For the log.
        send_timeout_s: Seconds that the client may not take a frame.
        told: Told of each message that went out.
    """

    def __init__(
        self, socket: WebSocket, *, session_id: str, send_timeout_s: float, told: Callable[[AnyServerMessage], None]
    ) -> None:
        self._socket = socket
        self._session_id = session_id
        self._send_timeout_s = send_timeout_s
        self._told = told
        self._sending = anyio.Lock()

    async def accept(self) -> None:
        """Take the client in."""
        await self._socket.accept()

    async def receive(self) -> str | bytes:
        """Return the next frame.

        Raises:
            ReaderGone: there will be none.
        """
        event = await self._socket.receive()
        if event["type"] == "websocket.disconnect":
            raise ReaderGone
        frame: bytes | None = event.get("bytes")
        text: str = event.get("text") or ""
        return text if frame is None else frame

    async def send(self, message: AnyServerMessage, *, of: Utterance | None = None) -> None:
        """Send a message, unless the utterance it belongs to has ended meanwhile.

        Raises:
            ReaderGone: nobody takes it.
        """
        await self._transmit(lambda: self._put(message), of)

    async def send_next(self, outbox: deque[AnyServerMessage]) -> None:
        """Send the first message of ``outbox``, if there is one once the wire is free.

        It is taken out when it has gone out: a task that is cancelled before has lost nothing.

        Raises:
            ReaderGone: nobody takes it.
        """

        async def send_first() -> None:
            if outbox:
                await self._put(outbox[0])
                outbox.popleft()

        await self._transmit(send_first, None)

    async def _put(self, message: AnyServerMessage) -> None:
        """Write a message; whoever calls has the wire."""
        await self._socket.send_text(encode(message))
        self._told(message)

    async def send_audio(self, frame: bytes, utterance: Utterance) -> None:
        """Send a frame of audio, unless its utterance has ended meanwhile.

        Raises:
            ReaderGone: nobody takes it.
        """
        await self._transmit(lambda: self._socket.send_bytes(frame), utterance)

    async def _transmit(self, send: Callable[[], Awaitable[None]], of: Utterance | None) -> None:
        with anyio.move_on_after(self._send_timeout_s) as patience:
            async with self._sending:
                if of is not None and of.outcome is not None:
                    return
                try:
                    await send()
                except (WebSocketDisconnect, RuntimeError, OSError) as error:
                    raise ReaderGone from error
        if patience.cancelled_caught:
            log.warning("reader dropped", session=self._session_id, after_s=self._send_timeout_s)
            raise ReaderDropped

    async def wait_for_close(self) -> None:
        """Give the client `CLOSE_PATIENCE_S` seconds to close; what it still says is ignored.

        Raises:
            ReaderGone: it has closed.
        """
        with anyio.move_on_after(CLOSE_PATIENCE_S):
            while True:
                await self.receive()

    async def close(self) -> None:
        """Close it, unless that has happened."""
        if self._socket.application_state is WebSocketState.CONNECTED and (
            self._socket.client_state is WebSocketState.CONNECTED
        ):
            try:
                with anyio.move_on_after(CLOSE_PATIENCE_S):
                    await self._socket.close()
            except (WebSocketDisconnect, RuntimeError, OSError):
                pass  # the client has gone just now


type Wiring = Callable[..., Wire]
"""Makes a wire of what `Wire` takes."""
