"""A stand-in for the agent where it has to misbehave: answers as events and as bytes, and a server that breaks off.

It answers as the agent does (`primavoce.agent.app`, `primavoce.agent.socket`); where nothing has to go wrong, tests
have the agent itself (`tests.web.writing`).
"""

import base64
import json
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, field
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from primavoce.errors import UnknownRequest
from primavoce.server.refusal import error_response

SESSION = "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id"
TEXT = "Grüße: 日本 🎧."
PCM = b"".join(((i * 37) % 65536 - 32768).to_bytes(2, "little", signed=True) for i in range(300))
SAMPLES = [int.from_bytes(PCM[i : i + 2], "little", signed=True) for i in range(0, len(PCM), 2)]

type Event = dict[str, Any]


def answer(request_id: str) -> list[Event]:
    """Return the events of one whole answer."""
    blocks = [PCM[:200], PCM[200:]]
    rest = [
        {"type": "audio_stream_start", "format": "pcm16", "voice": "af_heart", "sample_rate": 24000},
        {"type": "segment", "index": 0, "text": TEXT, "start": 0, "end": len(TEXT), "start_s": 0.0},
        *({"type": "audio_chunk", "seq": seq, "data": block} for seq, block in enumerate(blocks)),
        {"type": "audio_stream_end", "total_chunks": len(blocks), "duration_s": len(PCM) / 48000},
        {"type": "agent_end", "timings": {"first_text_s": 0.1, "total_s": 1.0}},
    ]
    start = [{"type": "agent_start", "mode": "stream"}, {"type": "text_delta", "seq": 0, "text": TEXT}]
    return [{**event, "request_id": request_id} for event in [*start, *rest]]


def sse(event: Event) -> bytes:
    """Return an event as the agent's stream has it."""
    coded = {key: base64.b64encode(value).decode() if key == "data" else value for key, value in event.items()}
    return f"data: {json.dumps(coded, ensure_ascii=False)}\n\n".encode()


def cancelled(request_id: str) -> Event:
    heard = {"spoken_text": "Grü", "spoken_characters": 3, "audio_sent_s": 0.1}
    return {"type": "cancelled", "request_id": request_id, **heard}


@dataclass
class Spoken:
    """An answer that was asked for."""

    prompt: str
    interrupted: anyio.Event = field(default_factory=anyio.Event)


@dataclass
class ScriptedAgent:
    """An agent's routes. What a prompt says is what happens:

    ``open``: the first half of an answer, and nothing until it is cancelled (then, though the agent sends none, audio
    that was on its way); ``forget``: the same, but no cancel finds it; ``late``: nothing at all until its reader has
    left; ``drop``: the first half, and the connection breaks (of a stream, once ``/break`` is called: what is on its
    way then would be lost with it); ``rest``: on a socket, the whole answer, and the socket is closed in good order;
    ``byte``: the whole answer, a byte at a time; else: the whole answer.
    """

    received: list[Event] = field(default_factory=list)
    """Every message that came, ``{"left": request_id}`` for each stream whose reader left, and ``{"connected": query}``
    and ``{"disconnected": True}`` for each socket."""
    refused_sockets: int = 0
    """How many of the next sockets are turned away."""
    addresses: int = 0
    """How often a presigned address was asked for."""
    _breaks: anyio.Event = field(default_factory=anyio.Event)
    _answers: dict[str, Spoken] = field(default_factory=dict)

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/invocations", self.invoke, methods=["POST"]),
            Route("/presigned", self.presign),
            Route("/received", self.tell),
            Route("/break", self.break_stream, methods=["POST"]),
            Route("/refuse-sockets", self.refuse_sockets, methods=["POST"]),
            WebSocketRoute("/ws", self.talk),
            WebSocketRoute("/signed/{number}", self.talk),
        ]

    async def tell(self, _: Request) -> Response:
        return JSONResponse(self.received)

    async def refuse_sockets(self, request: Request) -> Response:
        self.refused_sockets = int(await request.body())
        return Response()

    async def break_stream(self, _: Request) -> Response:
        self._breaks.set()
        return Response()

    async def presign(self, request: Request) -> Response:
        self.addresses += 1
        self.received.append({"session": request.headers[SESSION], "key": request.headers.get("authorization")})
        return JSONResponse({"url": f"ws://{request.url.netloc}/signed/{self.addresses}"})

    def _cancel(self, request_id: str) -> Event:
        """Interrupt an answer, even one that has come whole: it may still be in the listener's ear.

        Raises:
            UnknownRequest: there is none, or it was interrupted before.
        """
        found = self._answers.get(request_id)
        if found is None or found.prompt == "forget" or found.interrupted.is_set():
            raise UnknownRequest
        found.interrupted.set()
        return cancelled(request_id)

    async def invoke(self, request: Request) -> Response:
        message = await request.json()
        self.received.append(
            {**message, "session": request.headers[SESSION], "key": request.headers.get("authorization")}
        )
        request_id = message["request_id"]
        if message["type"] == "cancel":
            try:
                return JSONResponse(self._cancel(request_id))
            except UnknownRequest as error:
                return error_response(error, request_id)
        spoken = self._answers[request_id] = Spoken(message["prompt"])
        if spoken.prompt == "late":
            await self._unless_left(request, request_id, spoken.interrupted.wait())
            return Response()
        return StreamingResponse(self._stream(request, request_id, spoken), media_type="text/event-stream")

    async def _stream(self, request: Request, request_id: str, spoken: Spoken) -> AsyncIterator[bytes]:
        events = answer(request_id)
        written = b":\n\n" + b"".join(sse(event) for event in events)
        match spoken.prompt:
            case "byte":
                for i in range(len(written)):
                    yield written[i : i + 1]
            case "open" | "forget" | "drop":
                yield b"".join(sse(event) for event in events[:5])
                if spoken.prompt == "drop":
                    await self._breaks.wait()
                    raise ConnectionResetError
                if await self._unless_left(request, request_id, spoken.interrupted.wait()):
                    yield sse(events[5]) + sse(cancelled(request_id))
            case _:
                yield written

    async def _unless_left(self, request: Request, request_id: str, waiting: Awaitable[object]) -> bool:
        """Return whether ``waiting`` ended before the reader left, which is noted."""
        left = False

        async def watch(scope: anyio.CancelScope) -> None:
            nonlocal left
            while (await request.receive())["type"] != "http.disconnect":
                pass
            left = True
            self.received.append({"left": request_id})
            scope.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch, tasks.cancel_scope)
            await waiting
            tasks.cancel_scope.cancel()
        return not left

    async def talk(self, socket: WebSocket) -> None:
        if self.refused_sockets:
            self.refused_sockets -= 1
            await socket.close()
            return
        self.received.append({"connected": dict(socket.query_params), "path": socket.url.path})
        await socket.accept()
        try:
            while socket.application_state is WebSocketState.CONNECTED:
                message = await socket.receive_json()
                self.received.append(message)
                await self._reply(socket, message)
        except WebSocketDisconnect:
            self.received.append({"disconnected": True})

    async def _reply(self, socket: WebSocket, message: Event) -> None:
        match message:
            case {"type": "ping"}:
                await socket.send_json({"type": "pong"})
            case {"type": "cancel", "request_id": request_id}:
                try:
                    told = self._cancel(request_id)
                except UnknownRequest as error:
                    told = {"type": "error", "request_id": request_id, "code": error.code, "message": str(error)}
                else:
                    await socket.send_bytes(PCM[200:])
                await socket.send_json(told)
            case {"type": "prompt", "prompt": prompt, "request_id": request_id}:
                await self._answer(socket, request_id, prompt)

    async def _answer(self, socket: WebSocket, request_id: str, prompt: str) -> None:
        self._answers[request_id] = Spoken(prompt)
        events = answer(request_id)
        for event in events[:5] if prompt in ("open", "drop") else events:
            if event["type"] == "audio_chunk":
                await socket.send_bytes(event["data"])
            else:
                await socket.send_json(event)
        if prompt == "drop":
            await socket.close(1011)
        if prompt == "rest":
            await socket.close(1000)
