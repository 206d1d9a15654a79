"""What a session says of an utterance when it is left, so that its id may be used again."""

import pytest

from primavoce.client import SpeechSession
from primavoce.errors import RequestFailed, SessionBroken
from tests.client.resuming.scripted import ScriptedLink, nothing, opener

pytestmark = pytest.mark.anyio


def said_of(link: ScriptedLink, request_id: str) -> list[str]:
    return [message["type"] for message in link.said if message.get("request_id") == request_id]


async def test_an_utterance_that_ended_with_an_error_says_its_end_when_it_is_left() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text":
            link.fail("1", "unknown_voice")

    async with SpeechSession.over(opener(on_message, made), timeout_s=2) as session:
        async with session.utterance(request_id="1") as utterance:
            await utterance.send("One")
            with pytest.raises(RequestFailed):
                await anext(utterance)
            await utterance.send(" two")
            await utterance.flush()
        left = said_of(made[0], "1")

    assert left == ["text", "end"]


async def test_an_utterance_whose_end_was_said_says_it_once() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "end":
            link.fail("1", "text_required")

    async with SpeechSession.over(opener(on_message, made), timeout_s=2) as session:
        async with session.utterance("", request_id="1") as utterance:
            with pytest.raises(RequestFailed):
                await anext(utterance)

    assert said_of(made[0], "1") == ["text", "end"]


async def test_after_a_cancel_nothing_is_said_but_the_end_that_the_server_waits_for() -> None:
    made: list[ScriptedLink] = []

    async with SpeechSession.over(opener(nothing, made), timeout_s=2) as session:
        async with session.utterance(request_id="1") as utterance:
            await utterance.send("One")
            await utterance.cancel()
            await utterance.send(" two")
            await utterance.flush()
            await utterance.end()
            await utterance.cancel()
            within = said_of(made[0], "1")

    assert within == ["text", "cancel"]
    assert said_of(made[0], "1") == ["text", "cancel", "end"]


async def test_after_a_cancel_of_text_that_was_complete_nothing_is_said() -> None:
    made: list[ScriptedLink] = []

    async with SpeechSession.over(opener(nothing, made), timeout_s=2) as session:
        async with session.utterance(request_id="1") as utterance:
            await utterance.send_all("One.")
            await utterance.cancel()

    assert said_of(made[0], "1") == ["text", "end", "cancel"]


async def test_an_utterance_that_is_left_early_is_cancelled_and_ended() -> None:
    made: list[ScriptedLink] = []

    async with SpeechSession.over(opener(nothing, made), timeout_s=2) as session:
        async with session.utterance(request_id="1") as utterance:
            await utterance.send("One")

    assert said_of(made[0], "1") == ["text", "cancel", "end"]


async def test_of_an_utterance_that_said_nothing_nothing_is_said() -> None:
    made: list[ScriptedLink] = []

    async with SpeechSession.over(opener(nothing, made), timeout_s=2) as session:
        async with session.utterance(request_id="1"):
            pass

    assert said_of(made[0], "1") == []


async def test_when_the_session_has_failed_nothing_is_said() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text":
            link.cut()

    with pytest.raises(SessionBroken):
        async with SpeechSession.over(opener(on_message, made), timeout_s=2) as session:
            async with session.utterance(request_id="1") as utterance:
                await utterance.send("One")
                await anext(utterance)

    assert said_of(made[0], "1") == ["text"]


@pytest.mark.parametrize("how", ["refused", "cancelled", "left"])
async def test_an_id_may_be_used_again_whatever_became_of_the_utterance_that_had_it(serving, how: str) -> None:
    async with serving() as server, SpeechSession(server.address, timeout_s=2) as session:
        async with session.utterance(request_id="1", voice="nobody" if how == "refused" else None) as before:
            await before.send("Hello. ")
            if how == "refused":
                with pytest.raises(RequestFailed):
                    await anext(before)
            elif how == "cancelled":
                await before.cancel()
                async for _ in before:
                    pass
            else:
                await anext(before.audio())
        await session.ping()  # what the server still says of it has come
        async with session.utterance("Again.", request_id="1") as again:
            heard = b"".join([pcm async for pcm in again.audio()])

    assert heard
    assert again.completed is not None


async def test_a_cancel_that_crossed_an_ending_is_none_of_the_next_by_that_id() -> None:
    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "cancel":
            link.fail("1", "unknown_request")
        elif message["type"] == "end" and len(link.ids("text")) == 2:
            link.speak("1")

    async with SpeechSession.over(opener(on_message, []), timeout_s=2) as session:
        async with session.utterance(request_id="1") as before:
            await before.send("One.")
        async with session.utterance("Two.", request_id="1") as again:
            heard = b"".join([pcm async for pcm in again.audio()])

    assert len(heard) == 4800
