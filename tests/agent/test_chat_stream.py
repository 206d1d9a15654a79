from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest

from primavoce.agent.chat_stream import chat_deltas

pytestmark = pytest.mark.anyio


def piece(content: str | None, **others: object) -> SimpleNamespace:
    return SimpleNamespace(choices=[SimpleNamespace(delta=SimpleNamespace(content=content, **others))])


class Stream:
    """As the package ``openai`` has it: it has to be closed."""

    def __init__(self, *pieces: SimpleNamespace) -> None:
        self.pieces = pieces
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[SimpleNamespace]:
        for each in self.pieces:
            yield each

    async def close(self) -> None:
        self.closed = True


async def test_only_the_answers_text_comes_out() -> None:
    stream = Stream(
        piece(None, role="assistant"),
        piece(None, reasoning_content="Hm."),
        piece("Good "),
        piece(""),
        piece("day."),
        SimpleNamespace(choices=[], usage=SimpleNamespace(total_tokens=3)),
    )

    assert [delta async for delta in chat_deltas(stream)] == ["Good ", "day."]
    assert stream.closed


async def test_an_interruption_closes_the_stream() -> None:
    stream = Stream(piece("Good "), piece("day."))

    deltas = chat_deltas(stream)
    await anext(deltas)
    await deltas.aclose()

    assert stream.closed
