"""What Deepgram's route takes and answers, for the document of all routes."""

from typing import Any

import msgspec

from primavoce.audio.formats import ALL_RATES, FORMATS
from primavoce.protocol.deepgram_query import CONTAINERS, WHOLE_ENCODINGS
from primavoce.protocol.options import HIGHEST_SPEED, LOWEST_SPEED
from primavoce.server.dialects.deepgram import MODEL_NAME, REQUEST_ID, SPEAK_PATH

type Document = dict[str, Any]

SPEAK_FIELDS: Document = {"text": {"type": "string", "minLength": 1, "pattern": r"\S"}}
"""What is checked of a request beyond types."""


class DeepgramErrorBody(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no other answer, in Deepgram's words."""

    err_code: str
    """A code, in capitals; `docs/protocol.md` lists them."""
    err_msg: str
    request_id: str | None


def told_to_deepgram(codes: list[str]) -> Document:
    """Return the schema of a body that tells of an error with one of ``codes``."""
    code = {"properties": {"err_code": {"enum": [each.upper() for each in codes]}}}
    return {"allOf": [_reference("DeepgramErrorBody"), code]}


def deepgram_paths(*, speak: Document) -> Document:
    """Return the paths.

    Args:
        speak: Refusals of the route.
    """
    media_types = {FORMATS[name].media_type for name in (*WHOLE_ENCODINGS.values(), "wav")}
    containers = sorted({"none", *(each for found in CONTAINERS.values() for each in found)})
    spoken = {
        "description": "The audio, as it is made.",
        "content": {each: {} for each in sorted(media_types)},
        "headers": {name: {"schema": {"type": "string"}} for name in (REQUEST_ID, MODEL_NAME)},
    }
    return {
        SPEAK_PATH: {
            "post": {
                "operationId": "deepgram_speak",
                "summary": "One text in, its audio out, in Deepgram's words.",
                "parameters": [
                    _parameter("model", {"type": "string"}),
                    _parameter("encoding", {"enum": list(WHOLE_ENCODINGS)}),
                    _parameter("container", {"enum": containers}),
                    _parameter("sample_rate", {"enum": list(ALL_RATES)}),
                    _parameter("speed", {"type": "number", "minimum": LOWEST_SPEED, "maximum": HIGHEST_SPEED}),
                ],
                "requestBody": {"required": True, "content": _json(_reference("SpeakRequest"))},
                "responses": {"200": spoken, **speak},
            }
        }
    }


def _parameter(name: str, schema: Document) -> Document:
    return {"name": name, "in": "query", "schema": schema}


def _json(schema: Document) -> Document:
    return {"application/json": {"schema": schema}}


def _reference(name: str) -> Document:
    return {"$ref": f"#/components/schemas/{name}"}
