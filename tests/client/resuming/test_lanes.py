"""How a session goes from one link to the next, with links that do what a test says."""

import json
from dataclasses import replace

import anyio
import pytest

from primavoce.client import SpeechSession
from primavoce.client.resuming import ResumePolicy, resuming
from primavoce.client.resuming.due import NextDue
from tests.client.resuming.cutting import until
from tests.client.resuming.scripted import AT_ONCE, ScriptedLink, nothing, opener

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("code", ["overloaded", "draining", "session_expired"])
async def test_what_is_given_back_in_its_turn_is_asked_for_elsewhere_before_those_behind_it(code: str) -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text" and message["request_id"] == "1" and link.number == 0:
            link.start("1")
            link.fail("1", code)
        elif message["type"] == "text":
            link.speak(message["request_id"])

    async with (
        SpeechSession.over(resuming(opener(on_message, made), AT_ONCE), timeout_s=3) as session,
        session.utterance("A.", request_id="1") as first,
        session.utterance("B.", request_id="2") as second,
    ):
        heard = [len(b"".join([pcm async for pcm in each.audio()])) for each in (first, second)]

    assert heard == [4800] * 2
    assert [message["request_id"] for message in made[1].said if message["type"] == "text"] == ["1", "2"]


async def test_what_is_given_back_before_its_turn_is_asked_for_elsewhere_when_its_turn_comes() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] != "text":
            return
        if link.number:
            link.speak(message["request_id"])
        elif message["request_id"] == "2":
            link.fail("2", "overloaded")
            link.speak("1")
            link.start("3")

    async with (
        SpeechSession.over(resuming(opener(on_message, made), AT_ONCE), timeout_s=3) as session,
        session.utterance("A.", request_id="1") as first,
        session.utterance("B.", request_id="2") as second,
        session.utterance("C.", request_id="3") as third,
    ):
        heard = [len(b"".join([pcm async for pcm in each.audio()])) for each in (first, second, third)]

    assert heard == [4800] * 3
    assert [message["request_id"] for message in made[1].said if message["type"] == "text"] == ["2", "3"]


async def test_what_has_lost_its_place_is_asked_for_again_and_not_taken_for_complete() -> None:
    made: list[ScriptedLink] = []

    def words(link: ScriptedLink, *starts: int) -> None:
        told = [("abc", at, at / 10, (at + 3) / 10) for at in starts]
        link.segment("1", "abc abc", 0, 0, *told)

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] != "text":
            return
        link.start("1")
        words(link, *((0, 4) if link.number == 0 else (0,)))
        link.sound(1.0 if link.number else 0.5)
        if link.number:
            link.complete("1")
        else:
            link.cut()

    async with (
        SpeechSession.over(resuming(opener(on_message, made), AT_ONCE), timeout_s=3) as session,
        session.utterance("abc abc", request_id="1") as utterance,
    ):
        heard = len(b"".join([pcm async for pcm in utterance.audio()]))

    assert len(made) == 3
    assert heard == 24_000 + 48_000


def test_the_next_session_is_due_when_the_first_answer_says_however_often_it_is_said_again() -> None:
    now = 0.0
    policy = replace(AT_ONCE, clock=lambda: now)

    due = NextDue(policy)
    due.guess()
    told = []
    for passed in range(0, 1780, 20):
        now = float(passed)
        due.tell(1800.0 - passed)
        told.append(due.at)

    assert set(told) == {1740.0}


async def test_a_cancel_while_a_link_is_opened_leaves_the_others_as_they_are() -> None:
    made: list[ScriptedLink] = []
    gate = anyio.Event()

    async with resuming(opener(nothing, made, gate=gate), AT_ONCE)() as link:
        for request_id in "123":
            await link.send(json.dumps({"type": "text", "text": "A. ", "request_id": request_id}))
        made[0].cut()
        await anyio.wait_all_tasks_blocked()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(link.send, json.dumps({"type": "cancel", "request_id": "1"}))
            await anyio.wait_all_tasks_blocked()
            gate.set()
            await until(lambda: len(made) > 1 and made[1].said)
            told = json.loads(await anext(aiter(link)))
        await until(lambda: len(made[1].said) >= 3)

    assert (told["type"], told["request_id"]) == ("cancelled", "1")
    assert [said["request_id"] for said in made[1].said if said["type"] == "text"] == ["2", "3"]


async def test_an_id_that_was_cancelled_can_be_used_again() -> None:
    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "cancel":
            link.cancelled("1")
        elif message["type"] == "end":
            link.speak("1")

    async with SpeechSession.over(resuming(opener(on_message, []), AT_ONCE), timeout_s=2) as session:
        async with session.utterance(request_id="1") as interrupted:
            await interrupted.send("Hello")
            await interrupted.cancel()
            async for _ in interrupted:
                pass
        async with session.utterance("Again.", request_id="1") as again:
            heard = len(b"".join([pcm async for pcm in again.audio()]))

    assert heard == 4800


async def test_a_session_that_ends_in_good_order_is_followed_by_the_next_at_once() -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text" and link.number == 0:
            link.fail(None, "session_expired", fatal=True)
        elif message["type"] == "text":
            link.speak("1")

    policy = ResumePolicy(sleep=pause)
    async with (
        SpeechSession.over(resuming(opener(on_message, []), policy), timeout_s=3) as session,
        session.utterance("A.", request_id="1") as utterance,
    ):
        heard = len(b"".join([pcm async for pcm in utterance.audio()]))

    assert (heard, pauses) == (4800, [])
