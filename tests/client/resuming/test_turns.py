"""Several links at a time: whose turn it is, and what reaches which."""

import gc
import json
from collections.abc import AsyncIterator, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

import anyio
import anyio.lowlevel
import pytest

from primavoce.client.link import SessionLink
from primavoce.client.resuming import resuming
from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.errors import ConnectFailed
from tests.client.resuming.cutting import until
from tests.client.resuming.scripted import AT_ONCE, ScriptedLink, Told, nothing, opener, said, settled, talking

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def while_the_next_opens(
    made: list[ScriptedLink], steps: int, mute: Collection[str] = ()
) -> AsyncIterator[tuple[SessionLink, Told]]:
    """Have an utterance begun on a link that leaves ``mute`` unanswered, and the next be so many steps into opening."""
    opening = anyio.Event()

    def on_opening() -> None:
        if made:
            opening.set()

    below = opener(nothing, made, first_ends_in_s=0.0, in_steps=False, on_opening=on_opening)
    async with talking(below) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        made[0].mute.update(mute)
        await opening.wait()
        for _ in range(steps):
            await anyio.lowlevel.checkpoint()
        yield link, told


async def test_a_later_link_that_fails_is_told_of_when_what_comes_before_it_is_spoken() -> None:
    made: list[ScriptedLink] = []
    below = opener(nothing, made, first_ends_in_s=0.0, most=2, later_mute=["ping"])

    async with talking(below, replace(AT_ONCE, attempts=2)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        await until(lambda: len(made) == 2)
        await link.send(said("text", "2", text="B."))
        made[1].cut()
        await settled()
        made[0].sound(0.5)
        await settled()
        before = (told.audio_bytes, told.error)
        made[0].complete("1")
        await until(told.over.is_set)

    assert before == (24_000, None)
    assert told.of("1") == ["synthesis_start", "synthesis_complete"]
    assert isinstance(told.error, ConnectFailed)


async def test_while_a_later_link_that_failed_waits_for_its_turn_its_utterances_can_be_cancelled() -> None:
    made: list[ScriptedLink] = []
    below = opener(nothing, made, first_ends_in_s=0.0, most=2, later_mute=["ping"])

    async with talking(below, replace(AT_ONCE, attempts=2)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        await until(lambda: len(made) == 2)
        await link.send(said("text", "2", text="B."))
        made[1].cut()
        await settled()
        await link.send(said("cancel", "2"))
        await settled()

    assert told.of("2") == ["cancelled"]


async def test_the_last_link_may_end_before_its_turn_when_the_client_has_asked_for_the_end() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made, first_ends_in_s=0.0, later_mute=["ping", "close"])) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        await until(lambda: len(made) == 2)
        await link.send(said("close"))
        made[1].cut()
        await settled()
        made[0].sound(0.5)
        made[0].complete("1")
        await until(told.over.is_set)

    assert told.error is None
    assert [kind for kind, _ in told.events] == [
        "synthesis_start",
        "audio",
        "synthesis_complete",
        "session_complete",
    ]


@pytest.mark.parametrize("steps", range(16))
async def test_at_whichever_moment_of_an_opening_the_client_asks_for_the_end_the_session_ends(steps: int) -> None:
    made: list[ScriptedLink] = []

    async with while_the_next_opens(made, steps, mute=("close",)) as (link, told):  # it has something to speak first
        await link.send(said("close"))
        await settled()
        made[0].complete("1")
        made[0].tell(type="session_complete")
        await until(told.over.is_set)

    assert told.error is None
    assert told.events[-1] == ("session_complete", None)


@pytest.mark.parametrize("steps", range(16))
async def test_at_whichever_moment_of_an_opening_a_lexicon_is_set_the_next_utterance_is_said_by_it(steps: int) -> None:
    made: list[ScriptedLink] = []

    async with while_the_next_opens(made, steps) as (link, _):
        await link.send(said("lexicon", "names", words={"Okafor": "/a/"}))
        await link.send(said("text", "2", text="Okafor."))
        await settled()

    spoken_by = next(each for each in made if "2" in each.ids("text"))
    kinds = [message["type"] for message in spoken_by.said if message.get("request_id") in ("names", "2")]
    assert kinds.index("lexicon") < kinds.index("text")


async def test_an_utterance_that_waits_to_be_said_keeps_its_session_open() -> None:
    made: list[ScriptedLink] = []
    gate = anyio.Event()

    async with talking(opener(nothing, made, gate=gate, first_ends_in_s=0.0)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        await settled()
        made[0].clog()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(link.send, said("text", "1", text=" More."))  # waits for room
            await settled()
            tasks.start_soon(link.send, said("text", "2", text="B."))  # waits behind it
            await settled()
            made[0].complete("1")
            gate.set()  # another session, and nothing more is wanted of the first
            await settled()
            made[0].takes.set()
        await settled()
        spoken_by = next(each for each in made if "2" in each.ids("text"))
        assert not spoken_by.closed
        assert "close" not in [message["type"] for message in spoken_by.said]
        spoken_by.speak("2")
        await settled()

    assert told.of("2") == ["synthesis_start", "synthesis_complete"]


async def test_a_cancel_of_everything_reaches_every_link() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "cancel":
            link.cancelled(message["request_id"])
            if link.number == 0:
                link.clog()  # after this message, no other is taken

    below = opener(on_message, made, first_ends_in_s=0.0)
    async with talking(below, replace(AT_ONCE, close_s=0.0)) as (link, told):
        await link.send(said("text", "1", text="A."))
        await link.send(said("text", "1b", text="A."))
        made[0].start("1")
        await until(lambda: len(made) == 2)
        await link.send(said("text", "2", text="B."))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(link.send, said("cancel"))
            await settled()
            made[0].cancelled("1b")
            await until(lambda: made[0].closed)  # it isn't needed the first link is gone
            made[0].takes.set()
        await settled()

    assert (told.of("1")[-1], told.of("1b"), told.of("2")) == ("cancelled", ["cancelled"], ["cancelled"])


async def test_a_pong_is_told_even_if_its_session_is_not_needed_any_more() -> None:
    made: list[ScriptedLink] = []

    async with resuming(opener(nothing, made, first_ends_in_s=0.0), replace(AT_ONCE, close_s=0.0))() as link:
        await link.send(said("text", "1", text="A."))
        await until(lambda: len(made) == 2)
        made[0].start("1")
        made[0].complete("1")
        await link.send(said("ping", "1"))
        frames = aiter(link)
        told = [json.loads(await anext(frames))["type"] for _ in range(2)]
        await settled()  # nobody reads, and the first session has nothing more to speak
        with anyio.fail_after(10):
            told.append(json.loads(await anext(frames))["type"])

    assert told == ["synthesis_start", "synthesis_complete", "pong"]


@pytest.mark.parametrize("refused", [False, True], ids=["cut", "refused"])
async def test_a_later_link_that_breaks_is_replaced_before_its_turn(refused: bool) -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made, first_ends_in_s=0.0)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        await until(lambda: len(made) == 2)
        await link.send(said("text", "2", text="B."))
        if refused:
            made[1].fail(None, "draining", fatal=True)
        else:
            made[1].cut()
        await until(lambda: len(made) == 3)
        await settled()

    assert made[2].ids("text") == ["2"]
    assert told.of("1") == ["synthesis_start"]


async def test_a_lexicon_is_refused_before_the_pong_of_whoever_speaks() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "lexicon":
            link.fail("names", "invalid_lexicon")

    async with talking(opener(on_message, made, first_ends_in_s=0.0)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        await until(lambda: len(made) == 2)
        await link.send(said("text", "2", text="B."))
        made[1].start("2")  # and waits for its turn
        await settled()
        await link.send(said("lexicon", "names", words={"x": "/a/"}))
        await link.send(said("ping", "then"))
        await settled()
        made[0].complete("1")
        await settled()

    answers = [event for event in told.events if event[1] in ("names", "then")]
    assert answers == [("error", "names"), ("pong", "then")]


@pytest.mark.parametrize("steps", range(12))
async def test_at_whichever_moment_of_an_opening_an_utterance_is_cancelled_it_is_not_spoken(steps: int) -> None:
    made: list[ScriptedLink] = []
    gate = anyio.Event()

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "cancel" and message["request_id"] in link.ids("text"):
            link.cancelled(message["request_id"])

    async with talking(opener(on_message, made, gate=gate, in_steps=False)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        made[0].cut()
        await settled()
        gate.set()
        for _ in range(steps):
            await anyio.lowlevel.checkpoint()
        await link.send(said("cancel", "1"))
        await settled()

    assert told.of("1") == ["synthesis_start", "cancelled"]
    assert all(each.ids("cancel") == each.ids("text") for each in made[1:])


async def test_a_later_link_that_cannot_be_had_before_its_turn_is_tried_again_in_its_turn() -> None:
    made: list[ScriptedLink] = []
    tries: list[int] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if link.number == 2 and message["type"] == "text":
            link.speak("2")

    below = opener(on_message, made, first_ends_in_s=0.0, later_mute=["ping"], on_opening=lambda: tries.append(1))
    refused = opener(on_message, [], most=0, on_opening=lambda: tries.append(1))
    is_up = True

    def whichever() -> AbstractAsyncContextManager[SessionLink]:
        return below() if is_up else refused()

    async with talking(whichever, replace(AT_ONCE, attempts=3)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].start("1")
        await until(lambda: len(made) == 2)
        await link.send(said("text", "2", text="B."))
        is_up = False
        made[1].cut()
        await until(lambda: len(tries) == 4)
        await settled()
        is_up = True
        made[0].complete("1")
        await until(lambda: "synthesis_complete" in told.of("2"))

    assert told.error is None
    assert len(tries) == 5


async def test_utterances_that_have_been_told_are_forgotten_while_their_link_goes_on() -> None:
    made: list[ScriptedLink] = []
    before = utterances_in_memory()

    async with talking(opener(nothing, made)) as (link, told):
        for number in map(str, range(20)):
            await link.send(said("text", number, text="A."))
            await link.send(said("end", number))
            made[0].speak(number)
            await until(lambda whose=number: "synthesis_complete" in told.of(whose))
        kept = utterances_in_memory() - before

    assert len(made) == 1
    assert kept <= 2  # those that a task has just spoken of


def utterances_in_memory() -> int:
    gc.collect()
    return sum(type(each) is ResumableUtterance for each in gc.get_objects())
