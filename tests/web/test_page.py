"""The page in a real browser, before a scripted agent that hums and before a server that speaks what is typed.

Every test also fails by an error in the page's console, and by a request to another host.
"""

import io
import re
import wave
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from anyio.from_thread import start_blocking_portal

from primavoce.access import parse_keys
from tests.conftest import run_server
from tests.web.agent_server import ANSWER, SAMPLE_RATE, SECONDS_PER_CHARACTER, RunningAgent, Script, run_agent
from tests.web.conftest import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

    type Serve = Callable[[Script], RunningAgent]

pytestmark = pytest.mark.browser

TRANSPORTS = ["sse", "websocket"]
SHORT = "One two three four. Five six seven."
KEY = "a-key-that-is-long-enough"


@pytest.fixture
def agent() -> "Iterator[Serve]":
    """Return what serves a scripted agent until the test ends."""
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(run_agent(script))


@pytest.fixture
def speaking_server() -> Iterator[Callable[..., str]]:
    """Return what serves a humming engine, by settings, until the test ends."""
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())

        def serve(**settings: object) -> str:
            server: AbstractContextManager[Any] = portal.wrap_async_context_manager(run_server(**settings))
            return str(stack.enter_context(server).address)

        yield serve


def ask(page: "Page", prompt: str = "Why?") -> None:
    page.locator("#prompt").click()
    page.keyboard.insert_text(prompt)
    page.keyboard.press("Enter")


def expect(page: "Page", selector: str, *, text: str | re.Pattern[str] | None = None, state: Any = "visible") -> None:
    """Wait for an element of the last answer or the page, and for what stands in it."""
    page.locator(selector, has_text=text).last.wait_for(state=state, timeout=15_000)


def heard(page: "Page") -> str:
    """Return the last answer's text that is not crossed out."""
    return str(
        page.evaluate("""() => {
            const text = [...document.querySelectorAll('.answer-text')].at(-1).cloneNode(true);
            text.querySelectorAll('.unheard').forEach((each) => each.remove());
            return text.textContent;
        }""")
    )


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_first_sound_comes_while_the_text_is_still_being_written(page: "Page", agent, transport: str) -> None:
    running = agent(Script(SHORT, hold_at=SHORT.index("six")))
    page.goto(f"{running.address}/?transport={transport}")

    ask(page)
    expect(page, "#figure-firstSound", text=re.compile(r"\d"))
    meanwhile = page.locator(".answer-text").inner_text()
    running.release()
    expect(page, ".turn[data-state=done]")

    assert meanwhile == "One two three four. Five"
    assert page.locator(".answer-text").inner_text() == SHORT
    assert "before the last word was written" in page.locator(".overlap").inner_text()


@pytest.mark.parametrize("way", ["button", "escape", "typing"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_it_is_silent_at_once_and_what_was_not_heard_is_crossed_out(
    page: "Page", agent, transport: str, way: str
) -> None:
    running = agent(Script())
    page.goto(f"{running.address}/?transport={transport}")

    ask(page)
    expect(page, ".word.is-spoken", text="because")
    match way:
        case "button":
            page.locator("#stop").click()
        case "escape":
            page.keyboard.press("Escape")
        case "typing":
            page.locator("#prompt").press("w")
    expect(page, ".turn[data-state=stopped]")
    expect(page, "#stop", state="hidden")
    expect(page, ".unheard", text="orange and red.")

    cancels = [message for message in running.agent.received if message.get("type") == "cancel"]
    assert len(cancels) == 1
    assert cancels[0]["played_s"] >= ANSWER.index(" air") * SECONDS_PER_CHARACTER
    assert ANSWER.startswith(heard(page).rstrip())
    assert len("The sky is blue because") <= len(heard(page)) < ANSWER.index("In the evening")
    assert page.locator("#prompt").input_value() == ("w" if way == "typing" else "")


def test_the_next_question_interrupts_and_is_answered(page: "Page", agent) -> None:
    running = agent(Script(SHORT + " " + ANSWER))
    page.goto(running.address)

    ask(page)
    expect(page, ".word.is-spoken", text="three")
    ask(page, "And now?")
    running.agent.script.answer = SHORT
    expect(page, ".turn[data-state=done], .turn[data-state=speaking]")

    states = page.locator(".turn").evaluate_all("(all) => all.map((each) => each.dataset.state)")
    assert states[0] == "stopped"
    assert [message["prompt"] for message in running.agent.received if "prompt" in message] == ["Why?", "And now?"]


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
    running = agent(Script(answer))
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


def test_without_the_times_of_words_the_sentence_is_highlighted(page: "Page", agent) -> None:
    running = agent(Script(word_times=False))
    page.goto(running.address)

    ask(page)
    expect(page, ".segment.is-current", text="The sky is blue")

    assert page.locator(".word").count() == 0


def test_where_the_browser_holds_sound_back_there_is_a_button(playwright: "Playwright", watched, agent) -> None:
    running = agent(Script(SHORT))
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
    strict.close()


def test_what_was_heard_can_be_kept_as_a_wav(page: "Page", agent) -> None:
    running = agent(Script(SHORT))
    page.goto(running.address)

    ask(page)
    expect(page, ".turn[data-state=done]")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download WAV").click()

    with wave.open(io.BytesIO(download.value.path().read_bytes())) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, SAMPLE_RATE)
        assert file.readframes(file.getnframes()) == bytes(running.agent.sent)
    assert download.value.suggested_filename == "answer-1.wav"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_lost_connection_is_told_and_the_next_question_is_answered(
    page: "Page", agent, tolerated: list[str], transport: str
) -> None:
    tolerated.append("ERR_INCOMPLETE_CHUNKED_ENCODING")
    running = agent(Script(SHORT, hold_at=SHORT.index("six"), drop=True))
    page.goto(f"{running.address}/?transport={transport}")

    ask(page)
    expect(page, "#notice", text="connection")
    running.agent.script = Script(SHORT)
    if transport == "websocket":
        expect(page, "#connection[data-state=open]")
    ask(page, "Again?")
    expect(page, ".turn[data-state=done]")

    assert page.locator(".turn").first.get_attribute("data-state") in ("failed", "stopped")
    assert page.locator("#notice").is_hidden()


def test_an_error_is_told_in_plain_words_with_its_code(page: "Page", agent) -> None:
    running = agent(Script(SHORT, hold_at=SHORT.index("six"), error="overloaded"))
    page.goto(running.address)

    ask(page)
    expect(page, "#notice-text", text="no room for one more")

    assert page.locator("#notice-code").inner_text() == "overloaded"
    assert page.get_by_role("alert").count() == 1


def test_what_is_chosen_and_preset_goes_with_the_question(page: "Page", agent) -> None:
    running = agent(Script(SHORT))
    page.goto(f"{running.address}/?voice=af_heart:0.7%2Baf_bella:0.3&mode=batch&transport=sse&q=Hello")
    page.locator("#speed").fill("1.25")
    page.locator("#language").select_option("it")

    page.locator("#prompt").focus()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Enter")
    page.keyboard.insert_text("there")
    page.keyboard.press("Enter")
    expect(page, ".turn[data-state=done]")

    sent = running.agent.received[0]
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: "Browser", watched, agent, scheme: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    running = agent(Script())
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = watched(context.new_page())

    def serious() -> list[str]:
        violations = Axe().run(page).response["violations"]
        return [
            f"{each['id']}: {node['html']} {node['failureSummary']}"
            for each in violations
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]

    page.goto(running.address)
    expect(page, "#examples button")
    found = serious()
    ask(page)
    expect(page, ".word.is-spoken", text="blue")
    found += serious()
    page.keyboard.press("Escape")
    expect(page, ".unheard", text="orange")
    found += serious()
    running.agent.script = Script(SHORT, hold_at=4, error="overloaded")
    ask(page, "Once more?")
    expect(page, "#notice")
    found += serious()

    context.close()
    assert found == []


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_nothing_is_wider_than_the_window(page: "Page", agent, width: int) -> None:
    running = agent(
        Script(SHORT + " Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.")
    )
    page.set_viewport_size({"width": width, "height": 640})
    page.goto(running.address)
    too_wide = "document.documentElement.scrollWidth - window.innerWidth"

    found = [page.evaluate(too_wide)]
    for panel in ("#figures-panel", "#settings-panel"):
        page.locator(panel).evaluate("(each) => { each.open = true; }")
    page.locator("#blend").select_option("af_bella")
    found.append(page.evaluate(too_wide))
    ask(page, "W" * 100)
    expect(page, ".word.is-spoken", text="two")
    found.append(page.evaluate(too_wide))

    assert max(found) <= 0


def test_dark_and_light_follow_the_system_until_one_is_chosen(page: "Page", agent) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(agent(Script()).address)
    ground = "getComputedStyle(document.body).backgroundColor"

    dark = page.evaluate(ground)
    page.locator("#theme").click()
    light = page.evaluate(ground)
    page.reload()

    assert dark != light
    assert page.evaluate(ground) == light
    assert page.locator("#theme").get_attribute("aria-label") == "Theme: light"


def test_the_policy_holds_and_the_page_keeps_to_it(page: "Page", agent, tolerated: list[str]) -> None:
    tolerated.append("Content Security Policy")
    running = agent(Script(SHORT))
    page.add_init_script("""
        window.violations = [];
        const note = (event) => window.violations.push(event.effectiveDirective);
        document.addEventListener('securitypolicyviolation', note);
    """)
    page.goto(running.address)

    ask(page)
    expect(page, ".turn[data-state=done]")
    its_own = page.evaluate("window.violations.slice()")
    page.evaluate("""() => {
        const script = document.createElement('script');
        script.textContent = 'window.broken = true';
        document.head.append(script);
    }""")
    page.wait_for_function("window.violations.length > 0")

    assert its_own == []
    assert page.evaluate("window.broken") is None
    assert page.evaluate("window.violations") == ["script-src-elem"]


def test_a_screen_reader_is_told_the_answer_once_and_finds_its_way(page: "Page", agent) -> None:
    running = agent(Script(SHORT))
    page.goto(running.address)
    page.evaluate("""() => {
        window.told = [];
        const announcer = document.querySelector('[role=status]');
        new MutationObserver(() => window.told.push(announcer.textContent)).observe(announcer, { childList: true });
    }""")

    ask(page)
    expect(page, ".turn[data-state=done]")

    assert [told for told in page.evaluate("window.told") if "two" in told] == [f"Answer: {SHORT}"]
    assert {page.get_by_role(name).count() for name in ("banner", "main", "complementary")} == {1}
    assert "Playback from" in page.locator(".timeline figcaption").inner_text()


def test_everything_can_be_reached_by_the_keyboard(page: "Page", agent) -> None:
    page.goto(agent(Script()).address)
    expect(page, "#examples button")
    expected = page.evaluate("""() => [...document.querySelectorAll('a, button, summary, select, input, textarea')]
        .filter((each) => each.checkVisibility() && !(each.type === 'radio' && !each.checked))
        .map((each) => each.id || each.textContent.trim())""")

    reached = []
    for _ in expected:
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("""() => {
                const style = getComputedStyle(document.activeElement);
                const shown = document.activeElement.matches(':focus-visible');
                return shown ? document.activeElement.id || document.activeElement.textContent.trim() : style.outline;
            }""")
        )

    assert reached == expected
