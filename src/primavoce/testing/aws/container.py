"""The WebSocket from SageMaker's front to a container, frame by frame: nothing is joined, split or decoded."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidHandshake
from websockets.frames import Frame, Opcode
from websockets.protocol import Event

from primavoce.testing.aws.parts import BINARY, COMPLETE, PARTIAL, UTF8, Part

UNANSWERED_PINGS = 5
"""In a row, after which SageMaker gives a container up."""
CLOSE_S = 1.0
"""Seconds that a container has to take part in the closing of its WebSocket."""

_OF_MESSAGES = frozenset({Opcode.TEXT, Opcode.BINARY, Opcode.CONT})


class ContainerSocket(ClientConnection):
    """A WebSocket that sends parts, and returns parts; it is to be had from `container_socket`."""

    def __init__(self, protocol: ClientProtocol, **how: object) -> None:
        super().__init__(protocol, **how)  # type: ignore[arg-type] # the library's own
        self._noted: deque[tuple[Opcode, bool]] = deque()
        """Of the frames that have come and weren't read yet: which kind each is, and whether it ends its message."""
        self._inside = False
        """Whether a message is being sent that goes on with the next part."""

    def process_event(self, event: Event) -> None:
        """Take what has come."""
        if isinstance(event, Frame) and event.opcode in _OF_MESSAGES:
            self._noted.append((event.opcode, event.fin))
        super().process_event(event)

    async def send_part(self, part: Part) -> None:
        """Send ``part`` as one frame; the first of a message says whether it is a text.

        Raises:
            ConnectionClosed: the container takes nothing any more.
        """
        async with self.send_context():
            if self._inside:
                self.protocol.send_continuation(part.payload, fin=part.is_last)
            elif part.is_text:
                self.protocol.send_text(part.payload, fin=part.is_last)
            else:
                self.protocol.send_binary(part.payload, fin=part.is_last)
            self._inside = not part.is_last

    async def parts(self) -> AsyncIterator[Part]:
        """Yield each frame that comes as a part.

        Raises:
            ConnectionClosed: no more come.
        """
        while True:
            data_type = BINARY
            async for payload in self.recv_streaming(decode=False):
                kind, is_last = self._noted.popleft()
                if kind is not Opcode.CONT:
                    data_type = UTF8 if kind is Opcode.TEXT else BINARY
                is_whole = is_last and kind is not Opcode.CONT
                yield Part(payload, data_type, None if is_whole else COMPLETE if is_last else PARTIAL)

    async def keep_pinged(self, every_s: float, *, sleep: Callable[[float], Awaitable[None]] = anyio.sleep) -> None:
        """Send Pings, until `UNANSWERED_PINGS` in a row have had no answer.

        Args:
            every_s: Between one and the next.
            sleep: Waits so long.
        """
        unanswered: list[Awaitable[float]] = []
        while True:
            await sleep(every_s)
            # Whoever answers one has answered those before it.
            unanswered = [pong for pong in unanswered if not pong.done()]  # type: ignore[attr-defined]
            if len(unanswered) >= UNANSWERED_PINGS:
                return
            unanswered.append(await self.ping())


@asynccontextmanager
async def container_socket(url: str, accept_s: float) -> AsyncIterator[ContainerSocket | None]:
    """Have a WebSocket to a container while the block runs; `None` if it takes none within ``accept_s`` seconds."""
    try:
        socket = await connect(
            url,
            create_connection=ContainerSocket,
            compression=None,
            max_size=None,
            proxy=None,
            open_timeout=accept_s,
            ping_interval=None,  # Pings are sent, and counted, as SageMaker does
            close_timeout=CLOSE_S,
        )
    except (OSError, TimeoutError, InvalidHandshake):
        yield None
        return
    assert isinstance(socket, ContainerSocket)
    try:
        yield socket
    finally:
        with anyio.move_on_after(CLOSE_S, shield=True) as farewell:
            await socket.close()
        if farewell.cancelled_caught:  # a container that takes nothing doesn't even let it say so
            socket.transport.abort()
