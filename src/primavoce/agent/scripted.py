"""An agent's part, played from a script: text that arrives token by token, at a model's rate."""

import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass

import anyio

FIRST_TOKEN_S = 0.35
"""Seconds that a hosted model of middling size thinks before its first token."""
TOKENS_PER_S = 30.0
"""Rate of a hosted model of middling size."""
SPREAD = 0.35
"""Standard deviation of the gap between two tokens, as a share of the mean gap."""
WORD_PIECE = re.compile(r"\s*(?:[^\W\d_]{1,6}|\d{1,3}|[^\w\s]|_)|\s+")
"""About what a tokenizer of a language model cuts: a space goes with the word after it, long words break."""


@dataclass(frozen=True, slots=True)
class TimedToken:
    """A token, and when it is written."""

    text: str
    at_s: float
    """Seconds after the prompt."""


def script(
    text: str, *, tokens_per_s: float = TOKENS_PER_S, first_token_s: float = FIRST_TOKEN_S, seed: int = 0
) -> list[TimedToken]:
    """Return ``text`` as tokens with times; the same for the same ``seed``.

    Args:
        text: What the agent says.
        tokens_per_s: Mean rate.
        first_token_s: Seconds before the first.
        seed: Of the gaps' spread.
    """
    chance = random.Random(seed)  # noqa: S311 - a rhythm, not a secret
    tokens: list[TimedToken] = []
    at_s = first_token_s
    for piece in pieces(text):
        tokens.append(TimedToken(piece, at_s))
        at_s += max(0.0, chance.gauss(1.0, SPREAD)) / tokens_per_s
    return tokens


def pieces(text: str) -> Iterator[str]:
    """Cut ``text`` into tokens; joined, they are the text."""
    end = 0
    for found in WORD_PIECE.finditer(text):
        yield text[end : found.end()]
        end = found.end()
    if end < len(text):
        yield text[end:]


async def play(
    tokens: list[TimedToken],
    *,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
) -> AsyncIterator[str]:
    """Yield each token's text at its time, counted from the first step of the iteration.

    Args:
        tokens: In the order of their times.
        clock: Seconds.
        sleep: Waits for a number of seconds.
    """
    began = clock()
    for token in tokens:
        # By the clock and not by adding up sleeps: a late token doesn't make all the later ones late.
        await sleep(max(0.0, began + token.at_s - clock()))
        yield token.text
