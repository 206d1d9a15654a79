"""A server that takes nothing more, and a client that doesn't read: nobody waits for ever, and nothing is lost."""

from dataclasses import replace

import anyio
import pytest

from primavoce.client.resuming import resuming
from primavoce.errors import SessionTimeout
from tests.client.resuming.cutting import until
from tests.client.resuming.scripted import AT_ONCE, ScriptedLink, nothing, opener, said, settled, talking

pytestmark = pytest.mark.anyio

SOON = replace(AT_ONCE, silence_s=0.05)


@pytest.mark.parametrize(
    "message",
    [said("text", "1", text=" B."), said("flush", "1"), said("end", "1"), said("ping", "1", played_s=0.1)],
    ids=["text", "flush", "end", "ping"],
)
async def test_a_link_that_takes_no_message_is_left_for_another_which_is_told_it(message: str) -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made), SOON) as (link, _):
        await link.send(said("text", "1", text="A."))
        made[0].clog()
        with anyio.fail_after(10):
            await link.send(message)
        await until(lambda: len(made) == 2 and len(made[1].said) >= 2)
        await settled()

    kinds = [(each["type"], each.get("request_id")) for each in made[1].said]
    assert kinds[0] == ("text", "1")
    assert made[1].texts("1") == ("A. B." if '"text"' in message else "A.")
    if '"text"' not in message:
        assert any(f'"{kind}"' in message and whose == "1" for kind, whose in kinds[1:])


async def test_an_utterance_that_no_link_takes_is_said_to_the_next() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if link.number and message["type"] == "text":
            link.speak("1")

    async with talking(opener(on_message, made), SOON) as (link, told):
        made[0].clog()
        with anyio.fail_after(10):
            await link.send(said("text", "1", text="A."))
        await until(lambda: "synthesis_complete" in told.of("1"))

    assert told.of("1") == ["synthesis_start", "synthesis_complete"]


async def test_a_delta_that_was_not_taken_is_not_missing_from_what_follows() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made), SOON) as (link, _):
        await link.send(said("text", "1", text="A."))
        made[0].clog()
        await link.send(said("text", "1", text=" B."))
        made[0].takes.set()
        await link.send(said("text", "1", text=" C."))
        await until(lambda: len(made) == 2)
        await settled()

    assert made[1].texts("1") == "A. B. C."
    assert made[0].texts("1") in ("A.", "A. B.")


async def test_a_delta_whose_sender_gave_up_waiting_is_not_missing_from_what_follows() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, _):
        await link.send(said("text", "1", text="A."))
        made[0].clog()
        with anyio.move_on_after(0.05):
            await link.send(said("text", "1", text=" B."))
        made[0].takes.set()
        await link.send(said("text", "1", text=" C."))
        await settled()
        whole = [each.texts("1") for each in made]

    assert whole[-1] == "A. B. C."
    assert whole[0] in ("A.", "A. B. C.")


async def test_a_new_link_that_takes_nothing_is_left_for_another() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text" and link.number == 2:
            link.speak("1")

    below = opener(on_message, made, clogged={1})
    async with talking(below, SOON) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].cut()
        await until(lambda: "synthesis_complete" in told.of("1"))

    assert made[1].said == []
    assert told.of("1") == ["synthesis_start", "synthesis_complete"]


async def test_when_no_link_takes_anything_the_client_is_told_so() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made, clogged={0, 1, 2, 3}), SOON) as (link, told):
        with anyio.fail_after(10):
            await link.send(said("text", "1", text="A."))
        await until(told.over.is_set)
        with pytest.raises(SessionTimeout):
            await link.send(said("text", "1", text=" B."))

    assert isinstance(told.error, SessionTimeout)
    assert str(told.error) == "no room for a message within 0.05 s"
    assert len(made) == 4


async def test_those_who_wait_behind_one_message_wait_no_longer_than_it() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made), replace(AT_ONCE, silence_s=0.2)) as (link, _):
        await link.send(said("text", "1", text="A."))
        made[0].clog()
        with anyio.fail_after(3):
            async with anyio.create_task_group() as tasks:
                for number in range(20):
                    tasks.start_soon(link.send, said("text", "1", text=f" {number}."))
        await until(lambda: len(made) == 2)
        await settled()

    assert made[1].texts("1") == "A." + "".join(f" {number}." for number in range(20))


async def test_a_cancel_without_a_link_waits_for_nobody_who_reads() -> None:
    made: list[ScriptedLink] = []
    gate = anyio.Event()

    async with resuming(opener(nothing, made, gate=gate), AT_ONCE)() as link:
        await link.send(said("text", "1", text="A."))
        made[0].cut()
        await settled()
        with anyio.fail_after(10):
            await link.send(said("cancel", "1"))  # nobody reads yet
        told = await anext(aiter(link))

    assert '"cancelled"' in str(told)


async def test_a_cancel_during_a_pause_is_acknowledged_at_once() -> None:
    made: list[ScriptedLink] = []

    async def pause(seconds: float) -> None:
        await anyio.sleep_forever()

    async with talking(opener(nothing, made), replace(AT_ONCE, sleep=pause)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].cut()
        await settled()
        await link.send(said("cancel", "1"))
        await settled()

    assert told.of("1") == ["cancelled"]


async def test_a_link_that_says_itself_that_it_takes_nothing_is_left() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if link.number == 0 and message.get("text") == " B.":
            raise SessionTimeout("room for a message", 1.0)

    async with talking(opener(on_message, made)) as (link, _):
        for text in ("A.", " B.", " C."):
            await link.send(said("text", "1", text=text))
        await settled()

    assert made[1].texts("1") == "A. B. C."


async def test_no_session_is_opened_for_what_has_ended_and_is_yet_to_be_read() -> None:
    made: list[ScriptedLink] = []
    over = anyio.Event()

    async def pause(seconds: float) -> None:
        await over.wait()

    async with resuming(opener(nothing, made), replace(AT_ONCE, sleep=pause))() as link:
        await link.send(said("text", "1", text="A."))
        made[0].cut()
        await settled()
        await link.send(said("cancel", "1"))
        await settled()
        over.set()
        await settled()
        assert len(made) == 1
        told = await anext(aiter(link))

    assert '"cancelled"' in str(told)


async def test_a_request_keeps_its_time_until_it_is_said() -> None:
    made: list[ScriptedLink] = []
    gate = anyio.Event()

    async with talking(opener(nothing, made, gate=gate)) as (link, _):
        await link.send(said("text", "1", text="A."))
        made[0].cut()
        await settled()
        await link.send(said("text", "2", text="B.", request_timestamp=5.0))
        await link.send(said("text", "1", text=" More."))
        gate.set()
        await settled()

    assert [message.get("request_timestamp") for message in made[1].said if message["type"] == "text"] == [None, 5.0]
