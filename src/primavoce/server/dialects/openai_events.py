"""The events of an answer in OpenAI's words, made of those of ``POST /invocations``."""

from collections.abc import Mapping

import msgspec
from starlette.types import Message, Send

from primavoce.errors import InvalidRequest
from primavoce.server.dialects.openai_errors import PARAMETERS, kind_of

EVENT_STREAM = b"text/event-stream"
BLANK_LINE = b"\n\n"
INVALID = frozenset(kind.code for kind in InvalidRequest.__subclasses__())


class SpeechEvents:
    """Translates one answer."""

    def __init__(self) -> None:
        self._rest = b""

    def push(self, body: bytes) -> bytes:
        """Return the events that ``body`` completes; what isn't an event, such as a comment, stays as it is."""
        *blocks, self._rest = (self._rest + body).split(BLANK_LINE)
        return b"".join(self._translated(block) for block in blocks)

    def _translated(self, block: bytes) -> bytes:
        fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if b": " in line)
        if b"data" not in fields:
            return block + BLANK_LINE
        found = msgspec.json.decode(fields[b"data"], type=dict[str, object])
        match fields.get(b"event", b"").decode():
            case "audio_chunk":
                return _event("speech.audio.delta", audio=found["data"])
            case "audio_stream_end":
                tokens = found["characters"]  # there are no tokens that could be counted
                usage = {"input_tokens": tokens, "output_tokens": 0, "total_tokens": tokens}
                return _event("speech.audio.done", usage=usage)
            case "error":
                return _event("error", error=_error(found))
            case _:
                return b""


def in_their_events(send: Send) -> Send:
    """Return what sends an answer with its events translated; one that is no stream of events stays as it is."""
    events = SpeechEvents()
    streams = False

    async def sending(message: Message) -> None:
        nonlocal streams
        if message["type"] == "http.response.start":
            headers = dict(message["headers"])
            streams = headers.get(b"content-type", b"").startswith(EVENT_STREAM)
        elif streams:
            message = {**message, "body": events.push(message.get("body", b""))}
        await send(message)

    return sending


def _event(kind: str, **fields: object) -> bytes:
    return b"data: " + msgspec.json.encode({"type": kind, **fields}) + BLANK_LINE


def _error(found: Mapping[str, object]) -> dict[str, object]:
    code = found["code"]
    parameter = next((name for kind, name in PARAMETERS if kind.code == code), None)
    kind = kind_of(400 if code in INVALID else 500)
    return {"message": found["message"], "type": kind, "param": parameter, "code": code}
