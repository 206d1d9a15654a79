"""Real Strands agents, with models that play a script."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, override

import anyio
import anyio.lowlevel
import pytest
from strands import Agent, tool
from strands.types.exceptions import ContextWindowOverflowException, ModelThrottledException

from primavoce.agent.conversation import FLUSH, Piece
from primavoce.agent.strands.conversation import StrandsConversation
from primavoce.agent.strands.history import UNANSWERED, UNHEARD
from primavoce.agent.strands.scripted_model import Act, Call, Cue, Fail, Say, ScriptedModel, Stop, Think
from primavoce.agent.strands.tools import example_tools
from primavoce.errors import AgentBusy, ModelContextFull, ModelFailed, ModelThrottled

pytestmark = [pytest.mark.agent, pytest.mark.anyio]

ANSWER = "One two three. Four five six."


def model_of(*messages: Sequence[Act], **pace: Any) -> ScriptedModel:
    """A model that writes one message after another, without a pause unless ``pace`` says so."""
    left = list(messages)
    return ScriptedModel(lambda cue: left.pop(0), **({"first_token_s": 0.0, "tokens_per_s": 1e9} | pace))


def agent_of(*messages: Sequence[Act], tools: Any = None, **pace: Any) -> Agent:
    return Agent(
        model=model_of(*messages, **pace),
        tools=example_tools() if tools is None else tools,
        system_prompt="SECRET",
        callback_handler=None,
        retry_strategy=None,
    )


async def pieces_of(conversation: StrandsConversation, prompt: str = "Well?") -> list[Piece]:
    async with conversation.answering(prompt) as pieces:
        return [piece async for piece in pieces]


def in_short(agent: Agent) -> list[tuple[str, str]]:
    """Each message as its role, and its texts, calls and results in one line."""
    short = []
    for message in agent.messages:
        words = []
        for block in message["content"]:
            if "toolUse" in block:
                words.append(f"<{block['toolUse']['name']}>")
            elif "toolResult" in block:
                words.append("".join(f"[{part.get('text')}]" for part in block["toolResult"]["content"]))
            else:
                words.append(block.get("text", "?"))
        short.append((message["role"], " ".join(words)))
    return short


@pytest.fixture(autouse=True)
def nothing_goes_wrong_unseen(caplog: pytest.LogCaptureFixture) -> Any:
    yield
    assert not [record for record in caplog.get_records("call") if record.name.startswith("opentelemetry")]


# --- what leaves ------------------------------------------------------------------------------------------------


async def test_deltas_leave_as_they_are_written_and_a_flush_before_and_after_a_tool() -> None:
    agent = agent_of([Say("Let me add. "), Call("calculator", {"expression": "1 + 2"})], [Say("It is three.")])

    pieces = await pieces_of(StrandsConversation(agent))

    assert "".join(piece if isinstance(piece, str) else "|" for piece in pieces) == "Let me add. |It is three.|"
    assert pieces.count(FLUSH) == 2
    assert len(pieces) > 8
    assert in_short(agent) == [
        ("user", "Well?"),
        ("assistant", "Let me add.  <calculator>"),
        ("user", "[3]"),
        ("assistant", "It is three."),
    ]


async def test_neither_thoughts_nor_prompts_nor_tools_leave() -> None:
    agent = agent_of(
        [Think("They want a sum."), Call("calculator", {"expression": "1 + 2"})], [Think("Easy."), Say("Three.")]
    )

    pieces = await pieces_of(StrandsConversation(agent))

    assert pieces == ["Three", ".", FLUSH]


async def test_each_prompt_is_answered_in_the_light_of_those_before() -> None:
    cues: list[Cue] = []

    def play(cue: Cue) -> Sequence[Act]:
        cues.append(cue)
        return [Say(f"Answer {cue.turn}.")]

    model = ScriptedModel(play, first_token_s=0.0, tokens_per_s=1e9)
    conversation = StrandsConversation(Agent(model=model, callback_handler=None))

    await pieces_of(conversation, "First?")
    await pieces_of(conversation, "Second?")

    assert [(cue.prompt, cue.turn) for cue in cues] == [("First?", 0), ("Second?", 1)]


async def test_an_answer_ends_at_the_models_limit_of_tokens_like_any_other() -> None:
    agent = agent_of([Say("As far as"), Stop("max_tokens")], [Say("On we go.")])
    conversation = StrandsConversation(agent)

    assert "".join(p for p in await pieces_of(conversation) if isinstance(p, str)) == "As far as"
    await pieces_of(conversation, "Go on")

    assert in_short(agent)[1:] == [("assistant", "As far as"), ("user", "Go on"), ("assistant", "On we go.")]


# --- interruptions ----------------------------------------------------------------------------------------------


async def test_an_interruption_ends_the_iteration_and_what_was_taken_stays_in_the_history() -> None:
    agent = agent_of([Say(ANSWER)], [Say("Yes.")], tokens_per_s=200)
    conversation = StrandsConversation(agent)
    taken = []

    async with conversation.answering("Well?") as pieces:
        async for piece in pieces:
            taken.append(piece)
            if len(taken) == 3:
                conversation.interrupt()

    assert taken == ["One", " two", " three"]
    assert in_short(agent) == [("user", "Well?"), ("assistant", "One two three")]
    assert await pieces_of(conversation, "And?") == ["Yes", ".", FLUSH]


@pytest.mark.parametrize(("characters", "kept"), [(0, UNHEARD), (7, "One two"), (99, "One two three")])
async def test_what_was_heard_is_remembered_after_an_interruption(characters: int, kept: str) -> None:
    agent = agent_of([Say(ANSWER)], tokens_per_s=200)
    conversation = StrandsConversation(agent)

    async with conversation.answering("Well?") as pieces:
        taken = [await anext(pieces) for _ in range(3)]
    conversation.remember(characters)

    assert taken == ["One", " two", " three"]
    # The model may have been further than the listener; never further back.
    assert in_short(agent)[1][1].startswith(kept) if characters == 99 else in_short(agent)[1] == ("assistant", kept)


async def test_of_a_whole_answer_may_be_remembered_less_later() -> None:
    agent = agent_of([Say("Let me see."), Call("calculator", {"expression": "6 * 7"})], [Say("It is 42.")])
    conversation = StrandsConversation(agent)
    await pieces_of(conversation)

    conversation.remember(3)

    assert in_short(agent) == [
        ("user", "Well?"),
        ("assistant", "Let <calculator>"),
        ("user", "[42]"),
        ("assistant", UNHEARD),
    ]


async def test_what_is_remembered_while_it_is_written_holds_when_it_has_ended() -> None:
    agent = agent_of([Say(ANSWER)])
    conversation = StrandsConversation(agent)

    async with conversation.answering("Well?") as pieces:
        await anext(pieces)
        conversation.remember(2)

    assert in_short(agent)[1] == ("assistant", "On")


async def test_a_prompt_that_is_interrupted_before_its_first_word_has_an_answer_in_the_history() -> None:
    agent = agent_of([Say(ANSWER)], [Say("Yes.")], first_token_s=30.0)
    conversation = StrandsConversation(agent)

    async with conversation.answering("Well?") as pieces:
        conversation.interrupt()
        assert [piece async for piece in pieces] == []

    assert in_short(agent) == [("user", "Well?"), ("assistant", UNHEARD)]


async def test_an_interruption_while_a_tool_runs_leaves_a_history_that_can_go_on() -> None:
    is_running, may_end = anyio.Event(), anyio.Event()

    @tool
    async def look_up() -> str:
        """Look something up."""
        is_running.set()
        await may_end.wait()
        return "found"

    agent = agent_of([Say("Let me look."), Call("look_up")], [Say("Hello.")], tools=[look_up])
    conversation = StrandsConversation(agent)

    async with conversation.answering("Well?") as pieces:
        assert [await anext(pieces) for _ in range(5)] == ["Let", " me", " look", ".", FLUSH]
        await is_running.wait()
        conversation.interrupt()
        may_end.set()

    assert in_short(agent) == [
        ("user", "Well?"),
        ("assistant", "Let me look. <look_up>"),
        ("user", "[found]"),
        ("assistant", UNHEARD),
    ]
    assert await pieces_of(conversation) == ["Hello", ".", FLUSH]


async def test_a_listener_who_is_cancelled_has_the_agent_stop_in_good_order() -> None:
    agent = agent_of([Say(ANSWER)], [Say("Yes.")], tokens_per_s=200)
    conversation = StrandsConversation(agent)

    with anyio.CancelScope() as scope:
        async with conversation.answering("Well?") as pieces:
            async for _ in pieces:
                scope.cancel()

    assert in_short(agent) == [("user", "Well?"), ("assistant", "One")]
    assert await pieces_of(conversation) == ["Yes", ".", FLUSH]


async def test_a_model_that_does_not_stop_is_left_alone_and_the_conversation_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Stubborn(ScriptedModel):
        @override
        async def stream(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            yield {"messageStart": {"role": "assistant"}}
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "Hello"}}}
            await anyio.sleep_forever()

    agent = Agent(model=Stubborn(), callback_handler=None)
    conversation = StrandsConversation(agent, stop_within_s=0.05)

    async with conversation.answering("Well?") as pieces:
        assert await anext(pieces) == "Hello"
    agent.model = model_of([Say("Yes.")])

    assert "did not stop within 0.05 s" in caplog.text
    assert in_short(agent) == [("user", "Well?"), ("assistant", "Hello")]
    assert await pieces_of(conversation) == ["Yes", ".", FLUSH]


async def test_a_tool_that_does_not_end_is_given_a_result_so_that_it_is_not_called_again() -> None:
    calls = []

    @tool
    async def hang() -> str:
        """Hang."""
        calls.append(1)
        await asyncio.Event().wait()
        return ""

    agent = agent_of([Say("A moment."), Call("hang")], [Say("Yes.")], tools=[hang])
    conversation = StrandsConversation(agent, stop_within_s=0.05)

    async with conversation.answering("Well?") as pieces:
        async for piece in pieces:
            if piece == FLUSH:
                break
        while not calls:
            await anyio.lowlevel.checkpoint()
    assert await pieces_of(conversation) == ["Yes", ".", FLUSH]

    assert calls == [1]
    assert in_short(agent) == [
        ("user", "Well?"),
        ("assistant", "A moment. <hang>"),
        ("user", f"[{UNANSWERED}]"),
        ("assistant", UNHEARD),
        ("user", "Well?"),
        ("assistant", "Yes."),
    ]


async def test_an_interruption_when_nothing_is_written_does_no_harm() -> None:
    conversation = StrandsConversation(agent_of([Say("Yes.")], [Say("No.")]))

    conversation.interrupt()
    conversation.remember(3)
    assert await pieces_of(conversation) == ["Yes", ".", FLUSH]
    conversation.interrupt()
    assert await pieces_of(conversation) == ["No", ".", FLUSH]


# --- one at a time ----------------------------------------------------------------------------------------------


async def test_a_second_answer_is_refused_while_one_is_written_and_does_not_disturb_it() -> None:
    agent = agent_of([Say(ANSWER)], tokens_per_s=500)
    conversation = StrandsConversation(agent)

    async with conversation.answering("Well?") as pieces:
        first = await anext(pieces)
        with pytest.raises(AgentBusy):
            async with conversation.answering("Me too"):
                pass
        with pytest.raises(AgentBusy):
            await pieces_of(StrandsConversation(agent), "And me")
        rest = [piece async for piece in pieces]

    assert "".join(p for p in [first, *rest] if isinstance(p, str)) == ANSWER
    assert in_short(agent) == [("user", "Well?"), ("assistant", ANSWER)]


# --- failures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ModelThrottledException("account 1234"), ModelThrottled),
        (ContextWindowOverflowException("1234 tokens"), ModelContextFull),
        (RuntimeError("the key is 1234"), ModelFailed),
    ],
)
async def test_a_failure_is_told_after_what_was_written_and_without_its_own_words(
    error: Exception, told: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    agent = agent_of([Say("So far"), Fail(error)], [Say("Yes.")])
    conversation = StrandsConversation(agent)
    taken = []

    with caplog.at_level(logging.ERROR), pytest.raises(told) as failure:
        async with conversation.answering("Well?") as pieces:
            async for piece in pieces:
                taken.append(piece)  # noqa: PERF401 - what comes before the failure counts

    assert taken == ["So", " far", FLUSH]
    assert "1234" not in str(failure.value)
    assert "1234" in caplog.text
    assert ("Traceback" in caplog.text) == (told is ModelFailed)  # what is expected is told in a line
    assert len(caplog.records) == 1
    assert in_short(agent) == [("user", "Well?"), ("assistant", "So far")]
    assert await pieces_of(conversation) == ["Yes", ".", FLUSH]


async def test_a_failure_of_the_listener_passes_through() -> None:
    conversation = StrandsConversation(agent_of([Say(ANSWER)]))

    with pytest.raises(KeyError):
        async with conversation.answering("Well?"):
            raise KeyError


async def test_a_failure_after_an_interruption_is_nobodys_concern() -> None:
    may_fail = threading.Event()

    class Failing(ScriptedModel):
        @override
        async def stream(self, *args: Any, cancel_signal: Any = None, **kwargs: Any) -> AsyncIterator[Any]:
            yield {"messageStart": {"role": "assistant"}}
            yield {"contentBlockDelta": {"delta": {"text": "Hello"}}}
            while not cancel_signal.is_set():
                await anyio.lowlevel.checkpoint()
            may_fail.set()
            raise RuntimeError

    conversation = StrandsConversation(Agent(model=Failing(), callback_handler=None))

    async with conversation.answering("Well?") as pieces:
        assert await anext(pieces) == "Hello"

    assert may_fail.is_set()


async def test_what_strands_streams_is_read_to_its_end() -> None:
    """Closing it half-way leaves a prompt without an answer, and errors of its traces in the log."""
    ended = []

    class Watched(Agent):
        @override
        async def stream_async(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            async with aclosing(super().stream_async(*args, **kwargs)) as events:
                async for event in events:
                    yield event
            ended.append("by itself")

    agent = Watched(model=model_of([Say(ANSWER)], tokens_per_s=200), callback_handler=None)

    async with StrandsConversation(agent).answering("Well?") as pieces:
        await anext(pieces)

    assert ended == ["by itself"]
