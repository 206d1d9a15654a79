"""Pipecat's DeepgramTTSService, unmodified, speaks through the server as through Deepgram's."""

import base64
import json

import pytest

from tests.interop.apart import run_apart
from tests.server.test_deepgram import Talker, audio, talking

pytestmark = [pytest.mark.anyio, pytest.mark.interop, pytest.mark.timeout(900)]

PIPECAT = "pipecat-ai[deepgram]==1.14.0"
FIRST, LAST = "Hello there. How are you?", "Yes, of course."
LONG = "This answer is a long one. " + "It goes on and on, as if nobody wanted to say a word. " * 40
LONG_BYTES = 2 * 24_000 * 60
"""It takes more than a minute to say."""


async def test_turns_are_spoken_and_after_an_interruption_no_old_audio_arrives(serving) -> None:
    texts = [FIRST, LONG, LAST, FIRST]

    async with serving() as server, talking(server.address) as talker:
        address = server.address.replace("http", "ws", 1)
        found = json.loads(await run_apart("pipecat_worker.py", address, *texts, packages=[PIPECAT]))
        wanted = [await said(talker, text) for text in (FIRST, LAST)]

    first, interrupted, last, again = (base64.b64decode(each) for each in found["heard"])
    assert found["errors"] == []
    assert [first, last, again] == [wanted[0], wanted[1], wanted[0]]
    assert 0 < len(interrupted) < LONG_BYTES


async def said(talker: Talker, text: str) -> bytes:
    await talker.speak(text)
    await talker.say("Flush")
    return audio(await talker.until("Flushed"))
