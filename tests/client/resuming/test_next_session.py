"""The session that is opened before the last one ends: when, and that nobody waits for it."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest

from primavoce.client import SessionLink, SpeechSession
from primavoce.client.resuming import resuming
from primavoce.client.websocket import websocket
from tests.client.resuming.cutting import letters, until
from tests.client.resuming.scripted import AT_ONCE, ScriptedLink, nothing, opener, said, settled, talking

pytestmark = pytest.mark.anyio


async def test_it_is_opened_half_of_a_short_session_before_its_end() -> None:
    made: list[ScriptedLink] = []
    opened: list[float] = []

    below = opener(nothing, made, first_ends_in_s=1.0, on_opening=lambda: opened.append(time.monotonic()))
    async with talking(below) as (link, _):
        await link.send(said("text", "1", text="One."))  # which isn't spoken until after the end
        await until(lambda: len(made) == 2)
        assert not made[0].closed

    assert 0.45 <= opened[1] - opened[0] < 1.0


async def test_an_utterance_waits_for_no_session_to_open_before_or_after_the_limit() -> None:
    made: list[ScriptedLink] = []
    gate, order = anyio.Event(), []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text":
            order.append(f"{message['request_id']} by {link.number}")
            link.speak(message["request_id"])

    below = opener(
        on_message, made, gate=gate, first_ends_in_s=0.0, on_opening=lambda: order.append("a session is opened")
    )
    async with talking(below) as (link, told):
        await settled()
        await link.send(said("text", "1", text="One."))  # while the next is being opened
        await until(lambda: "synthesis_complete" in told.of("1"))
        gate.set()
        await until(lambda: made[0].closed)  # by ourselves: it would have ended soon
        await link.send(said("text", "2", text="Two."))
        await until(lambda: "synthesis_complete" in told.of("2"))

    assert order == ["a session is opened", "a session is opened", "1 by 0", "2 by 1"]
    assert told.audio_bytes == 2 * 4_800


async def test_what_the_next_session_says_of_its_end_counts_from_when_it_says_it() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if link.number == 1 and message["type"] == "ping":
            link.tell(type="pong", request_id="link", session_ends_in_s=0.2)

    below = opener(on_message, made, first_ends_in_s=0.0, later_mute=["ping"])
    async with talking(below) as (link, told):
        await link.send(said("text", "1", text="One."))
        made[0].start("1")  # and has its turn until after the second session's end
        await until(lambda: len(made) == 3)

    assert told.of("1") == ["synthesis_start"]


async def test_over_a_real_limit_each_utterance_is_spoken_by_a_session_that_was_open_before(serving) -> None:
    events: list[str] = []
    async with serving(session_limit_s=0.4) as server:
        below = websocket(server.address)

        @asynccontextmanager
        async def watched() -> AsyncIterator[SessionLink]:
            events.append("open")
            async with below() as link:
                yield link
            events.append("closed")

        heard = []
        async with SpeechSession.over(resuming(watched, AT_ONCE)) as session:
            for text in ("The first.", "The second.", "The third."):
                before = len(events)
                async with session.utterance(text) as utterance:
                    heard.append(letters(b"".join([piece async for piece in utterance.audio()])))
                await until(lambda before=before: len(events) > before + 1)

    assert heard == ["thefirst", "thesecond", "thethird"]
    alive = 0
    for event in events[:-1]:
        alive += 1 if event == "open" else -1
        assert alive >= 1  # at no time without a session
