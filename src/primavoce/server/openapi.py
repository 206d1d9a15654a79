"""What the HTTP routes take and answer, for programs: a document in OpenAPI 3.1.

Types, limits, codes and statuses are those that the routes themselves use; nothing of them is written twice. The
session is no HTTP and not in it: ``docs/protocol.md`` has both.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import primavoce
from primavoce.audio.formats import ALL_RATES, FORMATS
from primavoce.errors import (
    AccessRefused,
    DuplicateRequest,
    MethodNotAllowed,
    Overloaded,
    PrimavoceError,
    SessionClosing,
    SessionExpired,
    Unauthorized,
    UnknownModel,
    UnknownRequest,
    UnknownRoute,
)
from primavoce.protocol.codec import MAX_ID_LENGTH
from primavoce.protocol.options import HIGHEST_SPEED, LOWEST_SPEED, SAMPLE_RATES, SESSION_FORMATS
from primavoce.server.dialects.deepgram import SpeakRequest
from primavoce.server.dialects.deepgram_document import (
    SPEAK_FIELDS,
    DeepgramErrorBody,
    deepgram_paths,
    told_to_deepgram,
)
from primavoce.server.dialects.openai import SpeechRequest
from primavoce.server.dialects.openai_document import (
    SPEECH_FIELDS,
    ModelList,
    OpenAIErrorBody,
    openai_paths,
    told_to_openai,
    with_ours,
)
from primavoce.server.event_stream import MEDIA_TYPE
from primavoce.server.http import NOT_BLANK, Invocation
from primavoce.server.page import PageInfo, PublicInfo, is_page_path
from primavoce.server.page_document import page_paths
from primavoce.server.refusal import OF_SPEECH, QUEUE_SATURATED, status_of

type Document = dict[str, Any]

OPENAPI_PATH = "/openapi.json"
JSON = "application/json"
REFERENCE = "#/components/schemas/{name}"
SESSION_ONLY = (DuplicateRequest, SessionClosing, SessionExpired, UnknownRequest)
"""What only a session can be told."""
NO_ROUTE = (MethodNotAllowed, UnknownRoute)
"""What is told where there is no route."""
DIALECT_ONLY = (UnknownModel,)
"""What only a dialect tells."""
MEANINGS = {
    400: "It can't be done as asked.",
    401: "No API key that the server knows.",
    403: "A web page that may not speak to the server.",
    404: "There is nothing of that name.",
    408: "Older than the limit, or it didn't come whole in time.",
    413: "Too long, or too large.",
    421: "The server is called by another name.",
    429: "Too many wait already.",
    500: "Our fault.",
    503: "The server can't take it now.",
}
FIGURES: Document = {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}
RETRY_AFTER: Document = {"description": "Seconds to wait.", "required": True, "schema": {"type": "string"}}
PING_STATES = {200: ("ready",), 503: ("loading", "draining", "stuck")}


class ErrorBody(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no other answer."""

    error: str
    """A code; `docs/protocol.md` lists them."""
    message: str
    request_id: str | None
    retryable: bool


def openapi_route(*, metrics: bool, keys: bool, page: bool = True) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers ``GET /openapi.json``.

    Args:
        metrics: Whether there is ``/metrics``.
        keys: Whether an API key is asked for.
        page: Whether there is the page.
    """
    made = document(metrics=metrics, keys=keys, page=page)

    async def answer(_: Request) -> Response:
        return JSONResponse(made)

    return answer


def document(*, metrics: bool, keys: bool, page: bool = True) -> Document:
    """Return the document.

    Args:
        metrics: Whether there is ``/metrics``.
        keys: Whether an API key is asked for.
        page: Whether there is the page.
    """
    _, schemas = msgspec.json.schema_components(
        [Invocation, ErrorBody, SpeechRequest, OpenAIErrorBody, ModelList, SpeakRequest, DeepgramErrorBody],
        ref_template=REFERENCE,
    )
    schemas["Invocation"] = _invocation(schemas["Invocation"])
    schemas["SpeechRequest"] = with_ours(_narrowed(schemas["SpeechRequest"], SPEECH_FIELDS), schemas["Invocation"])
    openai = openai_paths(
        speech=_refusals(codes_by_status(*OF_SPEECH, UnknownModel), told_to_openai),
        lists=_refusals(codes_by_status(AccessRefused), told_to_openai),
        model=_refusals(codes_by_status(AccessRefused, UnknownModel), told_to_openai),
    )
    schemas["SpeakRequest"] = _narrowed(schemas["SpeakRequest"], SPEAK_FIELDS)
    deepgram = deepgram_paths(speak=_refusals(codes_by_status(), told_to_deepgram))
    paths: Document = {"/ping": _ping(), "/invocations": {"post": _invocations()}, **openai, **deepgram}
    if page:
        _, told = msgspec.json.schema_components([PageInfo, PublicInfo], ref_template=REFERENCE)
        schemas.update(told)
        paths |= page_paths(missing=_refusals(codes_by_status(UnknownRoute)))
    if metrics:
        paths["/metrics"] = {"get": _metrics()}
    made: Document = {
        "openapi": "3.1.0",
        "info": {"title": "primavoce", "version": primavoce.__version__, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {"schemas": schemas},
    }
    if keys:
        made["components"]["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "query": {"type": "apiKey", "in": "query", "name": "token"},
        }
        made["security"] = [{"bearer": []}, {"query": []}]
        for path in [each for each in paths if each == "/ping" or is_page_path(each)]:
            paths[path] = {name: {**each, "security": []} for name, each in paths[path].items()}
    return made


def _invocation(schema: Document) -> Document:
    """Return the schema of a body: that of the type, and what is checked beyond types."""
    known: Document = {
        "text": {"type": "string", "minLength": 1, "pattern": NOT_BLANK},
        "request_id": {"type": "string", "minLength": 1, "maxLength": MAX_ID_LENGTH},
        "speed": {"type": "number", "minimum": LOWEST_SPEED, "maximum": HIGHEST_SPEED},
        "sample_rate": {"enum": list(SAMPLE_RATES)},
        "format": {"enum": list(SESSION_FORMATS)},
        "request_timestamp": {"type": "number", "minimum": 0},
        "events": {"type": "array", "maxItems": 0},
    }
    together = [
        _where("format", each.name, "sample_rate", {"enum": [*each.rates, None]})
        for each in FORMATS.values()
        if each.rates != ALL_RATES
    ]
    together.append(_where("transport", "sse", "stream", {"const": True}))
    return {**_narrowed(schema, known), "required": ["text"], "allOf": together}  # ``type`` may be left out


def _where(name: str, value: str, other: str, then: Document) -> Document:
    """Return the schema that says ``then`` of the field ``other`` where the field ``name`` is ``value``."""
    return {
        "if": {"properties": {name: {"const": value}}, "required": [name]},
        "then": {"properties": {other: then}},
    }


def _narrowed(schema: Document, known: Document) -> Document:
    """Return ``schema``, whose properties are as ``known`` says of them; what may be left out may be null as before."""
    properties: Document = dict(schema["properties"])
    for name, found in known.items():
        optional = {"type": "null"} in properties[name].get("anyOf", ())
        rest = {key: value for key, value in properties[name].items() if key not in ("anyOf", "type", "enum")}
        properties[name] = {**rest, "anyOf": [found, {"type": "null"}]} if optional else {**rest, **found}
    return {**schema, "properties": properties}


def _ping() -> Document:
    answers = {
        str(status): {
            "description": "It may be asked to speak." if status == 200 else "It may not.",
            "content": {
                JSON: {
                    "schema": {
                        "type": "object",
                        "properties": {"status": {"enum": list(states)}},
                        "required": ["status"],
                    }
                }
            },
        }
        for status, states in PING_STATES.items()
    }
    return {
        method: {"operationId": f"ping_{method}", "summary": "Whether the server is ready.", "responses": answers}
        for method in ("get", "post")
    }


def _invocations() -> Document:
    spoken = {
        "description": "The audio, as it is made; with `stream: false` in one piece, and with the figures.",
        "content": {media_type: {} for media_type in (*(each.media_type for each in FORMATS.values()), MEDIA_TYPE)},
        "headers": {
            name: {"description": meaning, "schema": FIGURES}
            for name, meaning in {
                "X-Audio-Duration": "Seconds of audio.",
                "X-Inference-Time-Ms": "Milliseconds that the model worked.",
                "X-RTF": "Work for a second of audio.",
                "X-Characters-Processed": "Characters of the text.",
            }.items()
        },
    }
    return {
        "operationId": "speak",
        "summary": "One text in, its audio out.",
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": {"$ref": REFERENCE.format(name="Invocation")}}},
        },
        "responses": {"200": spoken, **_refusals(codes_by_status())},
    }


def _metrics() -> Document:
    text = {"schema": {"type": "string"}}
    return {
        "operationId": "metrics",
        "summary": "Figures for Prometheus.",
        "responses": {
            "200": {
                "description": "All figures.",
                "content": {"text/plain": text, "application/openmetrics-text": text},
            },
            **_refusals(codes_by_status(AccessRefused)),
        },
    }


def _told(codes: list[str]) -> Document:
    """Return the schema of a body that tells of an error with one of ``codes``."""
    return {"allOf": [{"$ref": REFERENCE.format(name="ErrorBody")}, {"properties": {"error": {"enum": codes}}}]}


def _refusals(codes: Mapping[int, list[str]], told: Callable[[list[str]], Document] = _told) -> Document:
    """Return an answer for each status, with its codes, in a body as ``told`` says."""
    return {str(status): _refusal(status, told(found)) for status, found in sorted(codes.items())}


def _refusal(status: int, schema: Document) -> Document:
    answer: Document = {"description": MEANINGS[status], "content": {JSON: {"schema": schema}}}
    if status in (429, 503):
        answer["headers"] = {"Retry-After": RETRY_AFTER}
    if status == status_of(Unauthorized):
        answer["headers"] = {"WWW-Authenticate": {"required": True, "schema": {"type": "string"}}}
    return answer


def codes_by_status(*kinds: type[PrimavoceError]) -> dict[int, list[str]]:
    """Return the codes that a client may be told, by status; of ``kinds``, all that may travel unless given."""
    found: dict[int, set[str]] = {status_of(PrimavoceError): {PrimavoceError.code}}  # a bug may be anywhere
    for kind in kinds or OF_SPEECH:
        for each in _leaves(kind):
            if each in kinds or each not in SESSION_ONLY + NO_ROUTE + DIALECT_ONLY:
                code = QUEUE_SATURATED if issubclass(each, Overloaded) else each.code
                found.setdefault(status_of(each), set()).add(code)
    return {status: sorted(codes) for status, codes in found.items()}


def _leaves(kind: type[PrimavoceError]) -> list[type[PrimavoceError]]:
    below = kind.__subclasses__()
    return [leaf for child in below for leaf in _leaves(child)] if below else [kind]
