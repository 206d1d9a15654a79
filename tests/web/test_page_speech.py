"""The page before a server that speaks what is typed."""

import re
from typing import TYPE_CHECKING

import pytest

from primavoce.access import parse_keys
from tests.web.page_steps import TRANSPORTS, ask, expect, heard

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

KEY = "a-key-that-is-long-enough"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_server_speaks_what_is_typed(page: "Page", shared_server, transport: str) -> None:
    text = "Good morning, everybody. And good night."
    page.goto(f"{shared_server.address}/?transport={transport}")

    ask(page, text)
    expect(page, ".turn[data-state=done]")

    assert page.locator(".answer-text").inner_text() == text
    assert re.search(r"\d", page.locator("#figure-firstSound").inner_text())
    assert page.locator("#mode").is_hidden()
    if transport == "websocket":
        assert page.locator(".word").all_inner_texts() == text.split()


def test_speech_that_is_stopped_says_what_was_heard(page: "Page", shared_server) -> None:
    text = "Good morning, everybody. And good night. " * 4
    page.goto(shared_server.address)

    ask(page, text)
    expect(page, ".word.is-spoken", text="everybody")
    page.keyboard.press("Escape")
    expect(page, ".turn[data-state=stopped]")
    expect(page, ".unheard", text="And good night.")

    assert heard(page).startswith("Good morning,")
    assert page.locator("#notice").is_hidden()


def test_where_keys_are_asked_for_one_can_be_typed(page: "Page", speaking_server) -> None:
    page.goto(speaking_server(api_keys=parse_keys("PRIMAVOCE_API_KEYS", KEY)))

    expect(page, "#key-hint", text="asks for an API key")
    ask(page, "Good morning.")
    expect(page, "#notice-code", text="unauthorized")
    page.locator("#key").fill("nobody-has-this-key")
    page.keyboard.press("Enter")
    expect(page, "#key-hint", text="does not know")
    page.locator("#key").fill(KEY)
    page.keyboard.press("Enter")
    expect(page, "#key-hint", text="this tab only")
    page.reload()
    expect(page, "#key-hint", text="this tab only")
    ask(page, "Good morning.")
    expect(page, ".turn[data-state=done]")

    assert page.evaluate("Object.values(localStorage).join()").count(KEY) == 0
