"""What Amazon Bedrock AgentCore puts before a container, on loopback; the container's application is the real one."""

import json
import re
from dataclasses import dataclass, field

import anyio
import anyio.lowlevel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from primavoce.agent.app import AgentService
from primavoce.agent.identity import SESSION_HEADER

REGION, ACCOUNT = "eu-west-1", "123456789012"
ARN = f"arn:aws:bedrock-agentcore:{REGION}:{ACCOUNT}:runtime/voice-AbCdEf1234"
HOST = f"bedrock-agentcore.{REGION}.amazonaws.com"
KEY_ID, SECRET_KEY = "AKIDOFATEST", "the-secret-of-a-test"
LISTENER = "listener-" + "0" * 30
SCOPE = re.compile(rf"{KEY_ID}/\d{{8}}/{REGION}/bedrock-agentcore/aws4_request")


@dataclass
class Seen:
    """A message that reached the service."""

    arn: str
    session: str
    accept: str
    qualifier: str | None
    body: bytes

    @property
    def message(self) -> dict:
        return json.loads(self.body)


@dataclass
class DataPlane:
    """What the service puts before a container."""

    service: AgentService
    agent: Starlette
    tasks: anyio.abc.TaskGroup
    seen: list[Seen] = field(default_factory=list)
    refusals: list[tuple[int, str]] = field(default_factory=list)
    """The status and the kind of what is said instead of the next answers."""
    breaks_off_after: int | None = None
    """Events of an answer, after which it is cut in the middle of one."""
    stalls_after: int | None = None
    """Events of an answer, after which nothing more comes."""
    words: str | None = None
    """What the service says to a prompt, in the place of the agent."""
    media_type: str | None = None
    """Of answers, if not their own."""

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/runtimes/{arn:path}/invocations", self.invocation, methods=["POST"]),
                WebSocketRoute("/runtimes/{arn:path}/ws", self.socket),
            ]
        )

    async def invocation(self, request: Request) -> Response:
        signed = request.headers.get("authorization", "")
        if not (signed.startswith("AWS4-HMAC-SHA256 ") and SCOPE.search(signed) and "Signature=" in signed):
            return _refused(403, "MissingAuthenticationTokenException")
        assert "%2F" in request.scope["raw_path"].decode()  # the ARN is one part of the path
        session = request.headers[SESSION_HEADER]
        seen = Seen(
            request.path_params["arn"],
            session,
            request.headers["accept"],
            request.query_params.get("qualifier"),
            await request.body(),
        )
        self.seen.append(seen)
        if self.refusals:
            return _refused(*self.refusals.pop(0))
        if self.words is not None and seen.message.get("type") != "cancel":
            return Response(self.words, media_type=self.media_type or "text/event-stream")
        return Passed(self, seen)

    async def socket(self, socket: WebSocket) -> None:
        query = socket.query_params
        if not (
            query["X-Amz-Algorithm"] == "AWS4-HMAC-SHA256"
            and SCOPE.fullmatch(query["X-Amz-Credential"])
            and 0 < int(query["X-Amz-Expires"]) <= 300
            and re.fullmatch(r"\d{8}T\d{6}Z", query["X-Amz-Date"])
            and re.fullmatch(r"[0-9a-f]{64}", query["X-Amz-Signature"])
            and query["X-Amz-SignedHeaders"] == "host"
            and socket.headers["host"] == HOST
        ):
            await socket.close()
            return
        await self.service.socket(socket)


class Passed(Response):
    """What the container answers; whether anybody reads it, the container doesn't learn."""

    def __init__(self, plane: DataPlane, seen: Seen) -> None:
        super().__init__()
        self._plane = plane
        self._seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        into, out = anyio.create_memory_object_stream[Message](float("inf"))
        asked: Message = {"type": "http.request", "body": self._seen.body, "more_body": False}
        inner = {
            "type": "http",
            "asgi": scope["asgi"],
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/invocations",
            "raw_path": b"/invocations",
            "query_string": b"",
            "root_path": "",
            "headers": [(SESSION_HEADER.lower().encode(), self._seen.session.encode()), (b"host", b"localhost")],
            "client": None,
            "server": None,
        }
        given = False

        async def once() -> Message:
            nonlocal given
            if given:
                await anyio.sleep_forever()
            given = True
            return asked

        async def put(message: Message) -> None:
            try:
                await into.send(message)
            except anyio.BrokenResourceError:
                await anyio.lowlevel.checkpoint()

        async def run() -> None:
            with into:
                await self._plane.agent(inner, once, put)

        with out:
            self._plane.tasks.start_soon(run)
            began = await out.receive()
            if began["status"] >= 400:
                async for _ in out:
                    pass
                await _refused(424, "RuntimeClientError")(scope, receive, send)
                return
            if self._plane.media_type is not None:
                began["headers"] = [(b"content-type", self._plane.media_type.encode())]
            await send(began)
            passed = 0
            async for message in out:
                if passed == self._plane.breaks_off_after and b"cancel" not in self._seen.body:
                    await send({**message, "body": message["body"][:20], "more_body": True})
                    raise ConnectionAbortedError
                if passed == self._plane.stalls_after:
                    while (await receive())["type"] != "http.disconnect":
                        pass
                    return
                await send(message)
                passed += 1


def _refused(status: int, kind: str) -> Response:
    told = f"User: arn:aws:sts::{ACCOUNT}:assumed-role/x may not; request 7f"
    return JSONResponse({"message": told}, status, headers={"x-amzn-ErrorType": kind})
