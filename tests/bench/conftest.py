"""A server of a few bytes."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import anyio.abc
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

type Answering = Callable[[bytes], AbstractAsyncContextManager[str]]


@pytest.fixture
def answering() -> Answering:
    """Return what runs a server that answers every request over HTTP with the same bytes, and hangs up."""

    @asynccontextmanager
    async def serve(answer: bytes) -> AsyncIterator[str]:
        async def one(stream: anyio.abc.SocketStream) -> None:
            async with stream:
                buffered = BufferedByteReceiveStream(stream)
                head = (await buffered.receive_until(b"\r\n\r\n", 65536)).lower()
                # Hanging up before the body has come would be an answer of its own.
                await buffered.receive_exactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0] or 0))
                await stream.send(answer)

        async with (
            await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(listener.serve, one)
            yield f"http://127.0.0.1:{listener.extra(anyio.abc.SocketAttribute.local_port)}"
            tasks.cancel_scope.cancel()

    return serve
