"""Speak what anything writes: here a function that yields words.

primavoce serve &
python examples/speaking_agent.py ws://127.0.0.1:8080 > answer.pcm
"""

import asyncio
import sys
from collections.abc import AsyncIterator

from primavoce.agent import PlainConversation, answering
from primavoce.client import SpeechSession
from primavoce.protocol.agent import AgentEnd, AudioChunk


async def answer(prompt: str) -> AsyncIterator[str]:
    for word in f"You asked me: {prompt} I will think about it, and tell you tomorrow.".split():
        yield word + " "
        await asyncio.sleep(0.03)


async def main(url: str) -> None:
    async with answering(PlainConversation(answer), "why?", lambda: SpeechSession(url)) as turn:
        async for event in turn:
            if isinstance(event, AudioChunk):
                sys.stdout.buffer.write(event.data)
            elif isinstance(event, AgentEnd):
                print(event.timings, file=sys.stderr)


if len(sys.argv) != 2:
    sys.exit(__doc__)
asyncio.run(main(sys.argv[1]))
