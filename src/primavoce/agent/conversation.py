"""Where an answer's text comes from, as far as speaking it needs to know."""

from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

import anyio


@dataclass(frozen=True, slots=True)
class Flush:
    """Among deltas: speak what is held now, sentence or not. A tool is about to be called, say."""


FLUSH = Flush()
CLOSE_S = 5.0
"""Seconds that a source of text has to close, once nobody wants more of it."""
type Piece = str | Flush
"""What an answer comes in: a delta, of any length, or a `Flush`."""


class Conversation(Protocol):
    """Answers prompts, one after another, and remembers what was said."""

    def answering(self, prompt: str) -> AbstractAsyncContextManager[AsyncIterator[Piece]]:
        """Answer ``prompt`` while the block runs; iterate the value for the answer's pieces.

        Leaving the block early stops what writes.

        Raises:
            AgentError: it can't be answered; also from the iteration.
        """

    def interrupt(self) -> None:
        """Have the answer that is being written stop: its iteration ends by itself soon.

        Never blocks, and does no harm when nothing is being written.
        """

    def remember(self, characters: int) -> None:
        """Keep of the last answer the first ``characters`` of all its deltas: the rest was never heard."""


class PlainConversation:
    """Any source of deltas: an iterator made for each prompt, without a memory of its own.

    Args:
        answer: Makes the deltas of the answer to a prompt. Its iterator is closed when the listener interrupts.
    """

    def __init__(self, answer: Callable[[str], AsyncIterable[Piece]]) -> None:
        self._answer = answer
        self._interrupted = False
        self.heard: int | None = None
        """Characters that were heard of the last answer; `None` while it is whole."""

    @asynccontextmanager
    async def answering(self, prompt: str) -> AsyncIterator[AsyncIterator[Piece]]:
        """Answer ``prompt``; see `Conversation`."""
        self._interrupted, self.heard = False, None
        pieces = self._answer(prompt)

        async def until_interrupted() -> AsyncIterator[Piece]:
            async for piece in pieces:
                if self._interrupted:
                    break
                yield piece

        try:
            yield until_interrupted()
        finally:
            close = getattr(pieces, "aclose", None)
            if close is not None:
                with anyio.move_on_after(CLOSE_S, shield=True):
                    await close()

    def interrupt(self) -> None:
        """Have the iteration end with its next piece."""
        self._interrupted = True

    def remember(self, characters: int) -> None:
        """Keep what was heard in `heard`, for whoever keeps the history."""
        self.heard = characters
