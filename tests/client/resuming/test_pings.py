"""Pings of the client's: in whose time they are said, and whose pongs answer them."""

import anyio
import anyio.lowlevel
import pytest

from tests.client.resuming.cutting import until
from tests.client.resuming.scripted import ScriptedLink, nothing, opener, said, settled, talking

pytestmark = pytest.mark.anyio


def two_words(link: ScriptedLink) -> None:
    link.start("1")
    link.segment("1", "One two.", 0, 0.0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0))


async def test_a_ping_that_is_said_again_is_in_the_time_of_what_is_asked_for_now() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, told):
        made[0].mute.add("ping")
        await link.send(said("text", "1", text="One two. Three."))
        two_words(made[0])
        made[0].sound(1.1)
        await until(lambda: told.audio_bytes)
        await link.send(said("ping", "1", played_s=1.5))
        made[0].cut()
        await until(lambda: told.of("1")[-1] == "pong")

    assert made[0].said[-1] == {"type": "ping", "request_id": "1", "played_s": 1.5}
    again = next(message for message in made[1].said if message == {**message, "type": "ping", "request_id": "1"})
    assert again["played_s"] == pytest.approx(0.4)  # 1.1 s lie before


async def test_a_ping_says_nothing_of_what_was_heard_until_the_place_to_go_on_from_is_found() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, told):
        made[0].mute.add("ping")
        await link.send(said("text", "1", text="One two. Three."))
        two_words(made[0])
        made[0].sound(0.8)
        await until(lambda: told.audio_bytes)
        await link.send(said("ping", "1", played_s=0.7))
        made[0].cut()
        await until(lambda: told.of("1")[-1] == "pong")
        made[1].start("1")
        made[1].segment("1", "One two.", 0, 0.0, ("One", 0, 0.3, 0.7), ("two", 4, 0.8, 1.2))
        await settled()
        await link.send(said("ping", "1", played_s=0.7))
        await settled()

    pings = [message for message in made[1].said if message["type"] == "ping" and message.get("request_id") == "1"]
    assert "played_s" not in pings[0]
    assert pings[1]["played_s"] == pytest.approx(0.9)  # "two" is said 0.2 s later


async def test_pings_are_said_again_once_and_answered_by_name() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, told):
        made[0].mute.add("ping")
        for name in "abc":
            await link.send(said("ping", name))
        made[0].tell(type="pong", request_id="b")
        await until(lambda: told.of("b"))
        made[0].cut()
        await until(lambda: told.of("c"))

    assert [name for name in made[1].ids("ping") if name != "link"] == ["a", "c"]
    assert [told.of(name) for name in "abc"] == [["pong"]] * 3


@pytest.mark.parametrize("steps", range(12))
async def test_at_whichever_moment_of_an_opening_a_ping_is_said_it_is_said_once(steps: int) -> None:
    made: list[ScriptedLink] = []
    gate = anyio.Event()

    async with talking(opener(nothing, made, gate=gate, in_steps=False)) as (link, told):
        await link.send(said("text", "1", text="A."))
        made[0].cut()
        await settled()
        gate.set()
        for _ in range(steps):
            await anyio.lowlevel.checkpoint()
        await link.send(said("ping", "a"))
        await settled()

    assert made[1].ids("ping").count("a") == 1
    assert told.of("a") == ["pong"]
