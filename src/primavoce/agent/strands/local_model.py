"""A small language model in this process: SmolLM2-135M-Instruct, run by llama.cpp.

It has a tenth of a billion parameters: it makes plain English sentences quickly on any machine, and it makes things up.
What it is asked is framed so that it does what it can: examples in the place of instructions, a grammar that lets it
write a few spoken sentences and nothing else, a penalty on repeating itself.
"""

import asyncio
import json
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn, Protocol, override

from strands.models import Model
from strands.types.content import Messages
from strands.types.event_loop import StopReason
from strands.types.exceptions import ContextWindowOverflowException
from strands.types.streaming import StreamEvent
from strands.types.tools import ToolSpec

from primavoce.errors import ModelUnavailable

CONTEXT_TOKENS = 2048
"""As long a conversation as it can read; it was taught no longer ones."""
MAX_TOKENS = 120
"""Tokens of an answer; the grammar ends nearly all before."""
HISTORY_BYTES = 800
"""Bytes of the conversation that it reads at most, so that it never is too much: no token is less than a byte."""
CANCEL_LOOK_S = 0.02
"""Seconds between two looks at whether it is to stop, while it reads."""

SYSTEM = "You are a friendly assistant. Answer in plain English with two or three short sentences."
EXAMPLES = (
    ("Hi there, how are you?", "Hello! I'm fine, thank you. What would you like to talk about?"),
    (
        "Why do leaves fall in autumn?",
        "Trees drop their leaves to save water in winter. The green fades first, and then you see yellow and red.",
    ),
    (
        "How do I boil an egg?",
        "First, bring a pot of water to a boil. Then put the egg in gently. After seven minutes, take it out.",
    ),
    ("Is it raining in Madrid?", "I'm sorry, I can't look that up. I'm a small language model on this computer."),
    (
        "Can you tell me a fun fact?",
        "Sure! Honey never goes bad. People have found jars of it that are thousands of years old.",
    ),
)
GRAMMAR = r"""
root ::= sentence (" " sentence){0,3}
sentence ::= [A-Z] word? (","? " " (word | quoted)){1,24} [.!?]
quoted ::= "\"" word (","? " " word){0,9} [,.!?]? "\""
word ::= [a-zA-Z0-9'%-]+
"""
SAMPLING: dict[str, object] = {
    "temperature": 0.25,
    "top_p": 0.9,
    "dry_multiplier": 0.8,
    "dry_base": 1.75,
    "dry_allowed_length": 3,
    "seed": 7,
    "grammar": GRAMMAR,
}


class Server(Protocol):
    """What is needed of ``xllamacpp.Server``."""

    def handle_chat_completions(self, prompt: dict[str, object], callback: Callable[[object], bool]) -> object:
        """Call ``callback`` with each piece of the answer, until there are no more or it returns true; blocking."""


class LocalModel(Model):
    """A Strands model that runs in this process.

    It knows neither the agent's system prompt nor its tools; both only confuse it. Agents may share it: answers are
    written one after another.

    Args:
        server: llama.cpp's.
    """

    system_prompt = SYSTEM
    takes_tools = False

    def __init__(self, server: Server) -> None:
        self._server = server
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="primavoce-local-llm")

    @classmethod
    def load(cls, path: Path, *, threads: int = 1) -> "LocalModel":
        """Load the model at ``path``, and have it read what comes before every prompt; takes about a second.

        Raises:
            ModelUnavailable: it can't be loaded.
        """
        import xllamacpp

        settings = xllamacpp.CommonParams()
        settings.model.path = str(path)
        settings.n_ctx = CONTEXT_TOKENS
        settings.n_parallel = 1
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
        settings.cache_ram_mib = 0
        settings.warmup = False
        settings.verbosity = -1  # it would write to our standard error
        # It listens on loopback whether or not anyone wants to speak to it that way. Nobody can.
        settings.ui = settings.endpoint_slots = settings.endpoint_props = False
        settings.api_keys = [secrets.token_urlsafe()]
        try:
            model = cls(xllamacpp.Server(settings))
        except RuntimeError as error:
            raise ModelUnavailable("it can't be loaded") from error
        model._server.handle_chat_completions(request([("user", "Hello")], max_tokens=1), lambda _: False)
        return model

    @override
    def update_config(self, **model_config: Any) -> None:
        """Do nothing: it has no settings."""

    @override
    def get_config(self) -> dict[str, Any]:
        """Return what Strands may want to know."""
        return {"model_id": "local", "context_window_limit": CONTEXT_TOKENS}

    @override
    def structured_output(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: it is too small for that."""
        raise NotImplementedError("the local model gives no structured output")

    @override
    async def stream(
        self,
        messages: Messages,
        tool_specs: list[ToolSpec] | None = None,
        system_prompt: str | None = None,
        *,
        cancel_signal: threading.Event | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[StreamEvent]:
        """Write one answer; it just ends when ``cancel_signal`` is set.

        Raises:
            ContextWindowOverflowException: what it was to read was too long.
            RuntimeError: it failed.
        """
        began, tokens = time.perf_counter(), 0
        stop_reason: StopReason = "end_turn"
        generation = _Generation(cancel_signal or threading.Event())
        ended = self._worker.submit(generation.run, self._server, request(excerpt(messages)))
        try:
            yield {"messageStart": {"role": "assistant"}}
            yield {"contentBlockStart": {"start": {}}}
            async for piece in generation.pieces():
                if piece.text:
                    tokens += 1
                    yield {"contentBlockDelta": {"delta": {"text": piece.text}}}
                if piece.finish_reason == "length":
                    stop_reason = "max_tokens"
            if generation.is_cancelled:
                return
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": stop_reason}}
            yield {
                "metadata": {
                    "usage": {"inputTokens": 0, "outputTokens": tokens, "totalTokens": tokens},
                    "metrics": {"latencyMs": round((time.perf_counter() - began) * 1000)},
                }
            }
        finally:
            generation.stop.set()
            ended.cancel()  # if its turn hasn't come yet


def request(turns: Sequence[tuple[str, str]], *, max_tokens: int = MAX_TOKENS) -> dict[str, object]:
    """Return what llama.cpp is asked: to answer ``turns``, each a role and a text, after the examples."""
    told = [("system", SYSTEM)]
    for asked, answered in EXAMPLES:
        told += [("user", asked), ("assistant", answered)]
    messages = [{"role": role, "content": text} for role, text in (*told, *turns)]
    return {"messages": messages, "max_tokens": max_tokens, "stream": True, "cache_prompt": True, **SAMPLING}


def excerpt(messages: Messages) -> list[tuple[str, str]]:
    """Return as much of a conversation as the model is to read: its last texts, from a prompt to a prompt.

    It begins at the same place for some turns, so that only what is new has to be read: to read all of it anew costs
    seconds on a slow machine. When it gets too long, all but the last exchange is left out.
    """
    turns: list[tuple[str, str]] = []
    for message in messages:
        role = message["role"]
        text = " ".join(block["text"] for block in message["content"] if "text" in block).strip()
        if not text or (role != "user" and not turns):
            continue
        if role == "user":
            text = text.encode()[:HISTORY_BYTES].decode(errors="ignore")
            turns = next(kept for kept in (turns, turns[-2:], []) if _size([*kept, (role, text)]) <= HISTORY_BYTES)
        turns.append((role, text))
    return turns


def _size(turns: Sequence[tuple[str, str]]) -> int:
    return sum(len(text.encode()) for _, text in turns)


class _Piece:
    """What llama.cpp sends at a time.

    Raises:
        ContextWindowOverflowException: it sends that it has been given too much to read.
        RuntimeError: it sends that something else is wrong.
    """

    def __init__(self, sent: object) -> None:
        self.text = ""
        self.finish_reason = ""
        for event in sent if isinstance(sent, list) else [sent]:
            told: Any = json.loads(event) if isinstance(event, str | bytes) else event
            if "error" in told:
                if told["error"].get("type") == "exceed_context_size_error":
                    raise ContextWindowOverflowException(told["error"].get("message", ""))
                raise RuntimeError(f"llama.cpp: {told['error'].get('message', '')}")
            for choice in told.get("choices", ()):
                self.text += choice.get("delta", {}).get("content") or ""
                self.finish_reason = choice.get("finish_reason") or self.finish_reason


class _Generation:
    """One answer on its way from the worker's thread to the event loop of whoever makes this."""

    def __init__(self, cancel_signal: threading.Event) -> None:
        self.stop = threading.Event()
        self._cancel_signal = cancel_signal
        self._loop = asyncio.get_running_loop()
        self._sent: asyncio.Queue[_Piece | Exception | None] = asyncio.Queue()

    @property
    def is_cancelled(self) -> bool:
        return self.stop.is_set() or self._cancel_signal.is_set()

    async def pieces(self) -> AsyncIterator[_Piece]:
        """Yield each piece when it is there, until there are no more or the answer is cancelled."""
        while not self.is_cancelled:
            try:
                # An event of threads can't be waited for here, only looked at.
                piece = await asyncio.wait_for(self._sent.get(), CANCEL_LOOK_S)
            except TimeoutError:
                continue
            if isinstance(piece, Exception):
                raise piece
            if piece is None:
                return
            yield piece

    def run(self, server: Server, asked: dict[str, object]) -> None:
        """Generate; in the worker's thread."""

        def take(sent: object) -> bool:
            try:
                self._put(_Piece(sent))
            except Exception as error:  # noqa: BLE001 - of a callback llama.cpp would swallow it; it is raised in the loop
                self._put(error)
                return True
            return self.is_cancelled

        if not self.is_cancelled:
            try:
                server.handle_chat_completions(asked, take)
            except Exception as error:  # noqa: BLE001 - it is raised in the loop
                self._put(error)
        self._put(None)

    def _put(self, piece: _Piece | Exception | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._sent.put_nowait, piece)
        except RuntimeError:  # the loop has ended, and nobody waits for it any more
            self.stop.set()
