"""Deepgram's words: a session in them, and a whole request.

What is said is decided in `primavoce.protocol.deepgram`; here is nothing but the way from and to the socket. Limits,
patience, draining, what is logged and counted are those of every session.
"""

import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from primavoce.errors import InvalidRequest, TextRequired
from primavoce.protocol.codec import explain
from primavoce.protocol.deepgram import Closing, DeepgramSession, Warned, Word, deepgram_error, encode_word
from primavoce.protocol.deepgram_query import session_query, whole_query
from primavoce.protocol.messages import AnyServerMessage, Error
from primavoce.server.bodies import Bodies
from primavoce.server.dialects.invoking import InvokingRoute, Translate, Translated, with_headers
from primavoce.server.gate import DENIAL
from primavoce.server.lobby import Lobby
from primavoce.server.observation import Observer
from primavoce.server.refusal import status_of
from primavoce.server.session import SessionPolicy, SessionShell
from primavoce.server.wire import Wire
from primavoce.synthesis.engine import Engine

SPEAK_PATH = "/v1/speak"
REQUEST_ID = "dg-request-id"
"""The header in which Deepgram's clients look for the id of a request or a session."""
ERROR = "dg-error"
"""The header in which they look for the reason why there is no session."""
MODEL_NAME = "dg-model-name"
"""The header that names who speaks."""
CHARACTERS = "dg-char-count"
"""The header that says how long the text is."""

log = structlog.get_logger("primavoce.session")


class SpeakRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The body of ``POST /v1/speak``; what else is in it is left alone, as dialects do."""

    text: str


class DeepgramWire(Wire):
    """A wire whose client hears and says Deepgram's words.

    Args:
        socket: Not yet accepted.
        dialect: Translates.
        session_id: For the log.
        send_timeout_s: Seconds that the client may not take a frame.
        told: Told of each of our messages that went out, in whatever words.
    """

    def __init__(
        self,
        socket: WebSocket,
        *,
        dialect: DeepgramSession,
        session_id: str,
        send_timeout_s: float,
        told: Callable[[AnyServerMessage], None],
    ) -> None:
        super().__init__(socket, session_id=session_id, send_timeout_s=send_timeout_s, told=told)
        self._dialect = dialect
        self._words: deque[Word | Closing] = deque(dialect.greeting())
        self._translated: AnyServerMessage | None = None

    async def accept(self) -> None:
        """Take the client in."""
        name = self._dialect.request_id
        await self._socket.accept(headers=[(REQUEST_ID.encode("ascii"), name.encode("ascii"))])

    async def receive(self) -> str | bytes:
        """Return what the client's next frame is in our words.

        Raises:
            ReaderGone: there will be none.
        """
        await self._say(())
        frame, replies = self._dialect.receive(await super().receive())
        await self._say(replies)
        return frame

    async def _say(self, words: Iterable[Word]) -> None:
        self._words.extend(words)
        if self._words:
            await self._transmit(self._write, None)

    async def _put(self, message: AnyServerMessage) -> None:
        # It comes again if whoever sent it was cancelled: what was said of it then is not said again.
        if message is not self._translated:
            self._words.extend(self._dialect.tell(message))
            self._translated = message
        await self._write()
        if isinstance(message, Error) and message.fatal:
            self._told(message)

    async def _write(self) -> None:
        while self._words:
            word = self._words[0]
            if isinstance(word, Closing):
                await self._socket.close(word.code, word.reason)
            else:
                await self._socket.send_text(encode_word(word))
                if isinstance(word, Warned):
                    self._told(word.as_error())
            self._words.popleft()


def deepgram_routes(
    engine: Engine,
    lobby: Lobby,
    observer: Observer,
    invocations: ASGIApp,
    bodies: Bodies,
    policy: SessionPolicy,
) -> list[BaseRoute]:
    """Return the routes of Deepgram's dialect.

    Args:
        engine: Speaks in sessions.
        lobby: Counts who is in.
        observer: Is told what happens.
        invocations: Answers ``POST /invocations``.
        bodies: Reads what is asked; the server's.
        policy: Limits, patience and clocks of a session.
    """
    whole = InvokingRoute(
        invocations,
        bodies,
        observer,
        translate=spoken_whole(policy.default_voice),
        make_id=make_id,
        id_header=REQUEST_ID,
    )
    return [
        WebSocketRoute(SPEAK_PATH, speaking(engine, lobby, observer, policy)),
        Route(SPEAK_PATH, whole, methods=["POST"]),
    ]


def speaking(
    engine: Engine, lobby: Lobby, observer: Observer, policy: SessionPolicy
) -> Callable[[WebSocket], Awaitable[None]]:
    """Return what serves ``WS /v1/speak``.

    Args:
        engine: Speaks.
        lobby: Counts who is in.
        observer: Is told what happens.
        policy: Limits, patience and clocks.
    """

    async def session(socket: WebSocket) -> None:
        request_id = make_id()
        try:
            asked = session_query(socket.query_params, default_voice=policy.default_voice)
        except InvalidRequest as error:
            observer.error_told(error.code)
            # Behind SageMaker, whose front forwards nothing of a refusal, it is told here alone.
            log.info("session refused", request_id=request_id, code=error.code, reason=str(error))
            await refuse(socket, error, request_id)
            return
        limits = policy.limits
        dialect = DeepgramSession(
            asked,
            request_id=request_id,
            max_message_bytes=limits.max_message_bytes,
            idle_s=limits.idle_s,
            clock=policy.clock,
        )
        with observer.session(socket.headers) as watching:
            await SessionShell(socket, engine, policy, watching, partial(DeepgramWire, dialect=dialect)).run(lobby)

    return session


async def refuse(socket: WebSocket, error: InvalidRequest, request_id: str) -> None:
    """Answer a handshake with the reason why there is no session."""
    if DENIAL not in socket.scope.get("extensions", {}):
        await socket.close()
        return
    status = status_of(type(error))
    body = deepgram_error(error, error.code, status, request_id)
    headers = {REQUEST_ID: request_id, ERROR: str(error).encode("ascii", "replace").decode()}
    await socket.send_denial_response(JSONResponse(body, status, headers=headers))


def spoken_whole(default_voice: str) -> Translate:
    """Return what puts a request of ``POST /v1/speak`` into our words.

    Args:
        default_voice: Speaks unless another is asked for.
    """

    def translated(request: Request, found: Mapping[str, object], request_id: str) -> Translated:
        asked = whole_query(request.query_params, default_voice=default_voice)
        try:
            text = msgspec.convert(found, SpeakRequest).text
        except msgspec.ValidationError as error:
            raise explain(str(error)) from error
        if not text.strip():
            raise TextRequired
        invocation = {
            "request_id": request_id,
            "text": text,
            "voice": asked.voice,
            "format": asked.format,
            "sample_rate": asked.sample_rate,
            "speed": asked.speed,
        }
        headers = {MODEL_NAME: asked.voice, CHARACTERS: str(len(text))}
        return Translated(invocation, partial(with_headers, headers=headers))

    return translated


def make_id() -> str:
    """Return an id for a request or a session, of the kind that Deepgram's have."""
    return str(uuid.uuid4())
