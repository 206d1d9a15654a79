"""Dictation: a recogniser of the browser's is played by an object in the page."""

from typing import TYPE_CHECKING

import pytest

from tests.web.page_steps import Traffic, ask, expect
from tests.web.writing import SHORT, Writer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

RECOGNISER = """
window.recognisers = [];
window.SpeechRecognition = class extends EventTarget {
  calls = [];
  constructor() { super(); window.recognisers.push(this); }
  start() { this.calls.push('start'); }
  stop() { this.calls.push('stop'); }
  abort() { this.calls.push('abort'); }
  hear(...texts) { this.#tell('result', { results: texts.map((transcript) => [{ transcript }]) }); }
  fail(error) { this.#tell('error', { error }); }
  end() { this.#tell('end', {}); }
  #tell(type, fields) { this.dispatchEvent(Object.assign(new Event(type), fields)); }
};
"""
LISTENING = "#dictate[aria-pressed=true]"
QUIET = "#dictate[aria-pressed=false]"


@pytest.fixture
def dictating(page: "Page", agent) -> Traffic:
    """A page whose browser can listen."""
    traffic = Traffic(page)
    page.add_init_script(RECOGNISER)
    page.goto(f"{agent(Writer(SHORT)).address}/?language=it&transport=sse")
    return traffic


def last(page: "Page", call: str) -> object:
    return page.evaluate(f"window.recognisers.at(-1).{call}")


def prompts(traffic: Traffic) -> list[str]:
    return [message["prompt"] for message in traffic.of("prompt")]


def test_what_is_said_appears_while_it_is_said_and_is_sent(page: "Page", dictating: Traffic) -> None:
    page.locator("#dictate").click()
    expect(page, LISTENING)
    last(page, "hear('what ti')")
    meanwhile = page.locator("#prompt").input_value()
    last(page, "hear('what time', ' is it')")
    page.locator("#dictate").click()
    last(page, "end()")
    expect(page, ".turn[data-state=done]")

    assert meanwhile == "what ti"
    assert prompts(dictating) == ["what time is it"]
    assert page.locator("#prompt").input_value() == ""
    assert page.locator(QUIET).count() == 1
    assert last(page, "calls") == ["start", "stop"]
    assert last(page, "lang") == "it"


def test_what_was_typed_stands_before_what_is_said(page: "Page", dictating: Traffic) -> None:
    page.locator("#prompt").fill("Tell me: ")
    page.locator("#dictate").click()
    last(page, "hear('what time')")
    last(page, "hear('what time is it')")
    last(page, "end()")
    expect(page, ".turn")

    assert prompts(dictating) == ["Tell me: what time is it"]


def test_what_is_heard_after_it_was_sent_by_hand_is_no_other_prompt(page: "Page", dictating: Traffic) -> None:
    page.locator("#dictate").click()
    last(page, "hear('what time is it')")
    page.locator("#prompt").press("Enter")
    expect(page, QUIET)
    last(page, "hear('what time is it now')")
    last(page, "end()")
    expect(page, ".turn[data-state=done]")

    assert prompts(dictating) == ["what time is it"]
    assert page.locator("#prompt").input_value() == ""
    assert last(page, "calls") == ["start", "abort"]


def test_the_voice_gives_way_to_who_dictates(page: "Page", dictating: Traffic) -> None:
    ask(page)
    expect(page, ".word.is-spoken")
    page.locator("#dictate").click()
    expect(page, ".turn[data-state=stopped]")

    assert page.locator(LISTENING).count() == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("network", "speech recognition gave up"),
        ("not-allowed", "does not let this page listen"),
        ("no-speech", None),
        ("aborted", None),
    ],
)
def test_what_goes_wrong_is_told_and_nothing_is_sent(
    page: "Page", dictating: Traffic, error: str, told: str | None
) -> None:
    page.locator("#dictate").click()
    last(page, f"fail('{error}')")
    last(page, "end()")
    expect(page, QUIET)

    assert prompts(dictating) == []
    assert page.locator("#notice").is_visible() == (told is not None)
    assert (told or "") in page.locator("#notice-text").inner_text()


def test_where_the_browser_cannot_listen_there_is_no_button(page: "Page", agent) -> None:
    page.add_init_script("delete window.SpeechRecognition; delete window.webkitSpeechRecognition;")
    page.goto(agent().address)

    expect(page, "#examples button")

    assert page.locator("#dictate").is_hidden()
