"""Give a Strands agent that you have a voice: its answers are spoken while it writes them.

primavoce serve &
uv run --extra agent python examples/strands_agent.py ws://127.0.0.1:8080 "What time is it?" > answer.pcm
"""

import asyncio
import sys

from strands import Agent

from primavoce.agent import answering
from primavoce.agent.strands.conversation import StrandsConversation
from primavoce.agent.strands.scripted_model import ScriptedModel
from primavoce.client import SpeechSession
from primavoce.protocol.agent import AnswerFailed, AudioChunk, TextDelta


async def main(url: str, prompt: str) -> None:
    agent = Agent(model=ScriptedModel(), callback_handler=None)  # yours, with its model, tools and prompt
    conversation = StrandsConversation(agent)
    async with answering(conversation, prompt, lambda: SpeechSession(url)) as turn:
        async for event in turn:
            if isinstance(event, TextDelta):
                print(event.text, end="", flush=True, file=sys.stderr)
            elif isinstance(event, AudioChunk):
                sys.stdout.buffer.write(event.data)
            elif isinstance(event, AnswerFailed):
                sys.exit(event.message)  # of the model, or of what speaks


if len(sys.argv) != 3:
    sys.exit(__doc__)
asyncio.run(main(*sys.argv[1:]))
