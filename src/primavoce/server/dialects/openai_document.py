"""What OpenAI's routes take and answer, for the document of all routes."""

from typing import Any

import msgspec

from primavoce.audio.formats import FORMATS
from primavoce.protocol.options import HIGHEST_SPEED, LOWEST_SPEED
from primavoce.server.dialects.openai import (
    MODEL_PATH,
    MODELS_PATH,
    OURS,
    RESPONSE_FORMATS,
    SPEECH_PATH,
    STREAM_FORMATS,
    VOICES_PATH,
)
from primavoce.server.dialects.openai_voices import MODEL_NAME
from primavoce.server.http import NOT_BLANK

type Document = dict[str, Any]

SPEECH_FIELDS: Document = {
    "input": {"type": "string", "minLength": 1, "pattern": NOT_BLANK},
    "model": {"type": "string", "pattern": f"^{MODEL_NAME}$"},
    "speed": {"type": "number", "minimum": LOWEST_SPEED, "maximum": HIGHEST_SPEED},
    "response_format": {"enum": list(RESPONSE_FORMATS)},
    "stream_format": {"enum": list(STREAM_FORMATS)},
}
"""What is checked of a request beyond types."""


class OpenAIErrorFields(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of an error."""

    message: str
    type: str
    param: str | None
    """The field that it is about."""
    code: str
    """A code; `docs/protocol.md` lists them."""


class OpenAIErrorBody(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no other answer, in OpenAI's words."""

    error: OpenAIErrorFields


class ModelBody(msgspec.Struct, frozen=True, kw_only=True):
    """A name of the model."""

    id: str
    object: str
    created: int
    """Seconds since the epoch."""
    owned_by: str


class ModelList(msgspec.Struct, frozen=True, kw_only=True):
    """All of its names."""

    object: str
    data: list[ModelBody]


def told_to_openai(codes: list[str]) -> Document:
    """Return the schema of a body that tells of an error with one of ``codes``."""
    code = {"properties": {"error": {"properties": {"code": {"enum": codes}}}}}
    return {"allOf": [_reference("OpenAIErrorBody"), code]}


def with_ours(speech: Document, invocation: Document) -> Document:
    """Return the schema of a request that may have `OURS` of an invocation's fields, too."""
    added = {name: invocation["properties"][name] for name in OURS}
    return {**speech, "properties": {**speech["properties"], **added}}


def openai_paths(*, speech: Document, lists: Document, model: Document) -> Document:
    """Return the paths.

    Args:
        speech: Refusals of the speech route.
        lists: Refusals of the routes that list something.
        model: Refusals of the route of one model.
    """
    media_types = [*(FORMATS[name].media_type for name in RESPONSE_FORMATS), "text/event-stream"]
    spoken = {"description": "The audio, as it is made.", "content": {each: {} for each in media_types}}
    voice_list = {"type": "object", "properties": {"voices": {"type": "array"}}, "required": ["voices"]}
    return {
        SPEECH_PATH: {
            "post": {
                "operationId": "openai_speech",
                "summary": "One text in, its audio out, in OpenAI's words.",
                "requestBody": {"required": True, "content": _json(_reference("SpeechRequest"))},
                "responses": {"200": spoken, **speech},
            }
        },
        VOICES_PATH: {
            "get": {
                "operationId": "openai_voices",
                "summary": "Kokoro's voices.",
                "parameters": [{"name": "legacy", "in": "query", "schema": {"enum": ["true", "false"]}}],
                "responses": {"200": {"description": "All voices.", "content": _json(voice_list)}, **lists},
            }
        },
        MODELS_PATH: {
            "get": {
                "operationId": "openai_models",
                "summary": "The model, by each of its names.",
                "responses": {"200": {"description": "Its names.", "content": _json(_reference("ModelList"))}, **lists},
            }
        },
        MODEL_PATH: {
            "get": {
                "operationId": "openai_model",
                "summary": "The model by one of its names.",
                "parameters": [
                    {"name": "model", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
                ],
                "responses": {"200": {"description": "It.", "content": _json(_reference("ModelBody"))}, **model},
            }
        },
    }


def _json(schema: Document) -> Document:
    return {"application/json": {"schema": schema}}


def _reference(name: str) -> Document:
    return {"$ref": f"#/components/schemas/{name}"}
