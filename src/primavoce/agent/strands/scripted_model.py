"""A language model for tests, benchmarks and demonstrations: it plays what a script says, at a set rate."""

import json
import re
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, override

import anyio
from strands.models import Model
from strands.types.content import ContentBlock, Messages
from strands.types.event_loop import StopReason
from strands.types.streaming import StreamEvent
from strands.types.tools import ToolSpec

from primavoce.agent.answers import SPOKEN_ANSWERS
from primavoce.agent.scripted import FIRST_TOKEN_S, TOKENS_PER_S, script

CANCEL_LOOK_S = 0.01
"""Seconds between two looks at whether it is to stop."""


@dataclass(frozen=True, slots=True)
class Say:
    """Write a text, token by token."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Write what isn't meant for the listener, token by token."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """Call a tool."""

    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fail:
    """Raise an error."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Stop:
    """End the message for this reason, such as ``max_tokens``."""

    reason: StopReason


type Act = Say | Think | Call | Fail | Stop


@dataclass(frozen=True, slots=True)
class Cue:
    """What the model is asked."""

    prompt: str
    """What the user said last."""
    results: tuple[str, ...]
    """What the tools answered that were called since; empty if none were."""
    tools: frozenset[str]
    """Names of the tools that there are."""
    turn: int
    """How many prompts came before this one."""


type Script = Callable[[Cue], Sequence[Act]]
"""Says what the model writes in answer to a cue: one message."""

_TIME = re.compile(r"\b(what time|what day|which day|the time|the date|clock|today)\b", re.IGNORECASE)
_ARITHMETIC = re.compile(
    r"\d[\d.,]*(?:\s*(?:[-+*/×÷^−]|plus|minus|times|divided by)\s*\(?\s*\d[\d.,]*\)?)+", re.IGNORECASE
)
_SPOKEN_SIGNS = {"plus": "+", "minus": "-", "times": "*", "divided by": "/"}


def converse(cue: Cue) -> Sequence[Act]:
    """Answer with the next of the built-in answers; what asks for the time or a sum, with the tools that there are."""
    if cue.results:
        return [Say(f"It is {' and '.join(cue.results)}. Is there anything else that you would like to know?")]
    if "clock" in cue.tools and _TIME.search(cue.prompt):
        return [Say("Let me look at the clock."), Call("clock")]
    if "calculator" in cue.tools and (asked := _ARITHMETIC.search(cue.prompt)):
        expression = asked[0].lower().rstrip(".,")
        for spoken, sign in _SPOKEN_SIGNS.items():
            expression = expression.replace(spoken, sign)
        return [Say("Let me work that out."), Call("calculator", {"expression": expression})]
    return [Say(SPOKEN_ANSWERS[cue.turn % len(SPOKEN_ANSWERS)])]


class ScriptedModel(Model):
    """A Strands model that plays a script.

    Args:
        play: What it writes.
        tokens_per_s: Mean rate.
        first_token_s: Seconds before the first token of each message.
        seed: Of the gaps between tokens; the same for each message.
        clock: Seconds.
        sleep: Waits for a number of seconds.
    """

    def __init__(
        self,
        play: Script = converse,
        *,
        tokens_per_s: float = TOKENS_PER_S,
        first_token_s: float = FIRST_TOKEN_S,
        seed: int = 0,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._play = play
        self._tokens_per_s = tokens_per_s
        self._first_token_s = first_token_s
        self._seed = seed
        self._clock = clock
        self._sleep = sleep

    @override
    def update_config(self, **model_config: Any) -> None:
        """Do nothing: what it does is said when it is made."""

    @override
    def get_config(self) -> dict[str, Any]:
        """Return what Strands may want to know."""
        return {"model_id": "scripted"}

    @override
    def structured_output(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: a script has no structure."""
        raise NotImplementedError("a scripted model gives no structured output")

    @override
    async def stream(
        self,
        messages: Messages,
        tool_specs: list[ToolSpec] | None = None,
        system_prompt: str | None = None,
        *,
        cancel_signal: threading.Event | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[StreamEvent]:
        """Play one message; it just ends when ``cancel_signal`` is set."""
        pace = _Pace(self, cancel_signal or threading.Event())
        stop_reason: StopReason = "end_turn"
        yield {"messageStart": {"role": "assistant"}}
        for number, act in enumerate(self._play(cue_of(messages, tool_specs))):
            match act:
                case Fail(error):
                    raise error
                case Stop(reason):
                    stop_reason = reason
                case Call(tool, arguments):
                    stop_reason = "tool_use"
                    call = {"toolUseId": f"scripted-{len(messages)}-{number}", "name": tool}
                    yield {"contentBlockStart": {"start": {"toolUse": call}}}  # type: ignore[typeddict-item]
                    yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(dict(arguments))}}}}
                    yield {"contentBlockStop": {}}
                case Say(text) | Think(text):
                    yield {"contentBlockStart": {"start": {}}}
                    async for token in pace.write(text):
                        if isinstance(act, Say):
                            yield {"contentBlockDelta": {"delta": {"text": token}}}
                        else:
                            yield {"contentBlockDelta": {"delta": {"reasoningContent": {"text": token}}}}
                    if pace.is_cancelled:
                        return
                    yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": stop_reason}}
        yield {
            "metadata": {
                "usage": {"inputTokens": 0, "outputTokens": pace.tokens, "totalTokens": pace.tokens},
                "metrics": {"latencyMs": round((self._clock() - pace.began) * 1000)},
            }
        }


class _Pace:
    """Writes at the model's rate, the first token of all only after its delay."""

    def __init__(self, model: ScriptedModel, cancel_signal: threading.Event) -> None:
        self._model = model
        self._cancel_signal = cancel_signal
        self.began = model._clock()  # noqa: SLF001 - a part of it
        self.tokens = 0

    @property
    def is_cancelled(self) -> bool:
        return self._cancel_signal.is_set()

    async def write(self, text: str) -> AsyncIterator[str]:
        model = self._model
        delay_s = 0.0 if self.tokens else model._first_token_s  # noqa: SLF001
        began = model._clock()  # noqa: SLF001
        for token in script(text, tokens_per_s=model._tokens_per_s, first_token_s=delay_s, seed=model._seed):  # noqa: SLF001
            await self._wait_until(began + token.at_s)
            if self.is_cancelled:
                return
            self.tokens += 1
            yield token.text

    async def _wait_until(self, moment: float) -> None:
        while not self.is_cancelled and (left_s := moment - self._model._clock()) > 0:  # noqa: SLF001
            # An event of threads can't be waited for here, only looked at.
            await self._model._sleep(min(left_s, CANCEL_LOOK_S))  # noqa: SLF001


def cue_of(messages: Messages, tool_specs: Sequence[ToolSpec] | None) -> Cue:
    """Return what a conversation asks the model."""
    prompts = [text for message in messages if message["role"] == "user" and (text := _text_of(message["content"]))]
    results = [block["toolResult"] for block in messages[-1]["content"] if "toolResult" in block] if messages else []
    return Cue(
        prompt=prompts[-1] if prompts else "",
        results=tuple(part["text"] for result in results for part in result["content"] if "text" in part),
        tools=frozenset(spec["name"] for spec in tool_specs or ()),
        turn=max(0, len(prompts) - 1),
    )


def _text_of(content: Sequence[ContentBlock]) -> str:
    return " ".join(block["text"] for block in content if "text" in block)
