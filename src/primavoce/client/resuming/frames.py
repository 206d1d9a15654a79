"""What comes over a link, read in a task that nobody interrupts: not every link can be asked again after that."""

from types import TracebackType
from typing import Self

import anyio

from primavoce.client.link import SessionLink
from primavoce.errors import SessionBroken, SessionError


class Frames:
    """The frames of a link, of which one is ahead.

    Args:
        link: Open.
    """

    def __init__(self, link: SessionLink) -> None:
        self._link = link
        self._push, self._frames = anyio.create_memory_object_stream[str | bytes]()
        self._broken: SessionError | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._push.close()
        self._frames.close()

    async def read(self) -> None:
        """Read until the link ends, or nobody takes what comes."""
        with self._push:
            try:
                async for frame in self._link:
                    await self._push.send(frame)
            except SessionError as error:
                self._broken = error
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass

    async def next(self) -> str | bytes | None:
        """Return the next frame, or `None` when the link has ended, however it has."""
        try:
            return await self._frames.receive()
        except anyio.EndOfStream:
            return None

    @property
    def failure(self) -> SessionError:
        """Why it has ended."""
        return self._broken or SessionBroken("the server closed it")
