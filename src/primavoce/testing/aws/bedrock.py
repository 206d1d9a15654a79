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
    BREAK_OFF = "break-off"
    """The connection goes after a few words."""
    STREAM_ERROR = "stream error"
    """The service says, after a few words, that the model failed."""
    STALL = "stall"
    """After a few words, nothing more comes."""


type Turn = str | ToolCall | BedrockTrouble | Sequence[str | ToolCall]
"""What the model does at one call; a text alone is a turn of one text."""

_REFUSALS: Mapping[BedrockTrouble, tuple[int, str, str]] = {
    BedrockTrouble.THROTTLING: (429, "ThrottlingException", "Too many requests, please wait before trying again."),
    BedrockTrouble.ACCESS_DENIED: (403, "AccessDeniedException", "You don't have access to the model."),
    BedrockTrouble.NO_MODEL: (404, "ResourceNotFoundException", "There is no such model."),
}


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
            await _refuse(exchange, 404, "UnknownOperationException", "")
            return
        self.models.append(unquote(named["model"]))
        self.requests.append(json.loads(exchange.body))
        turn = self._turns[0] if len(self._turns) == 1 else self._turns.popleft()
        if isinstance(turn, BedrockTrouble) and turn in _REFUSALS:
            await _refuse(exchange, *_REFUSALS[turn])
            return
        await exchange.answer(200, {"content-type": MEDIA_TYPE})
        await exchange.send(event("messageStart", {"role": "assistant"}))
        if isinstance(turn, BedrockTrouble):
            await self._fail(exchange, turn)
            return
        blocks = [turn] if isinstance(turn, str | ToolCall) else list(turn)
        for index, block in enumerate(blocks):
            async for each in self._block(index, block):
                await exchange.send(each)
            await exchange.send(event("contentBlockStop", {"contentBlockIndex": index}))
        reason = "tool_use" if any(isinstance(block, ToolCall) for block in blocks) else "end_turn"
        await exchange.send(event("messageStop", {"stopReason": reason}))
        usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
        await exchange.send(event("metadata", {"usage": usage, "metrics": {"latencyMs": 1}}))

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

    async def _fail(self, exchange: Exchange, trouble: BedrockTrouble) -> None:
        async for each in self._block(0, "Let me see."):
            await exchange.send(each)
        match trouble:
            case BedrockTrouble.BREAK_OFF:
                raise Dropped
            case BedrockTrouble.STALL:
                await anyio.sleep_forever()
            case _:
                told = {"message": "The model failed.", "originalStatusCode": 500, "originalMessage": ""}
                await exchange.send(_exception("modelStreamErrorException", told))


def words_of(text: str) -> list[str]:
    """Return ``text`` in words, each with the space before it, as a model's tokens come."""
    return _WORD.findall(text)


def event(kind: str, told: Mapping[str, object]) -> bytes:
    """Return one event of a converse stream."""
    headers = {":message-type": "event", ":event-type": kind, ":content-type": "application/json"}
    return encode(headers, json.dumps({**told, "p": "abcdef"}).encode())  # p: padding, as the service sends


def _delta(index: int, delta: Mapping[str, object]) -> bytes:
    return event("contentBlockDelta", {"contentBlockIndex": index, "delta": delta})


def _exception(kind: str, told: Mapping[str, object]) -> bytes:
    headers = {":message-type": "exception", ":exception-type": kind, ":content-type": "application/json"}
    return encode(headers, json.dumps(told).encode())


async def _refuse(exchange: Exchange, status: int, kind: str, message: str) -> None:
    headers = {"content-type": "application/json", "x-amzn-errortype": kind}
    await exchange.answer(status, headers, json.dumps({"message": message}).encode())


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
