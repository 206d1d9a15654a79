"""OpenAI's words."""

import uuid
from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from primavoce.errors import InvalidField, PrimavoceError, TextRequired, UnsupportedFormat
from primavoce.protocol.codec import explain
from primavoce.server.bodies import Bodies
from primavoce.server.dialects.invoking import InvokingRoute, Translated
from primavoce.server.dialects.openai_events import in_their_events
from primavoce.server.dialects.openai_voices import KOKORO, MODELS, known_model, kokoro_voice, model_object
from primavoce.server.observation import Observer
from primavoce.server.refusal import error_response
from primavoce.voices.catalogue import VOICES

SPEECH_PATH = "/v1/audio/speech"
VOICES_PATH = "/v1/audio/voices"
MODELS_PATH = "/v1/models"
MODEL_PATH = "/v1/models/{model}"

RESPONSE_FORMATS = ("mp3", "opus", "flac", "wav", "pcm")
"""OpenAI's, without AAC."""
STREAM_FORMATS = ("audio", "sse")
OURS = ("language", "sample_rate", "request_timestamp", "emoji", "code", "tables", "lexicon")
"""Fields of an invocation that OpenAI has none for; they may stand in a request, and mean what they mean there."""


def openai_routes(invocations: ASGIApp, bodies: Bodies, observer: Observer) -> list[Route]:
    """Return the routes of OpenAI's dialect.

    Args:
        invocations: Answers ``POST /invocations``.
        bodies: Reads what is asked; the server's.
        observer: Is told what happens before that is asked.
    """
    speech = InvokingRoute(
        invocations, bodies, observer, translate=translated, make_id=make_id, id_header="x-request-id"
    )
    return [
        Route(SPEECH_PATH, speech, methods=["POST"]),
        Route(VOICES_PATH, voices),
        Route(MODELS_PATH, models),
        Route(MODEL_PATH, model),
    ]


class VoiceId(msgspec.Struct, frozen=True):
    """A voice by its id, as OpenAI names those that customers make."""

    id: str


class SpeechRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The body of ``POST /v1/audio/speech``; what else is in it is left alone, as dialects do."""

    input: str
    model: str = KOKORO
    voice: str | VoiceId | None = None
    response_format: str | None = None
    """One of `RESPONSE_FORMATS`; mp3 unless given."""
    speed: float | None = None
    stream_format: str | None = None
    """One of `STREAM_FORMATS`; audio unless given."""
    instructions: str | None = None
    """How to speak: nothing that Kokoro could follow, nor do OpenAI's own older models."""


def speech_request_in(found: Mapping[str, object]) -> SpeechRequest:
    """Return the request that a parsed body is.

    Raises:
        InvalidRequest: it is none that can be done.
    """
    try:
        asked = msgspec.convert(found, SpeechRequest)
    except msgspec.ValidationError as error:
        if "`$.voice" in str(error):
            raise InvalidField("voice", "must be a name, or an object with an 'id'") from error
        raise explain(str(error)) from error
    known_model(asked.model)
    if not asked.input.strip():
        raise TextRequired
    if asked.response_format not in (None, *RESPONSE_FORMATS):
        raise UnsupportedFormat(RESPONSE_FORMATS)
    if asked.stream_format not in (None, *STREAM_FORMATS):
        raise InvalidField("stream_format", "must be 'audio' or 'sse'")
    return asked


def invocation_of(asked: SpeechRequest, found: Mapping[str, object], request_id: str) -> dict[str, object]:
    """Return the body of the invocation that says the same.

    Args:
        asked: OpenAI's.
        found: What it was read from, for what is `OURS`.
        request_id: Its id.
    """
    voice = asked.voice.id if isinstance(asked.voice, VoiceId) else asked.voice
    return {
        **{name: found[name] for name in OURS if name in found},
        "request_id": request_id,
        "text": asked.input,
        "voice": None if voice is None else kokoro_voice(voice),
        "format": asked.response_format or RESPONSE_FORMATS[0],
        "speed": asked.speed,
        "transport": "sse" if asked.stream_format == "sse" else "binary",
    }


def translated(_: Request, found: Mapping[str, object], request_id: str) -> Translated:
    """Return a request of ``POST /v1/audio/speech`` in our words.

    Args:
        found: Its body.
        request_id: Its id.

    Raises:
        InvalidRequest: it is none that can be done.
    """
    return Translated(invocation_of(speech_request_in(found), found, request_id), in_their_events)


def make_id() -> str:
    """Return an id for a request, of the kind that OpenAI's have."""
    return f"req_{uuid.uuid4().hex}"


async def models(_: Request) -> Response:
    """List the model by each of its names."""
    return JSONResponse({"object": "list", "data": [model_object(name) for name in MODELS]})


async def model(request: Request) -> Response:
    """Tell of a model, or that there is none of that name."""
    try:
        return JSONResponse(model_object(known_model(request.path_params["model"])))
    except PrimavoceError as error:
        return error_response(error)


async def voices(request: Request) -> Response:
    """List Kokoro's voices as Kokoro-FastAPI does, whose clients ask for them here; ``legacy=true``: their names."""
    if request.query_params.get("legacy") == "true":
        return JSONResponse({"voices": list(VOICES)})
    told = [
        {"id": voice.name, "name": voice.name, "language": voice.language, "gender": voice.gender}
        for voice in VOICES.values()
    ]
    return JSONResponse({"voices": told})
