"""The player where its device, or the browser, won't: what its audio thread plays is recorded sample by sample."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

pytestmark = pytest.mark.browser

RATE = 24_000


def test_a_context_that_is_suspended_holds_everything_back_until_it_goes_on(run_player) -> None:
    told = run_player("""
        const player = await Player.create();
        const recording = recordings[0];
        const pushed = noise(12000);
        player.begin('a');
        player.push(pushed.subarray(0, 6000));
        await recording.sounding(1000);
        await recording.context.suspend();
        await state(player, 'blocked');
        player.push(pushed.subarray(6000));
        player.end();
        const ended = event(player, 'ended');
        await player.resume();
        await ended;
        await recording.silent();
        return { wrong: difference(recording.samples, recording.start, pushed), underruns: player.underruns };
    """)

    assert told == {"wrong": -1, "underruns": 0}


def test_a_device_that_breaks_loses_nothing_of_the_answer(run_player) -> None:
    told = run_player("""
        const player = await Player.create();
        const pushed = noise(24000);
        const changed = event(player, 'devicechange');
        player.begin('a');
        player.push(pushed);
        await recordings[0].sounding(6000);
        await recordings[0].context.close();
        player.end();
        const { detail } = await event(player, 'ended');
        await changed;
        await recordings[1].silent();
        const [first, second] = recordings;
        // Where the end of the answer was played tells where the second beginning was; its first 5 ms are bent.
        const end = second.samples.findIndex((_, i) => difference(second.samples, i, pushed.subarray(-240)) < 0) + 240;
        const from = pushed.length - (end - second.start);
        const wrong = difference(second.samples, second.start + 120, pushed.subarray(from + 120));
        return { ...detail, wrong, twice: first.end - first.start - from, state: player.state };
    """)

    twice = told.pop("twice")
    assert told == {"answerId": "a", "playedS": 1, "wrong": -1, "state": "ended"}
    # What the device held is played again, rather than anything lost.
    assert 0 <= twice < 0.3 * RATE


def test_a_change_of_devices_is_told(run_player) -> None:
    told = run_player("""
        const player = await Player.create();
        const changed = event(player, 'devicechange');
        navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
        await changed;
        player.begin('a');
        player.push(noise(2400));
        player.end();
        await event(player, 'ended');
        return player.state;
    """)

    assert told == "ended"


def test_the_browsers_gate_is_told_and_a_click_opens_it(
    playwright: "Playwright", watched: "Callable[[Page], Page]", modules_address: str
) -> None:
    # As people have it: pages are silent until they are clicked.
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    page = watched(browser.new_page())

    with page.expect_console_message(lambda message: message.type == "log") as before:
        page.goto(f"{modules_address}/pages/gate.html")
    with page.expect_console_message(lambda message: message.type == "log") as after:
        page.click("button")
    browser.close()

    assert json.loads(before.value.text) == {"state": "blocked", "playedS": 0}
    assert json.loads(after.value.text) == {"state": "ended", "wrong": -1, "underruns": 0}
