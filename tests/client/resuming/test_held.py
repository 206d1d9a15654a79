"""What waits for its client's next words, and what was given back: no server has it, and none must be waited for."""

import json
from dataclasses import replace

import pytest

from primavoce.client.link import SessionLink
from primavoce.client.resuming import resuming
from tests.client.resuming.cutting import until
from tests.client.resuming.scripted import AT_ONCE, ScriptedLink, Told, nothing, opener, said, settled, talking

pytestmark = pytest.mark.anyio


def speaks_first(link: ScriptedLink, message: dict) -> None:
    """Speak all of the first text of utterance 1, and break off; from then on speak what has an end."""
    if link.number == 0 and message["type"] == "text" and message["request_id"] == "1":
        link.start("1")
        link.segment("1", "One.", 0, 0.0, ("One", 0, 0.1, 0.4))
        link.sound(0.5)
    elif link.number and message["type"] == "end":
        for request_id in dict.fromkeys(link.ids("text")):
            if request_id not in link.ids("end"):
                break  # its turn isn't over
            if request_id not in link.spoken:
                link.speak(request_id)
    elif link.number and message["type"] == "cancel":
        link.cancelled(message["request_id"])


async def break_off_with_one_behind(link: SessionLink, told: Told, made: list[ScriptedLink]) -> None:
    """Break the link off when all there is of the first utterance, which has no end, is spoken; the second is whole."""
    await link.send(said("text", "1", text="One."))
    await link.send(said("text", "2", text="Two."))
    await link.send(said("end", "2"))
    await until(lambda: told.audio_bytes)
    made[0].cut()
    await until(lambda: len(made) == 2)
    await settled()


async def test_nothing_behind_an_utterance_that_waits_for_text_is_spoken_before_it() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(speaks_first, made)) as (link, told):
        await link.send(said("text", "1", text="One."))
        await until(lambda: told.audio_bytes)
        made[0].cut()
        await until(lambda: len(made) == 2)
        await link.send(said("text", "2", text="Two."))
        await link.send(said("end", "2"))
        await settled()
        assert told.of("2") == []
        await link.send(said("text", "1", text=" More."))
        await link.send(said("end", "1"))
        await until(lambda: "synthesis_complete" in told.of("2"))

    kinds = [(kind, whose) for kind, whose in told.events if kind.startswith("synthesis")]
    assert kinds == [
        ("synthesis_start", "1"),
        ("synthesis_complete", "1"),
        ("synthesis_start", "2"),
        ("synthesis_complete", "2"),
    ]
    assert made[1].texts("1") == " More."


async def test_nothing_that_was_behind_it_when_the_link_broke_is_spoken_before_it() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(speaks_first, made)) as (link, told):
        await break_off_with_one_behind(link, told, made)
        assert told.of("2") == []
        await link.send(said("end", "1"))
        await until(lambda: "synthesis_complete" in told.of("2"))

    assert told.of("1") == ["synthesis_start", "synthesis_complete"]
    assert made[1].ids("text") == ["2"]


async def test_a_cancel_of_what_waits_for_text_is_acknowledged_and_what_is_behind_it_spoken() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(speaks_first, made)) as (link, told):
        await break_off_with_one_behind(link, told, made)
        await link.send(said("cancel", "1"))
        await until(lambda: "synthesis_complete" in told.of("2"))

    assert told.of("1") == ["synthesis_start", "cancelled"]
    assert "cancel" not in [message["type"] for message in made[1].said]


async def test_a_close_completes_what_waits_for_text() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(speaks_first, made)) as (link, told):
        await link.send(said("text", "1", text="One."))
        await until(lambda: told.audio_bytes)
        made[0].cut()
        await until(lambda: len(made) == 2)
        await settled()
        await link.send(said("close"))
        await until(told.over.is_set)

    assert [kind for kind, _ in told.events] == ["synthesis_start", "audio", "synthesis_complete", "session_complete"]
    assert told.error is None


async def test_a_close_ends_the_text_of_what_an_earlier_session_speaks() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made, first_ends_in_s=0.0)) as (link, _):
        await link.send(said("text", "1", text="One."))
        await until(lambda: len(made) == 2)
        await link.send(said("close"))
        await settled()

    assert made[0].ids("end") == ["1"]


@pytest.mark.parametrize("kind", ["text", "flush", "end"])
async def test_what_is_said_of_an_utterance_that_was_given_back_is_said_to_the_next_server(kind: str) -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if (
            message["type"] == "text"
            and link.number == 0
            and message["request_id"] == "2"
            and len(link.ids("text")) == 2
        ):
            link.start("1")
            link.fail("2", "overloaded")

    async with talking(opener(on_message, made)) as (link, told):
        await link.send(said("text", "1", text="One."))
        await link.send(said("text", "2", text="Two."))
        await settled()
        await link.send(said(kind, "2", **({"text": " More."} if kind == "text" else {})))
        await settled()
        assert made[0].ids("text") == ["1", "2"]
        assert made[0].ids(kind) == (["1", "2"] if kind == "text" else [])
        made[0].complete("1")
        await until(lambda: len(made) == 2)
        await settled()

    assert made[1].ids("text")[0] == "2"
    assert "2" in made[1].ids(kind)
    assert told.of("2") == []


async def test_an_utterance_that_was_given_back_can_be_cancelled_before_its_turn() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text" and message["request_id"] == "2":
            link.start("1")
            link.fail("2", "overloaded")
        elif message["type"] == "cancel":
            link.fail(message["request_id"], "unknown_request")

    async with talking(opener(on_message, made)) as (link, told):
        await link.send(said("text", "1", text="One."))
        await link.send(said("text", "2", text="Two."))
        await settled()
        await link.send(said("cancel", "2"))
        await settled()
        made[0].complete("1")
        await settled()

    assert told.of("2") == ["cancelled"]
    assert len(made) == 1


async def test_a_cancel_that_crosses_what_is_given_back_is_acknowledged() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "cancel":
            link.fail("2", "overloaded")
            link.fail("2", "unknown_request")

    async with talking(opener(on_message, made)) as (link, told):
        await link.send(said("text", "1", text="One."))
        await link.send(said("text", "2", text="Two."))
        made[0].start("1")
        await link.send(said("cancel", "2"))
        await settled()

    assert told.of("2")[0] == "cancelled"
    assert len(made) == 1


async def test_a_server_that_ends_the_session_without_speaking_all_is_not_asked_for_ever() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, told):
        await link.send(said("text", "1", text="One."))
        await link.send(said("end", "1"))
        await link.send(said("close"))
        await until(lambda: told.over.is_set() or len(made) > 20)

    assert len(made) == 4
    assert told.error is not None


@pytest.mark.parametrize("refused", [False, True], ids=["cut", "refused"])
async def test_a_link_that_breaks_when_all_has_ended_is_no_failure_though_the_ending_is_unread(refused: bool) -> None:
    made: list[ScriptedLink] = []

    async with resuming(opener(speaks_first, made), replace(AT_ONCE, attempts=2))() as link:
        frames = aiter(link)
        await link.send(said("text", "1", text="One."))
        for _ in range(2):  # the start, and its sound
            await anext(frames)
        made[0].cut()
        await until(lambda: len(made) == 2)
        await settled()
        await link.send(said("end", "1"))  # it is complete, which nobody reads yet
        await settled()
        if refused:
            made[1].fail(None, "draining", fatal=True)
        else:
            made[1].cut()
        await settled()
        told = [json.loads(await anext(frames))["type"]]
        await link.send(said("close"))
        told += [json.loads(frame)["type"] async for frame in link]  # type: ignore[arg-type]

    assert told == ["synthesis_complete", "session_complete"]
