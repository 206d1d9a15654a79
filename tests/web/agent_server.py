"""A scripted agent that hums: `docs/agent.md`'s wire for tests of the page, without a model of any kind."""

import base64
import json
import math
import re
import struct
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import anyio
import uvicorn
from anyio.from_thread import BlockingPortal, start_blocking_portal
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from primavoce.server.page import PageInfo, kokoro_voices, page_routes
from primavoce.server.run import listen

SAMPLE_RATE = 24_000
SECONDS_PER_CHARACTER = 0.05
BLOCK_S = 0.25
ANSWER = (
    "The sky is blue because air scatters short waves of light more than long ones. "
    "Sunlight holds every colour, and the blue part of it is sent in all directions. "
    "In the evening the light has a longer way through the air. "
    "Most of the blue is gone by then, and what is left is orange and red."
)
type Event = dict[str, object]


@dataclass
class Script:
    """What the agent does."""

    answer: str = ANSWER
    words_per_s: float = math.inf
    """How fast it writes."""
    real_time_factor: float = 0.0
    """Seconds that a second of audio takes to be made."""
    hold_at: int | None = None
    """Character before which it waits for `RunningAgent.release`."""
    word_times: bool = True
    error: str | None = None
    """Code of what goes wrong where it would hold, or at the end."""
    drop: bool = False
    """Whether the connection is broken off there."""


@dataclass
class Hum:
    """One answer under way."""

    request_id: str
    played_s: float | None = None
    words: list[Event] = field(default_factory=list)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def cancelled(self, text: str) -> Event:
        ended = [word for word in self.words if word["end_s"] <= (self.played_s or 0.0)]  # type: ignore[operator]
        heard = int(ended[-1]["end"]) if ended else 0  # type: ignore[call-overload]
        return {"type": "cancelled", "spoken_text": text[:heard], "spoken_characters": heard, "audio_sent_s": 0.0}


class ScriptedAgent:
    """Answers every prompt by the script."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.received: list[Event] = []
        self.sent = bytearray()
        """All audio of the answer that came last."""
        self.released = anyio.Event()
        self._current: dict[str, Hum] = {}

    async def answer(self, prompt: Event, session: str, send: Callable[[Event], object]) -> None:
        """Send all events of an answer; the one before it in this session is cancelled."""
        hum = Hum(str(prompt.get("request_id") or uuid.uuid4()))
        await self.cancel(session, prompt)
        self._current[session] = hum
        self.sent.clear()

        async def tell(event: Event) -> None:
            await send({**event, "request_id": hum.request_id})  # type: ignore[misc]

        with hum.scope:
            await tell({"type": "agent_start", "mode": prompt.get("mode", "stream")})
            await self._speak(hum, tell)
        if hum.scope.cancelled_caught:
            with anyio.CancelScope(shield=True):
                await tell(hum.cancelled(self.script.answer))

    async def cancel(self, session: str, message: Event) -> Hum | None:
        hum = self._current.pop(session, None)
        if hum is not None:
            played = message.get("played_s")
            hum.played_s = float(played) if isinstance(played, int | float) else None
            hum.scope.cancel()
        return hum

    async def _speak(self, hum: Hum, tell: Callable[[Event], object]) -> None:
        script = self.script
        # As many as there are: the writer never waits for the voice.
        ready, sentences = anyio.create_memory_object_stream[tuple[int, int]](len(script.answer))
        broken: list[str] = []

        async def write() -> None:
            async with ready:
                ends = [found.end() for found in re.finditer(r"[.!?](?=\s|$)", script.answer)]
                begins = [0, *[end + 1 for end in ends[:-1]]]
                waiting = list(zip(begins, ends, strict=True))
                at = 0
                for seq, delta in enumerate(re.findall(r"\s*\S+", script.answer)):
                    if script.hold_at is not None and at <= script.hold_at < at + len(delta):
                        if script.drop or script.error:
                            break
                        await self.released.wait()
                    await tell({"type": "text_delta", "seq": seq, "text": delta})  # type: ignore[misc]
                    at += len(delta)
                    while waiting and waiting[0][1] <= at:
                        await ready.send(waiting.pop(0))
                    await anyio.sleep(1 / script.words_per_s)
                if script.error or script.drop:
                    broken.append(script.error or "drop")

        chunks = 0
        audio_s = 0.0
        async with sentences, anyio.create_task_group() as tasks:
            tasks.start_soon(write)
            async for index, (start, end) in _numbered(sentences):
                if not chunks:
                    form = {"format": "pcm16", "voice": "af_heart", "sample_rate": SAMPLE_RATE}
                    await tell({"type": "audio_stream_start", **form})  # type: ignore[misc]
                place = {"index": index, "start": start, "end": end, "start_s": audio_s}
                await tell({"type": "segment", "text": script.answer[start:end], **place})  # type: ignore[misc]
                words = list(words_of(script.answer[start:end], start, audio_s))
                hum.words += words
                if script.word_times:
                    await tell({"type": "words", "index": index, "words": words})  # type: ignore[misc]
                for pcm in humming((end - start) * SECONDS_PER_CHARACTER, index):
                    await anyio.sleep(script.real_time_factor * len(pcm) / 2 / SAMPLE_RATE)
                    self.sent += pcm
                    encoded = base64.b64encode(pcm).decode()
                    await tell({"type": "audio_chunk", "seq": chunks, "data": encoded})  # type: ignore[misc]
                    chunks += 1
                audio_s += (end - start) * SECONDS_PER_CHARACTER
        if script.drop:
            raise ConnectionResetError
        if broken:
            told = {"code": broken[0], "message": "the script says so", "retryable": False}
            await tell({"type": "error", **told})  # type: ignore[misc]
            return
        await tell({"type": "audio_stream_end", "total_chunks": chunks, "duration_s": audio_s})  # type: ignore[misc]
        await tell({"type": "agent_end", "timings": {"total_s": 0.0}})  # type: ignore[misc]

    async def invocations(self, request: Request) -> Response:
        session = request.headers.get("x-amzn-bedrock-agentcore-runtime-session-id", "")
        message: Event = await request.json()
        self.received.append(message)
        if message.get("type") == "cancel":
            hum = await self.cancel(session, message)
            told = hum.cancelled(self.script.answer) if hum else {"type": "error", "code": "unknown_request"}
            return JSONResponse({**told, "request_id": message.get("request_id")})
        return StreamingResponse(self._events(message, session), media_type="text/event-stream")

    async def _events(self, message: Event, session: str) -> AsyncIterator[bytes]:
        send, receive = anyio.create_memory_object_stream[Event](1024)

        async def run() -> None:
            async with send:
                await self.answer(message, session, send.send)

        async with receive, anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            async for event in receive:
                yield b"data: " + json.dumps(event).encode() + b"\n\n"

    async def socket(self, socket: WebSocket) -> None:
        await socket.accept()
        session = str(uuid.uuid4())
        try:
            async with anyio.create_task_group() as tasks:
                await self._receive(socket, session, tasks.start_soon)
        except* (WebSocketDisconnect, ConnectionResetError):
            hum = self._current.pop(session, None)
            if hum is not None:
                hum.scope.cancel()

    async def _receive(self, socket: WebSocket, session: str, start: Callable[..., object]) -> None:
        while True:
            frame = await socket.receive()
            if frame["type"] == "websocket.disconnect":
                raise WebSocketDisconnect
            message: Event = json.loads(frame.get("text") or frame["bytes"])
            self.received.append(message)
            match message.get("type", "prompt"):
                case "prompt":
                    binary = message.get("transport") == "binary"

                    async def send(event: Event, *, binary: bool = binary) -> None:
                        if binary and event["type"] == "audio_chunk":
                            await socket.send_bytes(base64.b64decode(str(event["data"])))
                        else:
                            await socket.send_text(json.dumps(event))

                    start(self.answer, message, session, send)
                case "cancel":
                    await self.cancel(session, message)
                case "ping":
                    await socket.send_text('{"type": "pong"}')


def humming(seconds: float, number: int) -> Iterator[bytes]:
    """Yield a hum that swells with each syllable, in blocks."""
    samples = round(seconds * SAMPLE_RATE)
    pitch = 2 * math.pi * (170 + 12 * (number % 4)) / SAMPLE_RATE
    step = round(BLOCK_S * SAMPLE_RATE)
    for start in range(0, samples, step):
        places = range(start, min(start + step, samples))
        yield b"".join(
            struct.pack("<h", round(9000 * math.sin(pitch * n) * abs(math.sin(n / 2400 + 0.4)))) for n in places
        )


def words_of(text: str, start: int, start_s: float) -> Iterator[Event]:
    """Yield the words of ``text``, which begins at ``start``, with their times."""
    for found in re.finditer(r"[\w']+", text):
        first, last = found.span()
        times = {"start_s": start_s + first * SECONDS_PER_CHARACTER, "end_s": start_s + last * SECONDS_PER_CHARACTER}
        yield {"text": found[0], "start": start + first, "end": start + last, **times}


async def _numbered(stream: AsyncIterator[tuple[int, int]]) -> AsyncIterator[tuple[int, tuple[int, int]]]:
    number = 0
    async for each in stream:
        yield number, each
        number += 1


@dataclass(frozen=True)
class RunningAgent:
    """A scripted agent that is served."""

    address: str
    agent: ScriptedAgent
    portal: BlockingPortal

    def release(self) -> None:
        """Have it write on."""
        self.portal.call(self.agent.released.set)


def page_info() -> PageInfo:
    return PageInfo(
        kind="agent",
        model="a script",
        voice="af_heart",
        voices=kokoro_voices(),
        languages=("en-us", "en-gb", "it"),
        version="test",
    )


def agent_app(agent: ScriptedAgent) -> Starlette:
    return Starlette(
        routes=[
            Route("/invocations", agent.invocations, methods=["POST"]),
            WebSocketRoute("/ws", agent.socket),
            *page_routes(page_info),
        ]
    )


@contextmanager
def run_agent(script: Script | None = None, *, port: int = 0) -> Iterator[RunningAgent]:
    """Serve a scripted agent, on a loop and a thread of its own, while the block runs."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(_serving(script, port)) as found:
        yield RunningAgent(*found, portal)


@asynccontextmanager
async def _serving(script: Script | None, port: int) -> AsyncIterator[tuple[str, ScriptedAgent]]:
    agent = ScriptedAgent(script or Script())
    listener = listen("127.0.0.1", port)
    config = uvicorn.Config(
        agent_app(agent),
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="websockets-sansio",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [listener])
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", agent
        server.should_exit = True
        server.force_exit = True
