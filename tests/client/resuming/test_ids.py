"""Names of utterances that are used again, and text that comes too late for one that has ended."""

import json

import anyio
import pytest

from primavoce.client import SpeechSession
from primavoce.client.resuming import resuming
from primavoce.client.websocket import websocket
from primavoce.errors import RequestFailed
from tests.client.resuming.cutting import letters, until
from tests.client.resuming.scripted import AT_ONCE, ScriptedLink, nothing, opener, said, settled, talking

pytestmark = pytest.mark.anyio


def refuses_the_first(link: ScriptedLink, message: dict) -> None:
    if message["type"] == "text" and link.ids("text") == ["1"]:
        link.fail("1", "text_too_long")


async def test_a_text_with_options_opens_another_utterance_by_the_name_of_one_that_failed() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(refuses_the_first, made)) as (link, told):
        await link.send(said("text", "1", text="Too long", voice="af_heart"))
        await until(lambda: told.of("1"))
        await link.send(said("text", "1", text="Again.", voice="af_heart"))
        await settled()
        made[0].speak("1")
        await settled()

    assert told.of("1") == ["error", "synthesis_start", "synthesis_complete"]
    assert [message["type"] for message in made[0].said if message.get("request_id") == "1"] == ["text", "end", "text"]


async def test_more_text_of_an_utterance_that_failed_is_no_utterance_until_its_end_is_said() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(refuses_the_first, made)) as (link, told):
        await link.send(said("text", "1", text="Too long"))
        await until(lambda: told.of("1"))
        await link.send(said("text", "1", text=" and still more"))
        await link.send(said("end", "1"))
        await link.send(said("text", "1", text="Again."))
        await settled()

    assert made[0].texts("1") == "Too longAgain."
    assert [message["type"] for message in made[0].said if message.get("request_id") == "1"] == ["text", "end", "text"]


async def test_a_real_server_speaks_an_utterance_by_the_name_of_one_that_failed(serving) -> None:
    async with serving(max_text_characters=20) as server:
        opener = resuming(websocket(server.address), AT_ONCE)
        async with SpeechSession.over(opener, timeout_s=3) as session:
            async with session.utterance(request_id="1") as first:
                with pytest.raises(RequestFailed):
                    await first.send("Hello to all of you out there, once more")
                    async for _ in first:
                        pass
            async with session.utterance("Again.", request_id="1", voice="af_heart") as again:
                pcm = b"".join([piece async for piece in again.audio()])

    assert letters(pcm) == "aɡain"


async def test_text_that_crosses_the_ending_of_its_utterance_opens_none_on_the_next_link() -> None:
    made: list[ScriptedLink] = []
    gate = anyio.Event()

    async with resuming(opener(nothing, made, gate=gate), AT_ONCE)() as link:
        await link.send(said("text", "1", text="One."))
        await link.send(said("text", "2", text="Two."))
        made[0].cut()
        await settled()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(link.send, said("cancel", "1"))
            await settled()  # the client has yet to read that it is cancelled
            gate.set()
            await until(lambda: len(made) == 2)
            await settled()
            await link.send(said("text", "1", text=" More."))
            told = json.loads(await anext(aiter(link)))
        await settled()

    assert (told["type"], told["request_id"]) == ("cancelled", "1")
    assert made[1].ids("text") == ["2"]


async def test_an_answer_that_a_name_is_unknown_ends_no_utterance_that_has_it_now() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, told):
        await link.send(said("text", "1", text="One."))
        made[0].fail("1", "unknown_request")  # to a cancel of the one before, say
        made[0].speak("1")
        await settled()

    assert told.of("1") == ["synthesis_start", "synthesis_complete"]


async def test_the_name_of_an_utterance_can_be_used_again_as_soon_as_its_ending_is_read() -> None:
    made: list[ScriptedLink] = []

    async with resuming(opener(nothing, made), AT_ONCE)() as link:
        await link.send(said("text", "1", text="One."))
        await link.send(said("end", "1"))
        await link.send(said("text", "2", text="Two."))
        made[0].start("1")
        made[0].complete("1")
        await settled()
        frames = aiter(link)
        while json.loads(await anext(frames))["type"] != "synthesis_complete":
            await settled()
        await link.send(said("text", "1", text="Again."))  # before anybody else has done anything
        await settled()
        made[0].cut()
        await until(lambda: len(made) == 2)
        await settled()

    assert made[0].ids("text") == ["1", "2", "1"]
    assert made[1].ids("text") == ["2", "1"]


async def test_texts_without_names_are_utterances_of_their_own_after_an_end_or_a_cancel() -> None:
    made: list[ScriptedLink] = []

    async with talking(opener(nothing, made)) as (link, _):
        for message in (
            said("text", text="One."),
            said("text", text=" More."),
            said("end"),
            said("text", text="Two."),
            said("cancel"),
            said("text", text="Three."),
            said("synthesize", text="Four."),
            said("text", text=" And more."),
        ):
            await link.send(message)
        await settled()

    names = list(dict.fromkeys(made[0].ids("text")))
    assert [made[0].texts(name) for name in names if name] == ["One. More.", "Two.", "Three. And more.", "Four."]


async def test_an_utterance_that_was_cancelled_is_not_opened_anew_by_the_rest_of_its_text() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "cancel":
            link.cancelled(message["request_id"])

    async with talking(opener(on_message, made)) as (link, told):
        await link.send(said("text", "1", text="One"))
        await link.send(said("cancel", "1"))
        await until(lambda: told.of("1"))
        await link.send(said("text", "1", text=" and more"))
        await link.send(said("text", "2", text="Two."))
        await link.send(said("close"))
        await settled()

    assert made[0].ids("text") == ["1", "2"]
    assert "1" not in made[0].ids("end")


@pytest.mark.parametrize("over", ["link", "options"])
async def test_a_real_server_speaks_an_utterance_by_the_name_of_one_that_was_cancelled(serving, over: str) -> None:
    async with serving() as server:
        below = resuming(websocket(server.address), AT_ONCE)
        async with SpeechSession.over(below, timeout_s=3) as session:
            async with session.utterance(request_id="1") as first:
                await first.send("Hello to all of you")
                await first.cancel()
                async for _ in first:
                    pass
            options = {"voice": "af_heart"} if over == "options" else {}
            async with session.utterance("Again.", request_id="1", **options) as again:  # type: ignore[arg-type]
                pcm = b"".join([piece async for piece in again.audio()])

    assert letters(pcm) == "aɡain"


async def test_the_name_of_an_utterance_of_one_session_can_be_used_again_in_the_next() -> None:
    made: list[ScriptedLink] = []

    async with resuming(opener(nothing, made, first_ends_in_s=0.0), AT_ONCE)() as link:
        await link.send(said("text", "1", text="One."))
        await link.send(said("end", "1"))
        await until(lambda: len(made) == 2)
        made[0].start("1")
        made[0].complete("1")
        await settled()
        frames = aiter(link)
        while json.loads(await anext(frames))["type"] != "synthesis_complete":
            await settled()
        await link.send(said("text", "1", text="Again."))
        await settled()
        await link.send(said("close"))
        await settled()

    assert made[1].texts("1") == "Again."
    assert made[1].ids("end") == ["1"]  # its text was open until the close


async def test_the_rest_of_a_text_opens_no_utterance_as_soon_as_its_failure_is_read() -> None:
    made: list[ScriptedLink] = []

    async with resuming(opener(nothing, made), AT_ONCE)() as link:
        await link.send(said("text", "1", text="One"))
        made[0].fail("1", "text_too_long")
        await settled()
        assert json.loads(await anext(aiter(link)))["type"] == "error"
        await link.send(said("text", "1", text=" and more"))  # before anybody else has done anything
        await settled()

    assert made[0].texts("1") == "One"
