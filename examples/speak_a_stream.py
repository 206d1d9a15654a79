"""Speak any async iterator of strings over one session, and write the audio as it comes.

primavoce serve &
python examples/speak_a_stream.py ws://127.0.0.1:8080 > answer.pcm
"""

import asyncio
import sys
from collections.abc import AsyncIterator

from primavoce.client import SpeechSession


async def answer() -> AsyncIterator[str]:
    for word in ["Good", "morning.", "This", "was", "spoken", "while", "it", "was", "still", "being", "written."]:
        yield word + " "
        await asyncio.sleep(0.03)


async def main(url: str) -> None:
    async with SpeechSession(url) as session:
        async with session.utterance(answer(), voice="af_heart") as utterance:
            async for pcm in utterance.audio():
                sys.stdout.buffer.write(pcm)


if len(sys.argv) != 2:
    sys.exit(__doc__)
asyncio.run(main(sys.argv[1]))
