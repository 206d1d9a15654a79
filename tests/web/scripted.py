"""A scripted agent and its wire: what an answer is, as events and as bytes, and a server that misbehaves when asked."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

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
class ScriptedAgent:
    """An agent's routes. What a prompt says is what happens:

    ``whole``: the whole answer; ``open``: its first half, and nothing until it is cancelled (then, as a real one may,
    audio that was on its way); ``drop``: its first half, and the connection breaks (of a stream, once ``/break`` is
    called: what is on its way then would be lost with it); ``refuse``: a refusal; ``byte``: the whole answer, a byte
    at a time.
    """

    received: list[Event] = field(default_factory=list)
    """Every message that came, and ``{"connected": query}`` and ``{"disconnected": True}`` for each socket."""
    refused_sockets: int = 0
    """How many of the next sockets are turned away."""
    addresses: int = 0
    """How often a presigned address was asked for."""
    _breaks: asyncio.Event = field(default_factory=asyncio.Event)
    _cancels: dict[str, asyncio.Event] = field(default_factory=dict)

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

    async def invoke(self, request: Request) -> Response:
        message = await request.json()
        self.received.append(
            {**message, "session": request.headers[SESSION], "key": request.headers.get("authorization")}
        )
        request_id = message["request_id"]
        if message["type"] == "cancel":
            if request_id in self._cancels:
                self._cancels[request_id].set()
            return JSONResponse(cancelled(request_id))
        if message["prompt"] == "refuse":
            return JSONResponse({"error": "overloaded", "message": "Not now.", "retryable": True}, status_code=503)
        self._cancels[request_id] = asyncio.Event()
        return StreamingResponse(self._stream(message["prompt"], request_id), media_type="text/event-stream")

    async def _stream(self, prompt: str, request_id: str) -> AsyncIterator[bytes]:
        written = b":\n\n" + b"".join(sse(event) for event in answer(request_id))
        half = b"".join(sse(event) for event in answer(request_id)[:5])
        if prompt == "byte":
            for i in range(len(written)):
                yield written[i : i + 1]
        elif prompt == "whole":
            yield written
        else:
            yield half
            if prompt == "drop":
                await self._breaks.wait()
                raise ConnectionResetError
            await self._cancels[request_id].wait()
            yield sse(answer(request_id)[5]) + sse(cancelled(request_id))

    async def talk(self, socket: WebSocket) -> None:
        if self.refused_sockets:
            self.refused_sockets -= 1
            await socket.close()
            return
        await socket.accept()
        self.received.append({"connected": dict(socket.query_params), "path": socket.url.path})
        try:
            while True:
                message = await socket.receive_json()
                self.received.append(message)
                await self._reply(socket, message)
        except WebSocketDisconnect:
            self.received.append({"disconnected": True})

    async def _reply(self, socket: WebSocket, message: Event) -> None:
        match message:
            case {"type": "cancel"}:
                await socket.send_bytes(PCM[200:])
                await socket.send_json(cancelled(message["request_id"]))
            case {"type": "prompt", "prompt": prompt, "request_id": request_id}:
                events = answer(request_id)
                for event in events if prompt == "whole" else events[:5]:
                    if event["type"] == "audio_chunk":
                        await socket.send_bytes(event["data"])
                    else:
                        await socket.send_json(event)
                if prompt == "drop":
                    await socket.close(1011)
                if prompt == "rest":
                    await socket.send_json(events[-1])
                    await socket.close(1000)
            case _:
                pass
