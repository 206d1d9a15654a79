"""HTTP: one text in, its audio out, streamed as it is made."""

import time
from collections.abc import Callable
from typing import Literal

import anyio
import anyio.lowlevel
import msgspec
import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from primavoce.audio.wav import header, streaming_header
from primavoce.errors import (
    Draining,
    InvalidField,
    InvalidRequest,
    MessageTooLarge,
    Overloaded,
    PrimavoceError,
    RequestIncomplete,
    RequestStale,
    SynthesisError,
    SynthesisFailed,
    TextRequired,
    TextTooLong,
    TooManyRequests,
    lone_error,
)
from primavoce.normalize.lexicon import MOST_CLIENT_ENTRIES, Lexicon, lexicon_of
from primavoce.phonemes.alphabet import ALPHABET
from primavoce.protocol.codec import Rejected, decode_json, explain, invalid_id, usable_id
from primavoce.protocol.messages import Options
from primavoce.protocol.options import NO_LEXICON, SpeechOptions, check_age, resolve_options
from primavoce.protocol.utterance import SLICE
from primavoce.server.lobby import Lobby
from primavoce.server.voicing import voicing
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.segment import SpeechPart
from primavoce.synthesis.speech import Speech
from primavoce.text import SentenceStream

MEDIA_TYPES = {"wav": "audio/wav", "pcm": "audio/pcm"}
STATUS: tuple[tuple[type[PrimavoceError], int], ...] = (
    (RequestStale, 408),
    (RequestIncomplete, 408),
    (TextTooLong, 413),
    (MessageTooLarge, 413),
    (TooManyRequests, 429),
    (Overloaded, 503),
    (Draining, 503),
    (InvalidRequest, 400),
)
"""The status of an error: of the first class that it belongs to; 500 of any other."""
RETRY_AFTER_S = 1

log = structlog.get_logger("primavoce.http")


class Invocation(Options, frozen=True, kw_only=True, tag="synthesize"):
    """The body of ``POST /invocations``."""

    text: str
    stream: bool = True
    """False for one body with true sizes."""
    transport: Literal["binary", "sse"] = "binary"
    lexicon: dict[str, str | dict[str, str]] = msgspec.field(default_factory=dict)
    """Word → phonemes between slashes, or other words to say; or a language → such words in that language alone."""


def error_response(error: PrimavoceError, request_id: str | None = None) -> JSONResponse:
    """Return the answer that tells a client of ``error``."""
    status = next((status for kind, status in STATUS if isinstance(error, kind)), 500)
    told = error if isinstance(error, InvalidRequest | SynthesisError) or status == 503 else SynthesisFailed()
    body = {"error": told.code, "message": str(told), "request_id": request_id, "retryable": told.retryable}
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status in (429, 503) else None
    return JSONResponse(body, status, headers=headers)


async def read_invocation(request: Request, *, limit_bytes: int) -> Invocation:
    """Read and check the body of ``request``.

    Raises:
        InvalidRequest: it isn't what it should be.
    """
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > limit_bytes:
            raise MessageTooLarge(limit_bytes)
    found = decode_json(bytes(body))
    if isinstance(found, Rejected):
        raise found.error
    if found.pop("type", "synthesize") != "synthesize":
        raise InvalidField("type", "may only be 'synthesize' here")
    try:
        invocation = msgspec.convert({**found, "type": "synthesize"}, Invocation)
    except msgspec.ValidationError as error:
        raise explain(str(error)) from error
    if invocation.request_id is not None and usable_id(invocation.request_id) is None:
        raise invalid_id()
    if not invocation.text.strip():
        raise TextRequired
    if invocation.transport != "binary":
        raise InvalidField("transport", "only 'binary' is offered by this server")
    if invocation.events:
        raise InvalidField("events", "are offered in a session, not here")
    return invocation


class InvocationRoute:
    """``POST /invocations``.

    Args:
        engine: Speaks.
        lobby: Counts who is in.
        settings: The parts of them that matter here.
    """

    def __init__(
        self,
        engine: Engine,
        lobby: Lobby,
        *,
        default_voice: str,
        limit_bytes: int,
        limit_characters: int,
        limit_age_s: float,
        send_timeout_s: float,
        lexicon: Lexicon = NO_LEXICON,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._engine = engine
        self._lobby = lobby
        self._default_voice = default_voice
        self._limit_bytes = limit_bytes
        self._limit_characters = limit_characters
        self._limit_age_s = limit_age_s
        self._send_timeout_s = send_timeout_s
        self._lexicon = lexicon
        self._wall_clock = wall_clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request_id: str | None = None
        answer: Answer | None = None
        try:
            # Outside the lobby: a body that never ends must hold nobody's place.
            with anyio.move_on_after(self._send_timeout_s) as patience:
                invocation = await read_invocation(Request(scope, receive), limit_bytes=self._limit_bytes)
            if patience.cancelled_caught:
                raise RequestIncomplete(self._send_timeout_s)
            with self._lobby.visit():
                request_id = invocation.request_id
                if len(invocation.text) > self._limit_characters:
                    raise TextTooLong(self._limit_characters)
                lexicon = self._lexicon.extended_by(lexicon_of(invocation.lexicon, ALPHABET, most=MOST_CLIENT_ENTRIES))
                options = resolve_options(
                    invocation, default_format="wav", default_voice=self._default_voice, lexicon=lexicon
                )
                self._check_age(options)
                answer = Answer(self._engine, options, invocation, lambda: self._check_age(options))
                await answer.send(receive, self._patient(send))
        except (ClientDisconnect, TimeoutError):
            log.info("client left, or took nothing for too long", request_id=request_id)
        except PrimavoceError as error:
            if not isinstance(error, InvalidRequest):
                log.error(  # noqa: TRY400 - an error of ours says all in one line
                    "invocation failed", request_id=request_id, code=error.code, reason=str(error)
                )
            # Once audio has gone out, breaking off is the only way left to say that it isn't whole.
            if answer is None or not answer.started:
                await error_response(error, request_id)(scope, receive, send)

    def _patient(self, send: Send) -> Send:
        async def patient(message: Message) -> None:
            with anyio.fail_after(self._send_timeout_s):
                await send(message)

        return patient

    def _check_age(self, options: SpeechOptions) -> None:
        check_age(options.request_timestamp, now=self._wall_clock(), limit_s=self._limit_age_s)


class Answer:
    """The audio of one invocation; the status is decided only when the first part exists.

    Args:
        engine: Speaks.
        options: How.
        invocation: What.
        check: Called when the work starts; raises if it is no longer wanted.
    """

    def __init__(
        self, engine: Engine, options: SpeechOptions, invocation: Invocation, check: Callable[[], None]
    ) -> None:
        self._engine = engine
        self._options = options
        self._invocation = invocation
        self._check = check
        self.started = False
        """Whether the status has gone out."""

    async def send(self, receive: Receive, send: Send) -> None:
        """Speak and send; stops when the client leaves.

        Raises:
            PrimavoceError: nothing was sent yet; the caller answers.
            ClientDisconnect: the client has left.
        """
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_watch_client, receive)
                async with self._engine.speaking(voicing(self._options)) as speech:
                    self._check()
                    tasks.start_soon(_feed, speech, self._invocation.text, self._options.language)
                    await (self._stream(speech, send) if self._invocation.stream else self._collect(speech, send))
                tasks.cancel_scope.cancel()

    async def _stream(self, speech: Speech, send: Send) -> None:
        first = await anext(speech, None)
        wav = self._options.format == "wav"
        self.started = True
        await _start(send, {"content-type": MEDIA_TYPES[self._options.format]})
        lead = streaming_header(self._options.sample_rate) if wav else b""
        if first is not None:
            await _body(send, lead + first.pcm, more=True)
            async for part in speech:
                await _body(send, part.pcm, more=True)
        await _body(send, lead if first is None else b"", more=False)

    async def _collect(self, speech: Speech, send: Send) -> None:
        parts: list[SpeechPart] = [part async for part in speech]
        pcm = b"".join(part.pcm for part in parts)
        audio_s, work_s = sum(part.duration_s for part in parts), sum(part.work_s for part in parts)
        wav = self._options.format == "wav"
        headers = {
            "content-type": MEDIA_TYPES[self._options.format],
            "x-audio-duration": f"{audio_s:.3f}",
            "x-inference-time-ms": f"{work_s * 1000:.1f}",
            "x-rtf": f"{work_s / audio_s:.4f}" if audio_s else "0",
            "x-characters-processed": str(len(self._invocation.text)),
        }
        body = (header(len(pcm), self._options.sample_rate) if wav else b"") + pcm
        self.started = True
        await _start(send, {**headers, "content-length": str(len(body))})
        await _body(send, body, more=False)


async def _feed(speech: Speech, text: str, language: str) -> None:
    """Say the sentences of ``text``, looking for them slice by slice so that nobody waits for a long one."""
    stream = SentenceStream(language)
    for start in range(0, len(text), SLICE):
        for sentence in stream.push(text[start : start + SLICE]):
            await speech.say(sentence)
        await anyio.lowlevel.checkpoint()
    for sentence in stream.flush():
        await speech.say(sentence)
    await speech.finish()


async def _watch_client(receive: Receive) -> None:
    """Wait for the client to leave; a request that was read whole has nothing else to receive."""
    while (await receive())["type"] != "http.disconnect":
        pass
    raise ClientDisconnect


async def _start(send: Send, headers: dict[str, str]) -> None:
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": raw})


async def _body(send: Send, body: bytes, *, more: bool) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})
