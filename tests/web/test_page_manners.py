"""The page for whoever can't see it, has no mouse, or another window: and what it keeps to."""

from typing import TYPE_CHECKING, Any

import pytest

from primavoce.errors import ModelThrottled
from tests.web.page_steps import ask, expect
from tests.web.writing import SHORT, Writer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: "Browser", watched, agent, scheme: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    running = agent()
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
    running.writer.hold_before, running.writer.error = "blue", ModelThrottled()
    running.write_on()
    ask(page, "Once more?")
    expect(page, "#notice")
    found += serious()

    context.close()
    assert found == []


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_nothing_is_wider_than_the_window(page: "Page", agent, width: int) -> None:
    running = agent(
        Writer(SHORT + " Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.")
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
    page.goto(agent(Writer()).address)
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
    running = agent(Writer(SHORT))
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
    running = agent(Writer(SHORT))
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
    page.goto(agent(Writer()).address)
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


def test_the_focus_never_falls_to_the_page_when_what_has_it_goes(page: "Page", agent) -> None:
    served = agent(Writer(SHORT))
    page.goto(served.address)
    focused = "document.activeElement.id"

    page.locator("#examples button").first.focus()
    page.keyboard.press("Enter")
    found = [page.evaluate(focused)]
    expect(page, ".word.is-spoken", text="two")
    page.locator("#stop").focus()
    expect(page, ".turn[data-state=done]")
    found.append(page.evaluate(focused))

    assert found == ["prompt", "prompt"]
