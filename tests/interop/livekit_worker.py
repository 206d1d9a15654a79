"""LiveKit's own plug-ins for Deepgram and OpenAI, unmodified, without a room.

Runs in an environment of LiveKit's. Prints what was heard of each text, by the way in which it was said, as JSON.
"""

import asyncio
import base64
import json
import sys

import aiohttp
from livekit.agents import tts
from livekit.plugins import deepgram, openai


async def hear(stream: tts.SynthesizeStream | tts.ChunkedStream) -> bytes:
    async with stream:
        return b"".join([bytes(event.frame.data) async for event in stream])


def say(speaker: tts.TTS, text: str) -> tts.SynthesizeStream:
    """Return the speech of ``text``, which comes a word at a time."""
    stream = speaker.stream()
    words = text.split(" ")
    for token in [words[0], *(f" {word}" for word in words[1:])]:
        stream.push_text(token)
    stream.end_input()
    return stream


async def interrupt(speaker: tts.TTS, text: str) -> bytes:
    """Return the first that is heard of ``text``, which is then not wanted any more."""
    async with say(speaker, text) as stream:
        return bytes((await anext(stream)).frame.data)


async def converse(address: str, first: str, long: str, last: str) -> dict[str, bytes]:
    """Return what was heard of the texts; ``long`` is interrupted."""
    async with aiohttp.ClientSession() as session:
        speaker = deepgram.TTS(
            base_url=f"{address}/v1/speak", api_key="none", model="af_heart", sample_rate=24_000, http_session=session
        )
        heard = {
            "streamed first": await hear(say(speaker, first)),
            "streamed long": await interrupt(speaker, long),
            "streamed last": await hear(say(speaker, last)),
            "whole first": await hear(speaker.synthesize(first)),
        }
        await speaker.aclose()
    other = openai.TTS(base_url=f"{address}/v1", api_key="none", model="tts-1", voice="af_heart", response_format="pcm")
    heard["openai first"] = await hear(other.synthesize(first))
    await other.aclose()
    return heard


if __name__ == "__main__":
    found = asyncio.run(converse(*sys.argv[1:]))
    sys.stdout.write(json.dumps({name: base64.b64encode(audio).decode() for name, audio in found.items()}))
