"""Text as an agent writes it: token by token, at a language model's rate."""

import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import anyio

from primavoce.bench.texts import Texts
from primavoce.text import SentenceStream

TOKENS_PER_S = 30.0
TOKEN_CHARACTERS = 4
"""About what a token of English has."""
LATER_SENTENCES = (2, 4)
"""How many sentences come after an answer's first: the least and the most."""

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]
Certain = Callable[[int, float], None]
"""Told that the text up to a character is certain, and since when."""


def tokens(text: str) -> list[str]:
    """Cut ``text`` into tokens; joined, they are the text."""
    return [text[start : start + TOKEN_CHARACTERS] for start in range(0, len(text), TOKEN_CHARACTERS)]


def answers(texts: Texts, *, seed: int) -> Iterator[str]:
    """Yield answers without end, the same for the same ``seed``.

    They differ in length, so that sessions that begin together drift apart. The first sentence is one of those of
    middling length: after a very short one, the next might be late for no other reason than that it was still written.
    """
    chance = random.Random(seed)  # noqa: S311 - a choice of texts, not a secret
    while True:
        first = chance.choice(texts.isolated)
        others = [sentence for sentence in (*texts.isolated, *texts.by_length) if sentence != first]
        count = chance.randint(*LATER_SENTENCES)
        yield " ".join([first, *chance.sample(others, min(count, len(others)))])


async def write(
    text: str,
    certain: Certain,
    *,
    language: str,
    tokens_per_s: float = TOKENS_PER_S,
    clock: Clock = time.perf_counter,
    sleep: Sleep = anyio.sleep,
) -> AsyncIterator[str]:
    """Yield the tokens of ``text``, each at its time after the first step of the iteration.

    Args:
        text: The whole answer.
        certain: Told of each sentence once the token was taken that makes it certain, or all were.
        language: Whose rules of punctuation hold.
        tokens_per_s: The rate.
        clock: Seconds.
        sleep: Waits for a number of seconds.
    """
    stream = SentenceStream(language)
    began = clock()
    for place, token in enumerate(tokens(text)):
        # By the clock and not by adding up sleeps: a late token doesn't make all the later ones late.
        await sleep(max(0.0, began + place / tokens_per_s - clock()))
        yield token
        for sentence in stream.push(token):
            certain(sentence.end, clock())
    for sentence in stream.flush():
        certain(sentence.end, clock())
