"""The page in a real browser before the agent itself: what is heard, shown, interrupted and kept.

Every test also fails by an error in the page's console, and by a request to another host.
"""

import io
import re
import wave
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import CHROMIUM
from tests.web.page_steps import TRANSPORTS, Traffic, ask, expect, heard
from tests.web.scripted import TEXT
from tests.web.writing import ANSWER, SHORT, Writer

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_first_sentence_is_heard_while_the_second_is_still_being_written(
    page: "Page", agent, transport: str
) -> None:
    served = agent(Writer(SHORT, hold_before="six"))
    page.goto(f"{served.address}/?transport={transport}")

    ask(page)
    expect(page, "#figure-firstSound", text=re.compile(r"\d"))
    expect(page, ".word.is-spoken", text="three")
    meanwhile = page.locator(".answer-text").inner_text()
    served.write_on()
    expect(page, ".turn[data-state=done]")

    assert meanwhile.rstrip() == "One two three four. Five"
    assert page.locator(".answer-text").inner_text() == SHORT
    assert page.locator(".word").all_inner_texts() == SHORT.split()
    assert "before the last word was written" in page.locator(".overlap").inner_text()


@pytest.mark.parametrize("way", ["button", "escape", "typing"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_it_is_silent_at_once_and_what_was_not_heard_is_crossed_out(
    page: "Page", agent, transport: str, way: str
) -> None:
    served = agent()
    traffic = Traffic(page)
    page.goto(f"{served.address}/?transport={transport}")

    ask(page)
    expect(page, ".word.is-spoken", text="because")
    match way:
        case "button":
            page.locator("#stop").click()
        case "escape":
            page.keyboard.press("Escape")
        case "typing":
            page.locator("#prompt").press("w")
    expect(page, "#stop", state="hidden")
    expect(page, ".unheard", text="orange and red.")
    expect(page, ".turn[data-state=stopped][data-settled]")

    (cancel,) = traffic.of("cancel")
    assert cancel["played_s"] > 1
    assert heard(page).rstrip() == ANSWER[: served.writer.remembered.get(timeout=10)]
    assert len("The sky is blue because") <= len(heard(page)) < ANSWER.index("In the evening")
    assert page.locator("#prompt").input_value() == ("w" if way == "typing" else "")
    assert page.evaluate("document.activeElement.id") == "prompt"


def test_the_next_question_interrupts_and_is_answered(page: "Page", agent) -> None:
    served = agent(Writer(SHORT + " " + ANSWER))
    page.goto(served.address)

    ask(page)
    expect(page, ".word.is-spoken", text="three")
    served.writer.answer = SHORT
    ask(page, "And now?")
    expect(page, ".turn[data-state=done], .turn[data-state=speaking]")

    states = page.locator(".turn").evaluate_all("(all) => all.map((each) => each.dataset.state)")
    assert states[0] == "stopped"
    assert served.writer.prompts == ["Why?", "And now?"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (SHORT, SHORT.split()),
        # On the wire, positions count characters; a pictograph is two of JavaScript's.
        ("A 🙂 smile, a 🏔️ mountain. And “seven” steps.", ["A", "smile,", "a", "mountain.", "And", "“seven”", "steps."]),
    ],
)
def test_the_word_in_the_ear_is_highlighted_one_after_the_other(
    page: "Page", agent, answer: str, words: list[str]
) -> None:
    running = agent(Writer(answer))
    page.goto(running.address)
    page.evaluate("""() => {
        window.highlighted = [];
        const note = () => {
            const word = document.querySelector('.word.is-current')?.textContent;
            if (word && window.highlighted.at(-1) !== word) window.highlighted.push(word);
        };
        const what = { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] };
        new MutationObserver(note).observe(document.querySelector('#answers'), what);
    }""")

    ask(page)
    expect(page, ".turn[data-state=done]")

    highlighted = page.evaluate("window.highlighted")
    assert len(highlighted) > len(words) / 2  # a busy machine may skip a picture
    assert highlighted == [word for word in words if word in highlighted]
    assert page.locator(".word").all_inner_texts() == words
    assert page.locator(".word.is-current").count() == 0


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_without_the_times_of_words_the_sentence_is_highlighted(page: "Page", stand_in: str, transport: str) -> None:
    page.goto(f"{stand_in}/?transport={transport}")

    ask(page, "open")
    expect(page, ".segment.is-current", text=TEXT)

    assert page.locator(".word").count() == 0


def test_where_the_browser_holds_sound_back_there_is_a_button(playwright: "Playwright", watched, agent) -> None:
    running = agent(Writer(SHORT))
    # As people have it: pages are silent until they are clicked.
    strict = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    page = watched(strict.new_page())
    # By the page itself, and told by its console: whatever a test asks from outside is a gesture to Chromium.
    page.add_init_script("""
        const steps = [
            () => document.querySelector('#connection[data-state=open]'),
            () => document.querySelector('#gate:not([hidden])'),
        ];
        const look = setInterval(() => {
            if (!steps[0]()) return;
            if (steps.length === 2) document.querySelector('#composer').requestSubmit();
            else console.log(`held back: ${document.querySelector('#figure-firstSound').textContent}`);
            steps.shift();
            if (!steps.length) clearInterval(look);
        }, 20);
    """)

    with page.expect_console_message(lambda message: message.type == "log") as held_back:
        page.goto(f"{running.address}/?q=Why")
    page.locator("#play").click()
    expect(page, ".turn[data-state=done]")

    assert held_back.value.text == "held back: –"
    assert page.locator("#play").is_hidden()
    assert page.evaluate("document.activeElement.id") == "prompt"
    strict.close()


def test_what_was_heard_can_be_kept_as_a_wav(page: "Page", agent) -> None:
    traffic = Traffic(page)
    page.goto(agent(Writer(SHORT)).address)

    ask(page)
    expect(page, ".turn[data-state=done]")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download WAV").click()

    with wave.open(io.BytesIO(download.value.path().read_bytes())) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 24_000)
        assert file.readframes(file.getnframes()) == bytes(traffic.audio)
    assert download.value.suggested_filename == "answer-1.wav"
