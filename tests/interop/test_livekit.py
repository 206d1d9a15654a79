"""LiveKit's plug-ins for Deepgram and OpenAI, unmodified, speak through the server."""

import base64
import json

import pytest

from tests.interop.apart import run_apart
from tests.interop.test_pipecat import said
from tests.server.test_deepgram import talking

pytestmark = [pytest.mark.anyio, pytest.mark.interop, pytest.mark.timeout(900)]

LIVEKIT = ("livekit-agents==1.8.9", "livekit-plugins-deepgram==1.8.9", "livekit-plugins-openai==1.8.9")
FIRST, LAST = "Hello there. How are you?", "Yes, of course."
LONG = "This answer is a long one. " + "It goes on and on, as if nobody wanted to say a word. " * 40


async def test_texts_are_spoken_streamed_and_whole_and_after_an_interruption_no_old_audio_arrives(serving) -> None:
    async with serving() as server, talking(server.address) as talker:
        found = json.loads(await run_apart("livekit_worker.py", server.address, FIRST, LONG, LAST, packages=LIVEKIT))
        heard = {name: base64.b64decode(each) for name, each in found.items()}
        wanted = {text: await said(talker, text) for text in (FIRST, LAST)}

    assert heard["streamed first"] == wanted[FIRST]
    assert heard["streamed last"] == wanted[LAST]
    assert heard["streamed long"]
    for whole in ("whole first", "openai first"):  # the plug-ins add a hundredth of a second of silence
        assert heard[whole].rstrip(b"\0") == wanted[FIRST].rstrip(b"\0")
