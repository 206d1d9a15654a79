"""Deepgram's own Python package speaks through the server as through Deepgram's."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import httpx
import pytest
import soundfile

from tests.conftest import RunningServer
from tests.server.test_deepgram import audio, talking

if TYPE_CHECKING:  # the rest of the tests must do without the package
    from deepgram.environment import DeepgramClientEnvironment

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.interop,
    # The package connects by a part of websockets that is on its way out.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecatedSince20"),
]

FIRST, LAST = "Hello there. How are you?", "Yes, of course."
LONG = "This answer is a long one. " + "It goes on and on, as if nobody wanted to say a word. " * 40
MOST_FRAMES = 200_000
"""A stream doesn't say how long it is."""
ASKED = {"model": "af_heart", "encoding": "linear16", "sample_rate": "24000"}


def places(server: RunningServer) -> "DeepgramClientEnvironment":
    from deepgram.environment import DeepgramClientEnvironment

    ws = server.address.replace("http", "ws", 1)
    return DeepgramClientEnvironment(base=server.address, production=ws, agent=ws, agent_rest=server.address)


async def expected(server: RunningServer, text: str) -> bytes:
    async with talking(server.address) as talker:
        await talker.speak(text)
        await talker.say("Flush")
        return audio(await talker.until("Flushed"))


async def test_an_async_client_speaks_several_turns_and_hears_nothing_old_after_a_clear(serving) -> None:
    from deepgram import AsyncDeepgramClient
    from deepgram.speak.v1.types import SpeakV1Text

    async def until(kind: str) -> tuple[bytes, Any]:
        heard = b""
        while True:
            with anyio.fail_after(10):
                message = await socket.recv()
            if isinstance(message, bytes):
                heard += message
            else:  # by its word: the package makes one type of those that have the same fields
                assert message.type == kind
                return heard, message

    async with serving() as server:
        client = AsyncDeepgramClient(api_key="none", environment=places(server))
        async with client.speak.v1.connect(**ASKED) as socket:
            _, metadata = await until("Metadata")
            for word in FIRST.split(" "):
                await socket.send_text(SpeakV1Text(text=f"{word} "))
            await socket.send_flush()
            first, flushed = await until("Flushed")
            await socket.send_text(SpeakV1Text(text=LONG))
            await socket.send_flush()
            begun = await socket.recv()
            await socket.send_clear()
            _, cleared = await until("Cleared")
            await socket.send_text(SpeakV1Text(text=LAST))
            await socket.send_flush()
            last, _ = await until("Flushed")
            await socket.send_close()
        wanted = [await expected(server, text) for text in (FIRST, LAST)]

    assert metadata.model_name == "af_heart"
    assert (flushed.type, flushed.sequence_id) == ("Flushed", 0)
    assert (cleared.type, cleared.sequence_id) == ("Cleared", 1)
    assert isinstance(begun, bytes)
    assert [first, last] == wanted


async def test_a_listener_with_callbacks_hears_until_the_server_closes(serving) -> None:
    from deepgram import DeepgramClient
    from deepgram.core.events import EventType
    from deepgram.speak.v1.types import SpeakV1Text

    events: list[object] = []

    def talk(server: RunningServer) -> None:
        client = DeepgramClient(api_key="none", environment=places(server))
        with client.speak.v1.connect(**ASKED) as socket:
            for event in EventType:
                socket.on(event, lambda told, event=event: events.append((event, told)))
            socket.send_text(SpeakV1Text(text=FIRST))
            socket.send_close()
            socket.start_listening()

    async with serving() as server:
        with anyio.fail_after(20):
            await anyio.to_thread.run_sync(talk, server)
        wanted = await expected(server, FIRST)

    assert (events[0][0], events[-1][0]) == (EventType.OPEN, EventType.CLOSE)
    assert [told for event, told in events if event is EventType.ERROR] == []
    assert b"".join(told for _, told in events if isinstance(told, bytes)) == wanted


@pytest.mark.parametrize(("encoding", "container"), [("linear16", "wav"), ("mp3", None), ("opus", "ogg")])
async def test_a_text_is_spoken_whole(serving, encoding: str, container: str | None) -> None:
    from deepgram import DeepgramClient

    def speak(server: RunningServer) -> bytes:
        with httpx.Client() as http:
            client = DeepgramClient(api_key="none", environment=places(server), httpx_client=http)
            pieces: Iterator[bytes] = client.speak.v1.audio.generate(
                text=FIRST, model="af_heart", encoding=encoding, container=container
            )
            return b"".join(pieces)

    async with serving() as server:
        found = await anyio.to_thread.run_sync(speak, server)

    samples, rate = soundfile.read(io.BytesIO(found), frames=MOST_FRAMES)
    assert len(samples) / rate == pytest.approx(1.86, abs=0.1)


async def test_an_error_of_a_request_is_the_packages_own(serving) -> None:
    from deepgram import AsyncDeepgramClient
    from deepgram.errors import BadRequestError

    async with serving() as server, httpx.AsyncClient() as http:
        client = AsyncDeepgramClient(api_key="none", environment=places(server), httpx_client=http)
        with pytest.raises(BadRequestError) as refused:
            async for _ in client.speak.v1.audio.generate(text=FIRST, encoding="aac"):
                pass

    assert refused.value.body["err_code"] == "UNSUPPORTED_FORMAT"
