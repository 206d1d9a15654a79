"""Whoever leaves the page, or looks at another."""

from typing import TYPE_CHECKING

import pytest

from tests.web.background import browser_tab
from tests.web.conftest import AUTOPLAY, CHROMIUM
from tests.web.page_steps import TRANSPORTS, ask, expect
from tests.web.writing import ANSWER, SHORT, Writer

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("hold_before", [None, "evening"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_who_leaves_while_it_speaks_has_heard_what_the_conversation_remembers(
    page: "Page", agent, transport: str, hold_before: str | None
) -> None:
    served = agent(Writer(hold_before=hold_before))
    page.goto(f"{served.address}/?transport={transport}")

    ask(page)
    expect(page, ".word.is-spoken", text="because")
    page.goto("about:blank")

    remembered = served.writer.remembered.get(timeout=10)
    assert len("The sky is blue because") <= remembered < ANSWER.index("In the evening")


def test_in_a_tab_that_nobody_sees_it_speaks_on_to_its_end(agent) -> None:
    served = agent(Writer(SHORT))

    with browser_tab(CHROMIUM, AUTOPLAY, f"{served.address}/?q=Why") as tab:
        tab.run("until(() => document.querySelector('#connection[data-state=open]'))")
        tab.run("document.querySelector('#composer').requestSubmit()")
        tab.run("until(() => document.querySelector('.word.is-spoken'))")
        tab.hide()
        hidden = tab.run("until(() => document.hidden && document.querySelector('.turn').dataset.state)")
        tab.run("until(() => document.querySelector('.turn[data-state=done]'))")
        told = tab.run("""({
            hidden: document.hidden,
            underruns: document.querySelector('#figure-underruns').textContent,
            note: document.querySelector('.answer-note').textContent,
        })""")

    assert hidden == "speaking"
    assert told == {"hidden": True, "underruns": "0", "note": "2.5 s of speech"}
