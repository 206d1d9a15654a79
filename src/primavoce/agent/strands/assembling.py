"""Conversations with a model: a Strands agent for each, for one agent answers one listener at a time."""

from collections.abc import Callable, Sequence
from typing import Any

from strands import Agent
from strands.models import Model

from primavoce.agent.conversation import Conversation
from primavoce.agent.strands.conversation import StrandsConversation
from primavoce.agent.strands.prompts import SPOKEN_STYLE
from primavoce.agent.strands.tools import example_tools


def conversations_with(
    model: Model, *, system_prompt: str | None = None, tools: Sequence[Any] | None = None
) -> Callable[[], Conversation]:
    """Return what begins a conversation with ``model``.

    Args:
        model: Writes; all conversations share it.
        system_prompt: Says how; the model's own, or else one for being heard, unless given.
        tools: What it may use; a clock and a calculator unless given, and none for a model that takes none.
    """
    prompt = system_prompt or getattr(model, "system_prompt", None) or SPOKEN_STYLE
    usable = example_tools() if tools is None else list(tools)
    if not getattr(model, "takes_tools", True):
        usable = []

    def begin() -> Conversation:
        return StrandsConversation(Agent(model=model, system_prompt=prompt, tools=list(usable), callback_handler=None))

    return begin
