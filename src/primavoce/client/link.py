"""What carries a session's frames: a WebSocket, an engine in this process, or whatever else somebody writes."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol


class SessionLink(Protocol):
    """One open way to a server, for one session.

    Frames come in the order in which they were sent. While a frame that has come isn't taken, the link takes only a
    bounded number of others: a session that isn't read holds its server back.
    """

    @property
    def typed(self) -> bool:
        """Whether it tells text from binary: then messages come as `str`, and all that comes as `bytes` is audio."""

    async def send(self, frame: str) -> None:
        """Send a message; wait while the server takes none.

        Raises:
            SessionError: the link has ended, or broken off.
        """

    def __aiter__(self) -> AsyncIterator[str | bytes]:
        """Return an iterator of the server's frames; one task iterates, once.

        It ends when the server closes the link in good order. That is the end of the session only after
        ``session_complete``, which is for `primavoce.client.SpeechSession` to judge.

        Raises:
            SessionBroken: the link has broken off; the error says how.
            SessionError: the other side has said why it ends the link.
        """


type Opener = Callable[[], AbstractAsyncContextManager[SessionLink]]
"""Opens a link, which is closed with the block.

It raises `primavoce.errors.ConnectFailed`, or another `SessionError`, when there is no link to be had. A link is for
one session, so whoever wants several asks several times.
"""
