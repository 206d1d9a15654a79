"""A front, before a container that a test plays."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from websockets.asyncio.server import ServerConnection, serve

from primavoce.testing.aws.faults import Fault, Trouble
from primavoce.testing.aws.sagemaker_front import FrontSettings, SageMakerFront, sagemaker_front

type Session = Callable[[ServerConnection], Awaitable[None]]


async def echo(socket: ServerConnection) -> None:
    async for frame in socket:
        await socket.send(frame)


@asynccontextmanager
async def front_before(
    session: Session = echo, *faults: Fault | Trouble | None, **settings: object
) -> AsyncIterator[SageMakerFront]:
    """Run a front before a container that plays ``session`` while the block runs."""
    async with serve(session, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        url = f"ws://127.0.0.1:{port}"
        async with sagemaker_front(url, FrontSettings(**settings), faults=faults) as front:  # type: ignore[arg-type]
            yield front
