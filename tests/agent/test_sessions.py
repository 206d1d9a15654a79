"""Conversations by their session ids: whose they are, how many there are, and when they are forgotten."""

from collections.abc import AsyncIterator

import anyio
import pytest

from primavoce.agent.conversation import Piece, PlainConversation
from primavoce.agent.sessions import AgentSessions
from primavoce.client import SpeechSession
from primavoce.errors import Draining, Overloaded, UnknownRequest
from primavoce.protocol.agent import AgentEnd, AnswerCancelled, Prompt
from primavoce.server.lobby import Lobby


async def good_day(_: str) -> AsyncIterator[Piece]:
    yield "Good day to you. "


def sessions_of(server=None, answer=good_day, **changes) -> AgentSessions:
    return AgentSessions(
        lambda: PlainConversation(answer), lambda _: SpeechSession(server.address), Lobby(8), **changes
    )


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
        session = AgentSessions(lambda: conversation, lambda _: SpeechSession(server.address), Lobby(8)).session("a")
        async with session.answering(Prompt(prompt="Well?")) as turn:
            events = [event async for event in turn]
        assert conversation.heard is None

        remembered: list[int] = []
        conversation.remember = remembered.append  # type: ignore[method-assign]
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
        session = AgentSessions(lambda: conversation, lambda _: SpeechSession(server.address), Lobby(8)).session("a")
        for played_s in (None, 60.0):
            async with session.answering(Prompt(prompt="Well?", played_s=played_s)) as turn:
                async for _ in turn:
                    pass

    assert remembered == []


@pytest.mark.anyio
async def test_an_open_socket_keeps_its_conversation(serving) -> None:
    now = [0.0]
    sessions = sessions_of(idle_s=60.0, max_conversations=1, clock=lambda: now[0])
    session = sessions.session("a")

    with session.holding():
        now[0] = 1000.0
        with pytest.raises(Overloaded):
            sessions.session("b")
        assert sessions.session("a") is session

    sessions.session("b")


@pytest.mark.anyio
async def test_a_prompt_takes_over_the_place_of_the_answer_that_it_interrupts(serving) -> None:
    endings: list[object] = []
    begun = anyio.Event()

    async def slow(prompt: str) -> AsyncIterator[Piece]:
        begun.set()
        yield f"{prompt} is the question. "
        if prompt == "one":
            await anyio.sleep_forever()

    async with serving() as server:
        sessions = AgentSessions(lambda: PlainConversation(slow), lambda _: SpeechSession(server.address), Lobby(1))

        async def ask(prompt: str) -> None:
            async with sessions.session("a").answering(Prompt(prompt=prompt)) as turn:
                endings.append([event async for event in turn][-1])

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "one")
            await begun.wait()
            tasks.start_soon(ask, "two")

        assert [type(ending) for ending in endings] == [AnswerCancelled, AgentEnd]
        async with sessions.session("a").answering(Prompt(prompt="one")):
            with pytest.raises(Overloaded):
                async with sessions.session("b").answering(Prompt(prompt="two")):
                    pass


@pytest.mark.anyio
async def test_a_prompt_that_waits_can_be_cancelled(serving) -> None:
    asked: list[str] = []
    begun, may_stop = anyio.Event(), anyio.Event()

    async def slow(prompt: str) -> AsyncIterator[Piece]:
        asked.append(prompt)
        begun.set()
        try:
            yield f"{prompt} is the question. "
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await may_stop.wait()

    async with serving() as server:
        session = sessions_of(server, slow).session("a")
        endings: dict[str, object] = {}

        async def ask(prompt: str) -> None:
            async with session.answering(Prompt(prompt=prompt, request_id=prompt)) as turn:
                endings[prompt] = [event async for event in turn][-1]

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "one")
            await begun.wait()
            tasks.start_soon(ask, "two")
            await anyio.wait_all_tasks_blocked()
            stopped = session.cancel(request_id="two")
            may_stop.set()

    assert stopped.in_turn
    assert endings["two"] == stopped.event
    assert asked == ["one"]


@pytest.mark.anyio
async def test_of_many_prompts_that_wait_the_others_learn_at_once_that_they_are_overtaken(serving) -> None:
    begun, may_stop = anyio.Event(), anyio.Event()

    async def stuck(prompt: str) -> AsyncIterator[Piece]:
        begun.set()
        yield f"{prompt} is the question. "
        if prompt == "0":
            try:
                await anyio.sleep_forever()
            finally:
                with anyio.CancelScope(shield=True):
                    await may_stop.wait()

    async with serving() as server:
        session = sessions_of(server, stuck).session("a")
        endings: dict[str, object] = {}

        async def ask(prompt: str) -> None:
            async with session.answering(Prompt(prompt=prompt, request_id=prompt)) as turn:
                endings[prompt] = [event async for event in turn][-1]

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "0")
            await begun.wait()
            for number in range(1, 100):
                tasks.start_soon(ask, str(number))
            await anyio.wait_all_tasks_blocked()
            told_at_once = set(endings)
            may_stop.set()

    assert told_at_once >= {str(number) for number in range(1, 99)}
    assert isinstance(endings["99"], AgentEnd)


@pytest.mark.anyio
async def test_a_prompt_after_an_answer_takes_the_listeners_last_report(serving) -> None:
    now = [0.0]
    conversation = PlainConversation(good_day)
    async with serving() as server:
        sessions = AgentSessions(
            lambda: conversation, lambda _: SpeechSession(server.address), Lobby(8), clock=lambda: now[0]
        )
        session = sessions.session("a")
        remembered: list[int] = []
        conversation.remember = remembered.append  # type: ignore[method-assign]
        for later_s in (0.2, 60.0):  # the listener goes on listening after a report
            async with session.answering(Prompt(prompt="Well?")) as turn:
                async for _ in turn:
                    pass
            session.played(0.3)
            now[0] += later_s
        async with session.answering(Prompt(prompt="Well?")):
            assert remembered == [len("Good")]


@pytest.mark.anyio
async def test_a_leaving_process_lets_the_answer_go_on_that_a_prompt_would_interrupt(serving) -> None:
    async with serving() as server:
        sessions = sessions_of(server)
        session = sessions.session("a")
        async with session.answering(Prompt(prompt="Well?")) as turn:
            sessions.lobby.draining = True
            with pytest.raises(Draining):
                async with session.answering(Prompt(prompt="And?")):
                    pass
            events = [event async for event in turn]

    assert isinstance(events[-1], AgentEnd)


@pytest.mark.anyio
async def test_phrases_are_spoken_for_their_owner_alone(serving) -> None:
    owners: list[str] = []
    async with serving() as server:

        def speech(owner: str) -> SpeechSession:
            owners.append(owner)
            return SpeechSession(server.address)

        sessions = AgentSessions(lambda: PlainConversation(good_day), speech, Lobby(8))
        for session in (sessions.session("a", owner="ada"), sessions.passing(owner="bob")):
            async with session.answering(Prompt(prompt="Well?")) as turn:
                async for _ in turn:
                    pass

    assert owners == ["ada", "bob"]


@pytest.mark.anyio
async def test_only_an_answer_that_there_is_can_be_cancelled_and_once(serving) -> None:
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
