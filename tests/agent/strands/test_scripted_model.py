import threading
from collections.abc import Sequence
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from strands import Agent

from primavoce.agent.answers import SPOKEN_ANSWERS
from primavoce.agent.scripted import script
from primavoce.agent.strands.scripted_model import (
    Act,
    Call,
    Cue,
    Fail,
    Say,
    ScriptedModel,
    Stop,
    Think,
    converse,
)
from primavoce.agent.strands.tools import example_tools

pytestmark = [pytest.mark.agent, pytest.mark.anyio]

PROMPT = [{"role": "user", "content": [{"text": "Well?"}]}]


class Time:
    """Passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await anyio.lowlevel.checkpoint()


def cue(prompt: str, *results: str, tools: Sequence[str] = ("clock", "calculator"), turn: int = 0) -> Cue:
    return Cue(prompt, results, frozenset(tools), turn)


async def written(model: ScriptedModel, **options: Any) -> list[Any]:
    return [event async for event in model.stream(PROMPT, **options)]  # type: ignore[arg-type]


def deltas(events: list[Any]) -> list[Any]:
    return [event["contentBlockDelta"]["delta"] for event in events if "contentBlockDelta" in event]


async def test_an_answer_is_written_at_the_scripts_rhythm() -> None:
    time = Time()
    tokens = script(SPOKEN_ANSWERS[0], tokens_per_s=20, first_token_s=0.5, seed=3)
    model = ScriptedModel(tokens_per_s=20, first_token_s=0.5, seed=3, clock=time.clock, sleep=time.sleep)

    at = [
        (event["contentBlockDelta"]["delta"]["text"], time.now)
        async for event in model.stream(PROMPT)  # type: ignore[arg-type]
        if "contentBlockDelta" in event
    ]

    assert [text for text, _ in at] == [token.text for token in tokens]
    assert [moment for _, moment in at] == pytest.approx([token.at_s for token in tokens])


async def test_the_first_answer_is_about_120_words_long() -> None:
    assert 110 <= len(SPOKEN_ANSWERS[0].split()) <= 130


@pytest.mark.parametrize(
    ("asked", "acts"),
    [
        (cue("What time is it?"), [Say("Let me look at the clock."), Call("clock")]),
        (cue("What is 17 * 4?"), [Say("Let me work that out."), Call("calculator", {"expression": "17 * 4"})]),
        (cue("3 plus 4.5 times 2."), [Say("Let me work that out."), Call("calculator", {"expression": "3 + 4.5 * 2"})]),
        (cue("10 divided by 4"), [Say("Let me work that out."), Call("calculator", {"expression": "10 / 4"})]),
        (cue("Hello"), [Say(SPOKEN_ANSWERS[0])]),
        (cue("Hello", turn=1), [Say(SPOKEN_ANSWERS[1])]),
        (cue("Hello", turn=3), [Say(SPOKEN_ANSWERS[0])]),
        (cue("What time is it?", tools=()), [Say(SPOKEN_ANSWERS[0])]),
        (cue("What is 2 + 2?", tools=["clock"]), [Say(SPOKEN_ANSWERS[0])]),
    ],
)
def test_the_built_in_script_uses_the_tools_that_there_are(asked: Cue, acts: list[Act]) -> None:
    assert converse(asked) == acts


async def test_the_built_in_script_speaks_before_and_after_a_tool() -> None:
    model = ScriptedModel(first_token_s=0.0, tokens_per_s=1e9)
    agent = Agent(model=model, tools=example_tools(), callback_handler=None)

    result = await agent.invoke_async("What is 17 * 4?")

    assert agent.messages[1]["content"][0] == {"text": "Let me work that out."}
    assert str(result).startswith("It is 68.")


@pytest.mark.parametrize("at", ["first token", "later"])
async def test_it_just_ends_soon_after_it_is_cancelled(at: str) -> None:
    time, cancelled = Time(), threading.Event()
    model = ScriptedModel(first_token_s=30.0, tokens_per_s=1.0, clock=time.clock, sleep=time.sleep)
    seen = []

    async for event in model.stream(PROMPT, cancel_signal=cancelled):  # type: ignore[arg-type]
        seen.append(event)
        if "contentBlockStart" in event or ("contentBlockDelta" in event and at == "later"):
            began = time.now
            if at == "first token" or "contentBlockDelta" in event:
                cancelled.set()

    assert time.now - began <= 0.02
    assert not any("messageStop" in event for event in seen)
    assert len(deltas(seen)) == (0 if at == "first token" else 1)


async def test_thoughts_calls_and_other_endings_are_told_as_strands_wants_them() -> None:
    acts = [Think("Hm"), Say("Well"), Call("clock", {"timezone": "UTC"}), Stop("max_tokens")]
    model = ScriptedModel(lambda cue: acts, first_token_s=0.0, tokens_per_s=1e9)

    events = await written(model)

    assert deltas(events) == [
        {"reasoningContent": {"text": "Hm"}},
        {"text": "Well"},
        {"toolUse": {"input": '{"timezone": "UTC"}'}},
    ]
    assert {"messageStop": {"stopReason": "max_tokens"}} in events
    assert events[-1]["metadata"]["usage"]["outputTokens"] == 2


async def test_a_failure_comes_after_what_was_written_before_it() -> None:
    model = ScriptedModel(lambda cue: [Say("So far"), Fail(KeyError("x"))], first_token_s=0.0, tokens_per_s=1e9)
    seen = []

    with pytest.raises(KeyError):
        async for event in model.stream(PROMPT):  # type: ignore[arg-type]
            seen.append(event)  # noqa: PERF401 - what comes before the failure counts

    assert deltas(seen) == [{"text": "So"}, {"text": " far"}]


async def test_it_may_be_played_without_an_agent_or_a_prompt() -> None:
    asked = []
    model = ScriptedModel(lambda cue: asked.append(cue) or [])

    [event async for event in model.stream([])]

    assert asked == [Cue("", (), frozenset(), 0)]
