"""The page in a real browser before the agent itself, whose answers are written here and hummed by a server."""

import queue
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from primavoce.agent.conversation import Piece, PlainConversation
from primavoce.server.page import PageInfo, page_routes
from tests.conftest import run_agent
from tests.web.test_page import TRANSPORTS, ask, expect, heard

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

FIRST = "Here is the first sentence, which is rather long. "
SECOND = "And this second one is written only later."


class Writer:
    """Writes one sentence, waits to be told, and writes another."""

    def __init__(self) -> None:
        self.may_go_on = anyio.Event()
        self.remembered: queue.Queue[int] = queue.Queue()
        """How many characters were heard of an answer that was interrupted."""

    def converse(self) -> PlainConversation:
        conversation = PlainConversation(self._write)
        conversation.remember = self.remembered.put  # type: ignore[method-assign]
        return conversation

    async def _write(self, _: str) -> AsyncIterator[Piece]:
        yield FIRST
        yield SECOND[:4]  # only now is it certain that the first has ended
        await self.may_go_on.wait()
        yield SECOND[4:]


@asynccontextmanager
async def _serving(writer: Writer, speech_address: str) -> AsyncIterator[str]:
    routes = page_routes(lambda: PageInfo(kind="agent"))
    async with run_agent(writer.converse, speech_address, more=routes) as running:
        yield running.address


@pytest.fixture
def writing_agent(shared_server) -> Iterator[tuple[str, Writer, Callable[[], None]]]:
    """The address of an agent, who writes, and what lets it write on."""
    writer = Writer()
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        address = stack.enter_context(portal.wrap_async_context_manager(_serving(writer, shared_server.address)))
        yield address, writer, lambda: portal.call(writer.may_go_on.set)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_first_sentence_is_heard_before_the_second_is_written(page: "Page", writing_agent, transport: str) -> None:
    address, _, write_on = writing_agent
    page.goto(f"{address}/?transport={transport}")

    ask(page)
    expect(page, ".word.is-spoken", text="first")
    meanwhile = page.locator(".answer-text").inner_text()
    write_on()
    expect(page, ".turn[data-state=done]")

    assert meanwhile.rstrip() == FIRST + SECOND[:4].rstrip()
    assert page.locator(".answer-text").inner_text() == FIRST + SECOND
    assert page.locator(".word").all_inner_texts() == (FIRST + SECOND).split()


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_what_the_page_shows_as_heard_is_what_the_conversation_remembers(
    page: "Page", writing_agent, transport: str
) -> None:
    address, writer, _ = writing_agent
    page.goto(f"{address}/?transport={transport}")

    ask(page)
    expect(page, ".word.is-spoken", text="first")
    page.keyboard.press("Escape")
    expect(page, ".turn[data-settled]")

    remembered = writer.remembered.get(timeout=10)
    assert heard(page).rstrip() == FIRST[:remembered].rstrip()
    assert "Here is the first" in heard(page)
