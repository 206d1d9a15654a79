"""Conversations by their session ids: whose they are, how many there are, and when they are forgotten."""

from collections.abc import AsyncIterator

import anyio
import pytest

from primavoce.agent.conversation import Piece, PlainConversation
from primavoce.agent.sessions import AgentSessions
from primavoce.client import SpeechSession
from primavoce.errors import Overloaded, UnknownRequest
from primavoce.protocol.agent import AgentEnd, AnswerCancelled, Prompt


async def good_day(_: str) -> AsyncIterator[Piece]:
    yield "Good day to you. "


def sessions_of(server=None, answer=good_day, **changes) -> AgentSessions:
    return AgentSessions(lambda: PlainConversation(answer), lambda: SpeechSession(server.address), **changes)


def test_an_id_comes_back_to_its_conversation_and_another_doesnt() -> None:
    sessions = sessions_of()

    assert sessions.session("a") is sessions.session("a")
    assert sessions.session("a") is not sessions.session("b")


def test_another_owner_has_another_conversation_of_the_same_id() -> None:
    sessions = sessions_of()

    assert sessions.session("a", owner="ada") is not sessions.session("a", owner="bob")


def test_who_doesnt_come_back_is_forgotten() -> None:
    now = [0.0]
    sessions = sessions_of(idle_s=60.0, clock=lambda: now[0])
    first = sessions.session("a")

    now[0] = 60.0
    assert sessions.session("a") is first
    now[0] = 60.1
    assert sessions.session("b") is not first
    assert len(sessions) == 1


def test_the_one_that_was_used_longest_ago_makes_room() -> None:
    sessions = sessions_of(max_conversations=2)
    first, second = sessions.session("a"), sessions.session("b")

    sessions.session("a")
    sessions.session("c")

    assert sessions.session("a") is first
    assert sessions.session("b") is not second


@pytest.mark.anyio
async def test_nobody_is_forgotten_while_being_answered(serving) -> None:
    now = [0.0]
    async with serving() as server:
        sessions = sessions_of(server, max_conversations=1, clock=lambda: now[0])
        async with sessions.session("a").answering(Prompt(prompt="Well?")):
            now[0] = 10_000.0
            with pytest.raises(Overloaded):
                sessions.session("b")
            assert sessions.busy

        assert not sessions.busy
        sessions.session("b")


@pytest.mark.anyio
async def test_a_passing_conversation_is_busy_and_takes_no_place(serving) -> None:
    async with serving() as server:
        sessions = sessions_of(server)
        async with sessions.passing().answering(Prompt(prompt="Well?")):
            assert sessions.busy
            assert len(sessions) == 0

        assert not sessions.busy


@pytest.mark.anyio
async def test_a_prompt_after_an_answer_says_how_much_of_it_was_heard(serving) -> None:
    conversation = PlainConversation(good_day)
    async with serving() as server:
        session = AgentSessions(lambda: conversation, lambda: SpeechSession(server.address)).session("a")
        async with session.answering(Prompt(prompt="Well?")) as turn:
            events = [event async for event in turn]
        assert conversation.heard is None

        heard = []

        async def note(_: str) -> AsyncIterator[Piece]:
            heard.append(conversation.heard)
            yield "Yes."

        conversation._answer = note
        before = conversation.remember
        remembered: list[int] = []
        conversation.remember = lambda n: (remembered.append(n), before(n))[1]  # type: ignore[method-assign]
        async with session.answering(Prompt(prompt="And?", played_s=0.5)) as turn:
            async for _ in turn:
                pass

    assert isinstance(events[-1], AgentEnd)
    assert remembered == [len("Good")]


@pytest.mark.anyio
async def test_a_prompt_after_all_was_heard_cuts_nothing(serving) -> None:
    conversation = PlainConversation(good_day)
    remembered: list[int] = []
    conversation.remember = remembered.append  # type: ignore[method-assign]
    async with serving() as server:
        session = AgentSessions(lambda: conversation, lambda: SpeechSession(server.address)).session("a")
        for played_s in (None, 60.0):
            async with session.answering(Prompt(prompt="Well?", played_s=played_s)) as turn:
                async for _ in turn:
                    pass

    assert remembered == []


@pytest.mark.anyio
async def test_what_comes_between_two_prompts_belongs_to_neither(serving) -> None:
    begun = anyio.Event()

    async def slow(prompt: str) -> AsyncIterator[Piece]:
        begun.set()
        yield f"{prompt} is the question. "
        await anyio.sleep_forever()

    async with serving() as server:
        session = sessions_of(server, slow).session("a")
        endings: list[object] = []

        async def ask(prompt: str) -> None:
            async with session.answering(Prompt(prompt=prompt, request_id=prompt)) as turn:
                endings.append([event async for event in turn][-1])

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "one")
            await begun.wait()
            with pytest.raises(UnknownRequest):
                session.cancel(request_id="two")
            assert session.cancel(request_id="one").in_turn
            with pytest.raises(UnknownRequest):
                session.cancel(request_id="one")

    assert isinstance(endings[0], AnswerCancelled)
