"""A stand-in for Bedrock's ``converse-stream``, over plain HTTP: a language model that says what it is told to.

For Strands' ``BedrockModel(endpoint_url=…)``, or boto3's ``converse_stream`` with ``endpoint_url``. Every call takes
the next turn of a script: texts, which come word by word, and calls of tools; or what goes wrong.
"""

import json
import re
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import unquote

import anyio

from primavoce.testing.aws.event_stream import MEDIA_TYPE, encode
from primavoce.testing.aws.http_server import Dropped, Exchange, http_server
from primavoce.testing.aws.parts import exception
from primavoce.testing.aws.refusals import Refusal, refuse

_PATH = re.compile(r"/model/(?P<model>[^/]+)/converse-stream")
_WORD = re.compile(r"\s*\S+\s*$|\s*\S+")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model calls a tool."""

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)


class BedrockTrouble(StrEnum):
    """One way to fail."""

    THROTTLING = "throttling"
    """429: too many requests."""
    ACCESS_DENIED = "access denied"
    """403: no permission for the model."""
    NO_MODEL = "no model"
    """404."""
    INVALID = "invalid"
    """400: the request isn't one that this model takes."""
    MODEL_TIMEOUT = "model timeout"
    """408: the model took too long."""
    MODEL_ERROR = "model error"
    """424: the model failed."""
    NOT_READY = "not ready"
    """429: the model isn't loaded yet."""
    INTERNAL_ERROR = "internal error"
    """500: the service's own."""
    UNAVAILABLE = "unavailable"
    """503: the service's own."""

    BREAK_OFF = "break-off"
    """The connection goes after a few words."""
    TRUNCATION = "truncation"
    """After a few words, the stream ends in good order, without having said that it would."""
    STALL = "stall"
    """After a few words, nothing more comes."""
    STREAM_ERROR = "stream error"
    """The service says, after a few words, that the model failed."""
    STREAM_THROTTLING = "stream throttling"
    """It says, after a few words, that there are too many requests."""
    STREAM_INVALID = "stream invalid"
    """It says, after a few words, that the request isn't one that this model takes."""
    STREAM_INTERNAL_ERROR = "stream internal error"
    """It says, after a few words, that it failed."""
    STREAM_UNAVAILABLE = "stream unavailable"
    """It says, after a few words, that it isn't there."""
    TOO_LONG = "too long"
    """After a few words, the model has said as much as it may."""


type Block = str | ToolCall | BedrockTrouble
"""What a turn is made of: a text, a call of a tool, or what ends the turn there; a refusal takes the place of all."""
type Turn = Block | Sequence[Block]
"""What the model does at one call. A trouble alone comes after a few words."""

A_FEW_WORDS = "Let me see."
REFUSALS: Mapping[BedrockTrouble, Refusal] = {
    trouble: Refusal(status, kind, {"message": message})
    for trouble, status, kind, message in (
        (BedrockTrouble.THROTTLING, 429, "ThrottlingException", "Too many requests, please wait before trying again."),
        (BedrockTrouble.ACCESS_DENIED, 403, "AccessDeniedException", "You don't have access to the model."),
        (BedrockTrouble.NO_MODEL, 404, "ResourceNotFoundException", "There is no such model."),
        (BedrockTrouble.INVALID, 400, "ValidationException", "The request isn't valid."),
        (BedrockTrouble.MODEL_TIMEOUT, 408, "ModelTimeoutException", "The model took too long."),
        (BedrockTrouble.MODEL_ERROR, 424, "ModelErrorException", "The model failed."),
        (BedrockTrouble.NOT_READY, 429, "ModelNotReadyException", "The model isn't ready."),
        (BedrockTrouble.INTERNAL_ERROR, 500, "InternalServerException", "The service failed."),
        (BedrockTrouble.UNAVAILABLE, 503, "ServiceUnavailableException", "The service isn't available."),
    )
}
"""What is answered instead of a stream."""
LAST_WORDS: Mapping[BedrockTrouble, tuple[str, Mapping[str, object]]] = {
    BedrockTrouble.STREAM_ERROR: (
        "modelStreamErrorException",
        {"message": "The model failed.", "originalStatusCode": 500, "originalMessage": ""},
    ),
    BedrockTrouble.STREAM_THROTTLING: ("throttlingException", {"message": "Too many requests."}),
    BedrockTrouble.STREAM_INVALID: ("validationException", {"message": "The request isn't valid."}),
    BedrockTrouble.STREAM_INTERNAL_ERROR: ("internalServerException", {"message": "The service failed."}),
    BedrockTrouble.STREAM_UNAVAILABLE: ("serviceUnavailableException", {"message": "The service isn't available."}),
}
"""What a stream that has begun ends with."""


class BedrockStandIn:
    """A model that runs; it is to be had from `bedrock`.

    Args:
        turns: What it does, call by call; when it is used up, it says the last again.
        word_s: Seconds before each word.
    """

    def __init__(self, turns: Iterable[Turn], word_s: float) -> None:
        self.url = ""
        """``http://`` address."""
        self.requests: list[Mapping[str, object]] = []
        """The bodies of the calls, in order."""
        self.models: list[str] = []
        """The ids that they asked for."""
        self._turns = deque(turns)
        self._word_s = word_s
        self._calls = 0

    async def answer(self, exchange: Exchange) -> None:
        """Answer one call."""
        named = _PATH.fullmatch(exchange.path)
        if named is None:
            await refuse(exchange, Refusal(404, "UnknownOperationException", {"message": ""}))
            return
        self.models.append(unquote(named["model"]))
        self.requests.append(json.loads(exchange.body))
        blocks = _blocks(self._turns[0] if len(self._turns) == 1 else self._turns.popleft())
        refused = [REFUSALS[each] for each in blocks if isinstance(each, BedrockTrouble) and each in REFUSALS]
        if refused:
            await refuse(exchange, refused[0])
            return
        await exchange.answer(200, {"content-type": MEDIA_TYPE})
        await exchange.send(event("messageStart", {"role": "assistant"}))
        reason = await self._say(exchange, blocks)
        if reason is None:
            return
        await exchange.send(event("messageStop", {"stopReason": reason}))
        usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
        await exchange.send(event("metadata", {"usage": usage, "metrics": {"latencyMs": 1}}))

    async def _say(self, exchange: Exchange, blocks: Sequence[Block]) -> str | None:
        """Say what there is, and return why the model stops; `None` if it doesn't say so."""
        reason = "end_turn"
        for index, block in enumerate(blocks):
            if isinstance(block, BedrockTrouble):
                return await _fail(exchange, block)
            if isinstance(block, ToolCall):
                reason = "tool_use"
            async for each in self._block(index, block):
                await exchange.send(each)
            if not _is_cut(blocks[index + 1 :]):
                await exchange.send(event("contentBlockStop", {"contentBlockIndex": index}))
        return reason

    async def _block(self, index: int, block: str | ToolCall) -> AsyncIterator[bytes]:
        if isinstance(block, ToolCall):
            self._calls += 1
            start = {"toolUse": {"toolUseId": f"tooluse_{self._calls}", "name": block.name}}
            yield event("contentBlockStart", {"contentBlockIndex": index, "start": start})
            written = json.dumps(dict(block.arguments))
            for piece in (written[: len(written) // 2], written[len(written) // 2 :]):
                yield _delta(index, {"toolUse": {"input": piece}})
            return
        for word in words_of(block):
            await anyio.sleep(self._word_s)
            yield _delta(index, {"text": word})


def _blocks(turn: Turn) -> Sequence[Block]:
    if isinstance(turn, BedrockTrouble):
        return [A_FEW_WORDS, turn]
    return [turn] if isinstance(turn, str | ToolCall) else list(turn)


def _is_cut(rest: Sequence[Block]) -> bool:
    """Return whether the block before ``rest`` isn't ended."""
    return bool(rest) and isinstance(rest[0], BedrockTrouble) and rest[0] is not BedrockTrouble.TOO_LONG


async def _fail(exchange: Exchange, trouble: BedrockTrouble) -> str | None:
    """Have a stream that has begun go wrong; return why the model stops, if it says so."""
    match trouble:
        case BedrockTrouble.BREAK_OFF:
            raise Dropped
        case BedrockTrouble.STALL:
            await anyio.sleep_forever()
        case BedrockTrouble.TOO_LONG:
            return "max_tokens"
        case BedrockTrouble.TRUNCATION:
            pass
        case _:
            await exchange.send(exception(*LAST_WORDS[trouble]))
    return None


def words_of(text: str) -> list[str]:
    """Return ``text`` in words, each with the space before it, as a model's tokens come."""
    return _WORD.findall(text)


def event(kind: str, told: Mapping[str, object]) -> bytes:
    """Return one event of a converse stream."""
    headers = {":message-type": "event", ":event-type": kind, ":content-type": "application/json"}
    return encode(headers, json.dumps({**told, "p": "abcdef"}).encode())  # p: padding, as the service sends


def _delta(index: int, delta: Mapping[str, object]) -> bytes:
    return event("contentBlockDelta", {"contentBlockIndex": index, "delta": delta})


@asynccontextmanager
async def bedrock(*turns: Turn, word_s: float = 0.0) -> AsyncIterator[BedrockStandIn]:
    """Run a model on a free loopback port while the block runs.

    Args:
        turns: What it does, call by call; when all but one are used up, the last is done again and again.
        word_s: Seconds before each word.
    """
    model = BedrockStandIn(turns or ("Hello.",), word_s)
    async with http_server(model.answer) as model.url:
        yield model
