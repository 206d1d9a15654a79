"""What goes wrong, and what the page says of it."""

import re
from typing import TYPE_CHECKING

import pytest

from primavoce.errors import ModelFailed
from primavoce.server.lobby import Lobby
from tests.web.page_steps import TRANSPORTS, Traffic, ask, expect
from tests.web.writing import SHORT, Writer

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

WITHOUT_OUTPUT = "window.AudioContext = class { constructor() { throw new Error('no device'); } };"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_lost_connection_is_told_and_the_next_question_is_answered(
    page: "Page", stand_in: str, tolerated: list[str], transport: str
) -> None:
    tolerated.append("ERR_INCOMPLETE_CHUNKED_ENCODING")
    page.goto(f"{stand_in}/?transport={transport}")

    ask(page, "drop")
    expect(page, ".answer-text", text="Grüße")
    page.request.post(f"{stand_in}/break")
    expect(page, "#notice", text="connection")
    if transport == "websocket":
        expect(page, "#connection[data-state=open]")
    ask(page, "Again?")
    expect(page, ".turn[data-state=done]")

    assert page.locator(".turn").first.get_attribute("data-state") in ("failed", "stopped")
    assert page.locator("#notice").is_hidden()


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_error_is_told_in_plain_words_with_its_code(
    page: "Page", agent, tolerated: list[str], transport: str
) -> None:
    tolerated.append("503")
    page.goto(f"{agent(max_sessions=0).address}/?transport={transport}")

    ask(page)
    expect(page, "#notice-text", text="no room for one more")

    assert page.locator("#notice-code").inner_text() in ("overloaded", "queue_saturated")
    assert page.get_by_role("alert").count() == 1
    assert page.locator("#stop").is_hidden()


def test_an_error_of_no_answer_is_told_too(page: "Page", agent) -> None:
    served = agent()
    served.running.service.sockets = Lobby(0)
    page.goto(served.address)

    expect(page, "#notice-text", text="no room for one more")

    assert page.locator("#notice-code").inner_text() == "overloaded"


def test_a_speech_server_without_a_place_says_so_before_anything_is_typed(page: "Page", speaking_server) -> None:
    page.goto(speaking_server(max_sessions=0))

    expect(page, "#notice-text", text="no room for one more")

    assert page.locator("#notice-code").inner_text() == "overloaded"


@pytest.mark.parametrize("kind", ["agent", "speech"])
def test_a_socket_that_was_idle_and_is_closed_alarms_nobody(page: "Page", agent, speaking_server, kind: str) -> None:
    brief = {"session_idle_s": 0.2}
    page.goto(agent(Writer(SHORT), **brief).address if kind == "agent" else speaking_server(**brief))

    expect(page, "#connection[data-state=closed]", text="Ready")
    told = page.locator("#notice").is_visible()
    ask(page, SHORT)
    expect(page, ".turn[data-state=done]")

    assert not told
    assert page.locator("#notice").is_hidden()


@pytest.mark.parametrize("error", [None, ModelFailed()])
def test_without_an_audio_output_an_answer_is_shown_and_ends(page: "Page", agent, error: ModelFailed | None) -> None:
    served = agent(Writer(SHORT, hold_before=error and "six", error=error))
    page.add_init_script(WITHOUT_OUTPUT)
    page.goto(served.address)

    ask(page)
    expect(page, "#figure-firstAudio", text=re.compile(r"\d"))
    served.write_on()
    expect(page, f".turn[data-state={'failed' if error else 'done'}]")
    expect(page, "#stop", state="hidden")

    assert page.locator(".answer-text").inner_text().rstrip() == (
        SHORT if error is None else "One two three four. Five"
    )
    assert page.locator("#notice-code").inner_text() == ("model_failed" if error else "no_audio")


def test_what_came_before_an_error_is_heard_and_then_it_is_over(page: "Page", agent) -> None:
    served = agent(Writer(SHORT, hold_before="six", error=ModelFailed()))
    page.goto(served.address)

    ask(page)
    expect(page, ".word.is-spoken")
    served.write_on()
    expect(page, "#notice-code", text="model_failed")
    expect(page, ".turn[data-state=failed]:not([data-heard])")
    expect(page, "#stop", state="hidden")

    assert "Broken off" in page.locator(".answer-note").inner_text()


def test_a_cancel_that_comes_before_its_prompt_stops_it_all_the_same(page: "Page", agent) -> None:
    served = agent(Writer(SHORT))
    traffic = Traffic(page)
    held: list[Route] = []
    # Only the first is held, and the page's routes stay: to take them away would send what is held.
    page.route("**/invocations", lambda route: route.continue_() if held else held.append(route))
    page.goto(f"{served.address}/?transport=sse")

    ask(page)
    expect(page, "#stop")
    page.keyboard.press("Escape")
    expect(page, ".turn[data-settled]")
    ask(page, "And now?")
    expect(page, ".turn[data-state=done]")

    assert traffic.of("cancel") == []
    assert served.writer.prompts == ["And now?"]
