"""The agent itself before the page: what it writes is written here, and hummed by a server."""

import queue
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token
from starlette.routing import BaseRoute

from primavoce.agent.conversation import Piece, PlainConversation
from primavoce.errors import PrimavoceError
from primavoce.server.page import PageInfo, kokoro_voices, page_routes
from tests.conftest import RunningAgent, run_agent

ANSWER = (
    "The sky is blue because air scatters short waves of light more than long ones. "
    "Sunlight holds every colour, and the blue part of it is sent in all directions. "
    "In the evening the light has a longer way through the air. "
    "Most of the blue is gone by then, and what is left is orange and red."
)
SHORT = "One two three four. Five six seven."


@dataclass
class Writer:
    """Writes the same answer to each prompt, a word at a time."""

    answer: str = ANSWER
    hold_before: str | None = None
    """Word before which it waits for `Serving.write_on`."""
    error: PrimavoceError | None = None
    """What goes wrong then."""
    prompts: list[str] = field(default_factory=list)
    """What was asked."""
    remembered: "queue.Queue[int]" = field(default_factory=queue.Queue)
    """How many characters were heard of an answer that was interrupted, as the conversation is told."""
    may_go_on: anyio.Event = field(default_factory=anyio.Event)

    def converse(self) -> PlainConversation:
        conversation = PlainConversation(self._write)
        conversation.remember = self.remembered.put  # type: ignore[method-assign]
        return conversation

    async def _write(self, prompt: str) -> AsyncIterator[Piece]:
        self.prompts.append(prompt)
        at = len(self.answer) if self.hold_before is None else self.answer.index(self.hold_before)
        for word in re.findall(r"\S+\s*", self.answer[:at]):
            yield word
        if self.hold_before is None:
            return
        await self.may_go_on.wait()
        if self.error is not None:
            raise self.error
        yield self.answer[at:]


@dataclass(frozen=True)
class Serving:
    """An agent that is served, with the page."""

    address: str
    writer: Writer
    running: RunningAgent
    write_on: Callable[[], None]
    """Lets it write on."""


def page_info() -> PageInfo:
    return PageInfo(
        kind="agent",
        model="a writer",
        voice="af_heart",
        voices=kokoro_voices(),
        languages=("en-us", "en-gb", "it"),
        version="test",
    )


@asynccontextmanager
async def serving(
    writer: Writer, speech_address: str, *, more: Sequence[BaseRoute] | None = None, **settings: Any
) -> AsyncIterator[Serving]:
    """Serve an agent that writes what ``writer`` does, with the page unless ``more`` routes are given."""
    routes = page_routes(page_info) if more is None else more
    async with run_agent(writer.converse, speech_address, more=routes, **settings) as running:
        write_on = partial(from_thread.run_sync, writer.may_go_on.set, token=current_token())
        yield Serving(running.address, writer, running, write_on)
