"""HTTP: one text in, its audio out, streamed as it is made."""

import logging
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import anyio
import msgspec
import structlog
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from primavoce.errors import (
    Draining,
    InvalidField,
    InvalidRequest,
    PrimavoceError,
    TextRequired,
    TextTooLong,
    Unavailable,
)
from primavoce.normalize.lexicon import MOST_CLIENT_ENTRIES, Lexicon, lexicon_of
from primavoce.phonemes.alphabet import ALPHABET
from primavoce.protocol.codec import Rejected, decode_json, explain, invalid_id, usable_id
from primavoce.protocol.messages import Options
from primavoce.protocol.options import SpeechOptions, check_age, resolve_options
from primavoce.server.answer import Answer, AnswerBounds
from primavoce.server.bodies import Bodies
from primavoce.server.deliveries import Delivery, InOnePiece, Streamed
from primavoce.server.event_stream import EventStream
from primavoce.server.lobby import Lobby
from primavoce.server.observation import Observer
from primavoce.server.refusal import error_response, told_instead_of
from primavoce.server.voicing import owner_of
from primavoce.synthesis.engine import Engine

NOT_BLANK = r"[^\s\x1c-\x1f\x85]"
"""What text must have one of, as a regular expression of ECMAScript's, to which less is blank than to `str.strip`."""

log = structlog.get_logger("primavoce.http")


class Invocation(Options, frozen=True, kw_only=True, tag="synthesize"):
    """The body of ``POST /invocations``."""

    text: str
    stream: bool = True
    """False for one body with true sizes."""
    transport: Literal["binary", "sse"] = "binary"
    """The audio's own bytes, or server-sent events that carry them in base64."""
    lexicon: dict[str, str | dict[str, str]] = msgspec.field(default_factory=dict)
    """Word → phonemes between slashes, or other words to say; or a language → such words in that language alone."""


@dataclass(frozen=True, slots=True)
class HttpPolicy:
    """What a request may ask for, and for how long it is waited."""

    default_voice: str
    lexicon: Lexicon
    max_message_bytes: int
    max_text_characters: int
    max_request_age_s: float
    receive_timeout_s: float
    send_timeout_s: float
    bounds: AnswerBounds
    wall_clock: Callable[[], float] = time.time


def object_in(body: bytes) -> dict[str, object]:
    """Return the JSON object that a body is.

    Raises:
        InvalidRequest: it isn't one.
    """
    found = decode_json(body)
    if isinstance(found, Rejected):
        raise found.error
    return found


def invocation_in(found: dict[str, object]) -> Invocation:
    """Return the invocation that a parsed body is.

    Raises:
        InvalidRequest: it is none.
    """
    if found.get("type", "synthesize") != "synthesize":
        raise InvalidField("type", "may only be 'synthesize' here")
    try:
        invocation = msgspec.convert({**found, "type": "synthesize"}, Invocation)
    except msgspec.ValidationError as error:
        raise explain(str(error)) from error
    if invocation.request_id is not None and usable_id(invocation.request_id) is None:
        raise invalid_id()
    if not invocation.text.strip():
        raise TextRequired
    if invocation.transport == "sse" and not invocation.stream:
        raise InvalidField("stream", "can't be false with the transport 'sse', whose events come as audio is made")
    if invocation.events:
        raise InvalidField("events", "are offered in a session, not here")
    return invocation


class InvocationRoute:
    """``POST /invocations``.

    Args:
        engine: Speaks.
        lobby: Counts who is in.
        bodies: Reads what is asked; the server's.
        observer: Is told what happens.
        policy: Limits, patience and the clock.
    """

    def __init__(self, engine: Engine, lobby: Lobby, bodies: Bodies, observer: Observer, policy: HttpPolicy) -> None:
        self._engine = engine
        self._lobby = lobby
        self._bodies = bodies
        self._observer = observer
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        policy = self._policy
        request_id: str | None = None
        answer: Answer | None = None
        try:
            # Outside the lobby: a body that never ends must hold nobody's place.
            found = object_in(await self._bodies.read(Request(scope, receive)))
            arrived_at = self._observer.clock()
            request_id = usable_id(found.get("request_id"))
            with anyio.CancelScope() as stay, self._lobby.visit(cut=stay.cancel):
                invocation = invocation_in(found)
                if invocation.transport == "sse" and request_id is None:
                    request_id = uuid.uuid4().hex  # its events carry one
                options = self._options(invocation)
                self._check_age(options)
                answer = Answer(
                    self._engine,
                    options,
                    invocation.text,
                    delivery=self._delivery(invocation, options, request_id or ""),
                    max_utterance_s=policy.bounds.max_utterance_s,
                    check=lambda: self._check_age(options),
                    owner=owner_of(scope),
                )
                with self._observer.request(
                    options,
                    request_id=request_id,
                    characters=len(invocation.text),
                    arrived_at=arrived_at,
                    headers=Headers(scope=scope),
                ) as watch:
                    await answer.send(receive, self._patient(send), watch)
            if stay.cancelled_caught:
                raise Draining
        except (ClientDisconnect, TimeoutError):
            log.info("client left, or took nothing for too long", request_id=request_id)
        except PrimavoceError as error:
            self._observer.error_told(told_instead_of(error).code)
            if not isinstance(error, InvalidRequest):
                level = logging.WARNING if isinstance(error, Unavailable) else logging.ERROR
                log.log(level, "invocation failed", request_id=request_id, code=error.code, reason=str(error))
            if answer is None or not answer.started:
                await error_response(error, request_id)(scope, receive, send)
            else:
                with suppress(TimeoutError):  # who takes nothing can't be told
                    await answer.break_off(error, self._patient(send))

    def _patient(self, send: Send) -> Send:
        async def patient(message: Message) -> None:
            with anyio.fail_after(self._policy.send_timeout_s):
                await send(message)

        return patient

    def _delivery(self, invocation: Invocation, options: SpeechOptions, request_id: str) -> Delivery:
        bounds = self._policy.bounds
        characters, most = len(invocation.text), bounds.max_write_bytes
        if invocation.transport == "sse":
            return EventStream(options, request_id=request_id, characters=characters, max_write_bytes=most)
        if invocation.stream:
            return Streamed(options, max_write_bytes=most)
        return InOnePiece(
            options, characters=characters, max_answer_bytes=bounds.max_answer_bytes, max_write_bytes=most
        )

    def _options(self, invocation: Invocation) -> SpeechOptions:
        policy = self._policy
        if len(invocation.text) > policy.max_text_characters:
            raise TextTooLong(policy.max_text_characters)
        words = lexicon_of(invocation.lexicon, ALPHABET, most=MOST_CLIENT_ENTRIES)
        return resolve_options(
            invocation,
            default_format="wav",
            default_voice=policy.default_voice,
            lexicon=policy.lexicon.extended_by(words),
        )

    def _check_age(self, options: SpeechOptions) -> None:
        policy = self._policy
        check_age(options.request_timestamp, now=policy.wall_clock(), limit_s=policy.max_request_age_s)
