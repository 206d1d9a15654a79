"""The deltas of an answer that comes by OpenAI's chat API, from whichever server."""

from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

import anyio

from primavoce.agent.conversation import CLOSE_S


async def chat_deltas(stream: AsyncIterable[Any]) -> AsyncIterator[str]:
    """Yield the text of a streamed chat completion, as it comes.

    What it thinks, calls or refuses isn't its answer, and is left out.

    Args:
        stream: What ``client.chat.completions.create(…, stream=True)`` of the package ``openai`` returns, or another
            iterable of such pieces. It is closed in the end, also when the listener interrupts.
    """
    try:
        async for piece in stream:
            for choice in piece.choices[:1]:  # the last piece, which tells the usage, has none
                if choice.delta.content:
                    yield choice.delta.content
    finally:
        close = getattr(stream, "close", None)
        if close is not None:
            # Shielded: whoever interrupts has cancelled what waits here, and the connection must go all the same.
            with anyio.move_on_after(CLOSE_S, shield=True):
                await close()
