"""An agent that answers as it is told, over real sockets, without Strands and without a voice."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio

from primavoce.agent.conversation import Piece, PlainConversation
from tests.conftest import run_agent

type Answer = Callable[[str], AsyncIterator[Piece]]


async def two_sentences(_: str) -> AsyncIterator[Piece]:
    for piece in ["The first one", " is done. ", "Then comes", " the second."]:
        yield piece


async def endless(_: str) -> AsyncIterator[Piece]:
    yield "One two three four. "
    while True:
        yield "Five six seven eight. "
        await anyio.sleep(0.001)


@asynccontextmanager
async def running_agent(speech_address: str, answer: Answer, **changes: object) -> AsyncIterator[str]:
    """Run one while the block runs; yields its ``http://`` address.

    Args:
        speech_address: Of the server that speaks.
        answer: Writes.
        changes: Settings other than the defaults.
    """
    async with run_agent(lambda: PlainConversation(answer), speech_address, **changes) as running:
        yield running.address
