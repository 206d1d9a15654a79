"""One call of a container's ``POST /invocations``, whose answer is read as it comes."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from urllib.parse import SplitResult

import anyio
import h11
from anyio.abc import SocketStream

READ_BYTES = 64 * 1024


class NoAnswer(Exception):
    """The container isn't there, says nothing in time, or no HTTP."""


class AnswerBroken(Exception):
    """The container's answer isn't whole."""


class ContainerAnswer:
    """What a container answers; it is to be had from `container_answer`."""

    def __init__(self, stream: SocketStream) -> None:
        self.status = 0
        """Of HTTP."""
        self.content_type = ""
        self._stream = stream
        self._connection = h11.Connection(h11.CLIENT)

    async def ask(self, host: str, headers: Mapping[str, str], body: bytes) -> None:
        """Send a request, and wait until its answer begins."""
        told = {"host": host, "connection": "close", **headers, "content-length": str(len(body))}
        named = [(name.encode(), value.encode()) for name, value in told.items()]
        request = h11.Request(method="POST", target="/invocations", headers=named)
        for event in (request, h11.Data(data=body), h11.EndOfMessage()):
            await self._stream.send(self._connection.send(event) or b"")
        while not isinstance(answer := await self._next(), h11.Response):
            pass  # one that says to wait
        self.status = answer.status_code
        self.content_type = dict(answer.headers).get(b"content-type", b"").decode()

    async def blocks(self, most_bytes: int) -> AsyncGenerator[bytes]:
        """Yield the answer's body, in blocks that are cut anywhere.

        Args:
            most_bytes: Of a block.

        Raises:
            AnswerBroken: it breaks off.
        """
        try:
            while isinstance(event := await self._next(), h11.Data):
                for at in range(0, len(event.data), most_bytes):
                    yield bytes(event.data[at : at + most_bytes])
        except (anyio.BrokenResourceError, h11.RemoteProtocolError) as error:
            raise AnswerBroken from error

    async def whole(self) -> bytes:
        """Return the answer's body.

        Raises:
            AnswerBroken: it breaks off.
        """
        async with aclosing(self.blocks(READ_BYTES)) as blocks:
            return b"".join([block async for block in blocks])

    async def _next(self) -> h11.Event | type[h11.PAUSED]:
        while (event := self._connection.next_event()) is h11.NEED_DATA:
            try:
                self._connection.receive_data(await self._stream.receive(READ_BYTES))
            except anyio.EndOfStream:
                self._connection.receive_data(b"")
        assert not isinstance(event, type) or event is h11.PAUSED
        return event


@asynccontextmanager
async def container_answer(
    container: SplitResult, headers: Mapping[str, str], body: bytes, answer_s: float
) -> AsyncIterator[ContainerAnswer]:
    """Have a container's answer while the block runs.

    Args:
        container: Its address.
        headers: That it gets.
        body: That it gets.
        answer_s: Seconds that it has to begin its answer.

    Raises:
        NoAnswer: there is none.
    """
    try:
        with anyio.fail_after(answer_s):
            stream = await anyio.connect_tcp(container.hostname or "", container.port or 80)
    except (OSError, TimeoutError) as error:
        raise NoAnswer from error
    async with stream:
        answer = ContainerAnswer(stream)
        try:
            with anyio.fail_after(answer_s):
                await answer.ask(container.netloc, headers, body)
        except (anyio.BrokenResourceError, TimeoutError, h11.RemoteProtocolError) as error:
            raise NoAnswer from error
        yield answer
