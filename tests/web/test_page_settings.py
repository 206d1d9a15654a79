"""What is chosen on the page, and what a link chooses beforehand."""

from typing import TYPE_CHECKING

import pytest

from tests.web.page_steps import Traffic, ask, expect
from tests.web.writing import SHORT, Writer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_what_is_chosen_and_preset_goes_with_the_question(page: "Page", agent) -> None:
    served = agent(Writer(SHORT))
    traffic = Traffic(page)
    page.goto(f"{served.address}/?voice=af_heart:0.7%2Baf_bella:0.3&mode=batch&transport=sse&q=Hello")
    page.locator("#speed").fill("1.25")
    page.locator("#language").select_option("it")

    page.locator("#prompt").focus()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Enter")
    page.keyboard.insert_text("there")
    page.keyboard.press("Enter")
    expect(page, ".turn[data-state=done]")

    (sent,) = traffic.of("prompt")
    chosen = {name: sent[name] for name in ("prompt", "voice", "mode", "speed", "language", "events")}
    assert chosen == {
        "prompt": "Hello\nthere",
        "voice": "af_heart:0.7+af_bella:0.3",
        "mode": "batch",
        "speed": 1.25,
        "language": "it",
        "events": ["words"],
    }
    assert "transport" not in sent


@pytest.mark.parametrize(
    ("preset", "sent", "shown", "share"),
    [
        ("af_sky", "af_sky", "Sky (female)", None),
        ("af_heart:0.75+af_bella:0.25", "af_heart:0.75+af_bella:0.25", "Heart (female)", "25 %"),
        ("af_heart+af_bella", "af_heart:0.5+af_bella:0.5", "Heart (female)", "50 %"),
        ("af_heart:3+af_bella", "af_heart:0.75+af_bella:0.25", "Heart (female)", "25 %"),
        # What the form has no fields for stands for itself.
        ("af_heart:1+af_bella:2", "af_heart:1+af_bella:2", "af_heart:1+af_bella:2", None),
        ("af_heart(7)+af_bella(3)", "af_heart(7)+af_bella(3)", "af_heart(7)+af_bella(3)", None),
        ("af_heart+af_bella+af_sky", "af_heart+af_bella+af_sky", "af_heart+af_bella+af_sky", None),
    ],
)
def test_a_blend_of_a_link_is_spoken_as_it_stands(
    page: "Page", agent, preset: str, sent: str, shown: str, share: str | None
) -> None:
    served = agent(Writer(SHORT))
    traffic = Traffic(page)
    page.add_init_script("""
        const last = { voice: 'af_nova', blend: 'am_adam', share: '0.4' };
        localStorage.setItem('primavoce.settings', JSON.stringify(last));
    """)
    page.goto(f"{served.address}/?voice={preset.replace('+', '%2B')}")

    ask(page)
    expect(page, ".word")

    (prompt,) = traffic.of("prompt")
    assert prompt["voice"] == sent
    assert page.locator("#voice option:checked").inner_text() == shown
    assert page.locator("#share-field").is_visible() == (share is not None)
    assert share is None or page.locator("#share-shown").inner_text() == share
    assert page.locator("#notice").is_hidden()


def test_a_blend_that_stands_for_itself_can_be_left_for_another(page: "Page", agent) -> None:
    served = agent(Writer(SHORT))
    traffic = Traffic(page)
    page.goto(f"{served.address}/?voice=af_heart%2Baf_bella%2Baf_sky")

    alone = page.locator("#blend").is_disabled()
    page.locator("#voice").select_option("am_adam")
    page.locator("#blend").select_option("af_sky")
    page.locator("#share").fill("0.33")
    ask(page)
    expect(page, ".word")

    (prompt,) = traffic.of("prompt")
    assert (alone, prompt["voice"]) == (True, "am_adam:0.67+af_sky:0.33")


def test_what_a_link_asks_for_and_cannot_have_is_told(page: "Page", agent) -> None:
    served = agent(Writer(SHORT))
    page.goto(f"{served.address}/?speed=3&language=xx&transport=pigeon&mode=batch")

    expect(page, "#notice-text", text="speed=3, language=xx, transport=pigeon")

    assert "mode" not in page.locator("#notice-text").inner_text()
    assert page.locator("#speed-shown").inner_text() == "2.00 ×"


def test_another_transport_interrupts_once_and_answers_the_next_question(page: "Page", agent) -> None:
    served = agent(Writer(SHORT, hold_before="six"))
    traffic = Traffic(page)
    page.goto(f"{served.address}/?transport=sse")

    ask(page)
    expect(page, ".word.is-spoken", text="two")
    page.locator("#transport-websocket").check()
    expect(page, ".turn[data-state=stopped][data-settled]")
    expect(page, "#connection[data-state=open]")
    page.locator("#transport-sse").check()
    expect(page, "#connection", text="Ready")
    served.write_on()
    ask(page, "And now?")
    expect(page, ".turn[data-state=done]")

    assert len(traffic.of("cancel")) == 1
    assert served.writer.prompts == ["Why?", "And now?"]
    assert page.locator("#notice").is_hidden()
