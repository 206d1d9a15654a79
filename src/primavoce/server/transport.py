"""A connection's transport that waits for nobody for ever, and hands on what comes a little at a time."""

import asyncio
from collections.abc import Callable
from typing import Any

LINGER_S = 3.0
"""Seconds that a client has to take what was sent before the connection was closed."""
PIECE_BYTES = 16 * 1024
"""Bytes that are looked at in one turn of the event loop. asyncio reads up to sixteen times as many, which may be tens
of thousands of tiny frames: nobody else would be served meanwhile."""


class MortalTransport:
    """A transport whose waiting comes to an end, whether or not the other side reads.

    asyncio's waits until the last byte is out: one who has stopped reading would hold it for ever.

    Args:
        transport: It.
        loop: The event loop's clock.
        send_timeout_s: Seconds that a reader may take nothing.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, *, send_timeout_s: float) -> None:
        self._transport = transport
        self._loop = loop
        self._send_timeout_s = send_timeout_s
        self.linger_s = LINGER_S
        self._stalled: asyncio.TimerHandle | None = None
        self._closing: asyncio.TimerHandle | None = None
        self._came = b""  # and was not looked at yet
        self._take: Callable[[bytes], None] = lambda _: None
        self._turn: asyncio.Handle | None = None
        self._wanted = True

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the transport has
        return getattr(self._transport, name)

    # --- what goes out

    def close(self) -> None:
        """Close once what was written is out; after `LINGER_S` seconds in any case."""
        if not self._transport.is_closing():
            self._closing = self._loop.call_later(self.linger_s, self._give_up)
        self._transport.close()

    def reader_stopped(self) -> None:
        """Note that the reader has left more lying than may wait: it has the send timeout to go on.

        And `LINGER_S` more: whoever waits for it notices first, and says so.
        """
        if self._stalled is None:
            self._stalled = self._loop.call_later(self._send_timeout_s + self.linger_s, self._give_up)

    def reader_goes_on(self) -> None:
        """Note that it has taken most of it."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    @property
    def stalled(self) -> bool:
        """Whether the reader has stopped."""
        return self._stalled is not None

    def lost(self) -> None:
        """Note that the connection is no more."""
        self.reader_goes_on()
        if self._closing is not None:
            self._closing.cancel()
        self._came = b""

    def _give_up(self) -> None:
        # asyncio's own can't be told twice that it is lost.
        socket = self._transport.get_extra_info("socket")
        if socket is not None and socket.fileno() != -1:
            self._transport.abort()

    # --- what comes in

    def hand_on(self, came: bytes, take: Callable[[bytes], None]) -> None:
        """Give ``came`` to ``take``: a first piece now, each other in a turn of the loop of its own.

        Whoever pauses the reading meanwhile gets no more until it is resumed; and nothing more is read before all is
        handed on.
        """
        self._came += came
        self._take = take
        if self._turn is None:
            self._hand_on_piece()

    def pause_reading(self) -> None:
        """Hand nothing on any more."""
        self._wanted = False
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Go on with it."""
        self._wanted = True
        if not self._came:
            self._transport.resume_reading()
        elif self._turn is None:
            self._turn = self._loop.call_soon(self._hand_on_piece)

    def _hand_on_piece(self) -> None:
        self._turn = None
        if self._transport.is_closing():
            self._came = b""
            return
        if not self._wanted:
            return
        piece, self._came = self._came[:PIECE_BYTES], self._came[PIECE_BYTES:]
        try:
            self._take(piece)
        except Exception:
            self._transport.abort()  # as asyncio does with a protocol that fails
            raise
        if self._came:
            self._transport.pause_reading()
        if self._wanted:
            self.resume_reading()
