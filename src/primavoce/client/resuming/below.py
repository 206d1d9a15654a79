"""A link below, as a lane has it: read in a task that nobody interrupts, and given up when it takes nothing."""

import logging
from types import TracebackType
from typing import Self

import anyio

from primavoce.client.link import SessionLink
from primavoce.errors import SessionBroken, SessionError, SessionTimeout
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import AnyClientMessage

log = logging.getLogger("primavoce.client")


class LinkBelow:
    """A link and its frames, of which one is ahead.

    Not every link can be asked again after who waited for a frame was interrupted; so a task of its own reads it.

    Args:
        link: Open.
        patience_s: The longest that messages may wait to be taken.
    """

    def __init__(self, link: SessionLink, patience_s: float) -> None:
        self.typed = link.typed
        self._link = link
        self._patience_s = patience_s
        self._push, self._frames = anyio.create_memory_object_stream[str | bytes]()
        self._given_up = False
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
                self._broken = self._broken or error
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass

    async def next(self) -> str | bytes | None:
        """Return the next frame, or `None` when the link has ended, however it has, or was given up."""
        if self._given_up:
            return None
        try:
            return await self._frames.receive()
        except anyio.EndOfStream:
            return None

    async def send(self, *messages: AnyClientMessage) -> None:
        """Send what the link takes; what it doesn't is to be said again on the next.

        One that takes nothing for as long as the patience is, or whose message was cut short when its sender was
        cancelled, is given up: it lacks what was said, and mustn't be told what comes after that.
        """
        if self._given_up:
            return
        try:
            with anyio.fail_after(self._patience_s):
                for message in messages:
                    await self._link.send(encode(message))
        except TimeoutError:
            self._give_up(SessionTimeout("room for a message", self._patience_s))
        except SessionTimeout as error:
            self._give_up(error)
        except SessionError as error:
            log.debug("a message was not taken: %s", error)  # whoever listens to the link will know why
        except anyio.get_cancelled_exc_class():
            self._give_up(SessionBroken("a message was cut short"))
            raise

    def _give_up(self, error: SessionError) -> None:
        self._given_up, self._broken = True, error
        self._push.close()  # whoever waits for a frame is told so

    @property
    def failure(self) -> SessionError:
        """Why it has ended."""
        return self._broken or SessionBroken("the server closed it")
