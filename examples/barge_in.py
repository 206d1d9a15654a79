"""Interrupt an answer, and learn what was heard of it.

primavoce serve &
python examples/barge_in.py ws://127.0.0.1:8080
"""

import asyncio
import sys

from primavoce.client import SpeechSession


async def main(url: str) -> None:
    async with SpeechSession(url) as session:
        async with session.utterance("First, the long story. Then, the short one. And so on, and on.") as utterance:
            seconds = 0.0
            async for pcm in utterance.audio():
                seconds += len(pcm) / 2 / 24_000
                if seconds > 1:
                    await utterance.cancel(played_s=1)  # the player knows how much was heard
        assert utterance.cancelled is not None
        print(f"heard: {utterance.cancelled.spoken_text!r}")

        async with session.utterance("All right, I am listening.") as utterance:
            seconds = sum([len(pcm) async for pcm in utterance.audio()]) / 2 / 24_000
        print(f"answered: {seconds:.1f} s")


if len(sys.argv) != 2:
    sys.exit(__doc__)
asyncio.run(main(sys.argv[1]))
