"""The published container's own client, played frame by frame, is served unchanged."""

import json
import struct
import time
from collections.abc import Iterable

import anyio
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.server.test_http import ask

pytestmark = pytest.mark.anyio


class PublishedError(Exception):
    """What that client raises when it is told of an error."""


class PublishedClient:
    """Does what the published client does, no more: its frames have no type, its requests no id.

    It speaks one sentence a message, sends the next one when the one before is complete, and takes a payload that
    begins with a brace, and parses as an object, for a message; whatever else for audio.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.messages: list[dict[str, object]] = []

    async def speak(self, sentences: Iterable[str], **options: object) -> list[bytes]:
        spoken = []
        for sentence in sentences:
            request = {"text": sentence, "voice": "af_heart", "request_timestamp": time.time(), "speed": 1.0, **options}
            await self._socket.send(json.dumps(request).encode())
            spoken.append(await self._drain())
        return spoken

    async def _drain(self) -> bytes:
        pcm = b""
        while True:
            with anyio.fail_after(10):
                frame = await self._socket.recv()
            payload = frame.encode() if isinstance(frame, str) else frame  # the platform leaves bytes of both
            message = sniffed(payload)
            if message is None:
                pcm += payload
                continue
            self.messages.append(message)
            if message["type"] == "error":
                raise PublishedError(message["message"])
            if message["type"] == "synthesis_complete":
                return pcm

    async def close(self) -> None:
        await self._socket.send(b'{"type": "close"}')
        await self._socket.close()


def sniffed(payload: bytes) -> dict[str, object] | None:
    if payload[:1] != b"{":
        return None
    try:
        found = json.loads(payload.decode())
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


SENTENCES = ["Good morning.", "It is 3.5 degrees outside.", "Shall I go on?"]


async def test_each_sentence_gets_its_audio_and_its_completion(serving) -> None:
    async with serving() as server, connect(server.session_url, compression=None) as socket:
        client = PublishedClient(socket)
        spoken = await client.speak(SENTENCES)
        await client.close()

    assert [message["type"] for message in client.messages] == ["synthesis_start", "synthesis_complete"] * 3
    for number, pcm in enumerate(spoken):
        start, complete = client.messages[2 * number : 2 * number + 2]
        assert start["request_id"] == complete["request_id"]
        assert len(pcm) / 2 / 24_000 == pytest.approx(complete["total_duration_s"], abs=1e-3)
        assert isinstance(complete["elapsed_s"], float)


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 24000, 24000.0])
async def test_its_sample_rates_are_served(serving, rate: float) -> None:
    async with serving() as server, connect(server.session_url, compression=None) as socket:
        client = PublishedClient(socket)
        (pcm,) = await client.speak(["Good morning."], sample_rate=rate)
        await client.close()

    assert len(pcm) / 2 / rate == pytest.approx(client.messages[-1]["total_duration_s"], abs=1e-3)


@pytest.mark.parametrize(
    "request_body", [{"text": ""}, {"text": "Hello.", "voice": "nobody"}, {"text": "Hello.", "sample_rate": 11025}]
)
async def test_an_error_is_a_message_it_knows_and_the_session_goes_on(serving, request_body) -> None:
    async with serving() as server, connect(server.session_url, compression=None) as socket:
        client = PublishedClient(socket)
        text = request_body.pop("text")
        with pytest.raises(PublishedError):
            await client.speak([text], **request_body)
        (pcm,) = await client.speak(["Good morning."])
        await client.close()

    assert pcm


async def test_an_early_exit_without_a_close_gives_its_place_away(serving) -> None:
    async with serving(max_sessions=1) as server:
        async with connect(server.session_url, compression=None) as socket:
            await socket.send(b'{"text": "I leave in the middle of this sentence."}')
            await socket.recv()
        with anyio.fail_after(10):
            while len(server.lobby):  # noqa: ASYNC110 - the server has no event for a test to wait for
                await anyio.sleep(0.001)
        async with connect(server.session_url, compression=None) as socket:
            client = PublishedClient(socket)
            (pcm,) = await client.speak(["Good morning."])
            await client.close()

    assert pcm


async def test_its_request_over_http_is_answered_as_it_expects(serving) -> None:
    body = {
        "text": "Good morning.",
        "voice": "am_michael",
        "speed": 1.25,
        "stream": True,
        "format": "wav",
        "sample_rate": 16000,
        "request_timestamp": time.time(),
    }
    async with serving() as server:
        status, headers, streamed = await ask(server.address, body)
        _, figures, whole = await ask(server.address, {**body, "stream": False})
        stale = await ask(server.address, {**body, "request_timestamp": time.time() - 57})

    assert (status, headers["content-type"]) == (200, "audio/wav")
    assert streamed[:4] + streamed[8:12] == b"RIFFWAVE"
    assert struct.unpack("<I", streamed[4:8]) == struct.unpack("<I", streamed[40:44]) == (0xFFFFFFFF,)
    assert struct.unpack("<I", streamed[24:28]) == (16000,)
    assert streamed[44:] == whole[44:]
    assert {"x-audio-duration", "x-inference-time-ms", "x-rtf", "x-characters-processed"} <= set(figures)
    assert (stale[0], json.loads(stale[2])["error"]) == (408, "request_stale")


async def test_a_full_server_says_so_in_its_words(serving) -> None:
    async with (
        serving(max_sessions=1) as server,
        connect(server.session_url, compression=None) as inside,
    ):
        await inside.send('{"type": "ping"}')
        await inside.recv()

        status, _, body = await ask(server.address, {"text": "Hello."})

    assert (status, json.loads(body)["error"]) == (503, "queue_saturated")
