import asyncio
import json
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from strands import Agent
from strands.types.exceptions import ContextWindowOverflowException

from primavoce.agent.conversation import FLUSH
from primavoce.agent.strands.assembling import conversations_with
from primavoce.agent.strands.conversation import StrandsConversation
from primavoce.agent.strands.local_model import EXAMPLES, HISTORY_BYTES, SYSTEM, LocalModel, excerpt, request
from primavoce.assets.store import AssetStore
from primavoce.errors import ModelUnavailable

pytestmark = [pytest.mark.agent, pytest.mark.anyio]

ORDINARY = (
    "Hello, who are you?",
    "What is the capital of France, and what should I see there?",
    "Why is the sky blue?",
    "How do I make a cup of tea?",
    "What is photosynthesis?",
    "How are you today?",
    "Give me three tips for better sleep.",
    "What is the largest planet in our solar system?",
    "Explain what a computer is to a child.",
    "Where is my parcel?",
)


def told(role: str, text: str) -> Any:
    return {"role": role, "content": [{"text": text}]}


def delta(text: str | None, finish_reason: str | None = None) -> dict[str, object]:
    return {"choices": [{"delta": {"content": text}, "finish_reason": finish_reason}]}


class FakeServer:
    """Sends what it is told to, from whatever thread it is called in."""

    def __init__(self, *sent: object, wait_for: threading.Event | None = None) -> None:
        self.sent = sent
        self.wait_for = wait_for
        self.asked: list[dict[str, Any]] = []
        self.was_stopped = threading.Event()

    def handle_chat_completions(self, prompt: dict[str, object], callback: Callable[[object], bool]) -> object:
        self.asked.append(prompt)
        if self.wait_for is not None:
            self.wait_for.wait(10)
        for each in self.sent:
            if isinstance(each, Exception):
                raise each
            if callback(each):
                self.was_stopped.set()
                return None
        return None


async def events_of(model: LocalModel, messages: Sequence[Any] = (), **options: Any) -> list[Any]:
    return [event async for event in model.stream(list(messages) or [told("user", "Hi")], **options)]


def texts(events: list[Any]) -> list[str]:
    return [event["contentBlockDelta"]["delta"]["text"] for event in events if "contentBlockDelta" in event]


# --- what it is asked -------------------------------------------------------------------------------------------


def test_it_is_asked_after_examples_that_say_what_is_wanted() -> None:
    messages = request([("user", "Well?")])["messages"]

    assert isinstance(messages, list)
    assert messages[0] == {"role": "system", "content": SYSTEM}
    assert [each["role"] for each in messages[1:]] == ["user", "assistant"] * len(EXAMPLES) + ["user"]
    assert messages[-1] == {"role": "user", "content": "Well?"}


def test_of_a_conversation_only_texts_are_read_and_from_a_prompt_on() -> None:
    call = {"toolUse": {"toolUseId": "1", "name": "clock", "input": {}}}
    result = {"toolResult": {"toolUseId": "1", "status": "success", "content": [{"text": "noon"}]}}
    messages = [
        told("assistant", "Welcome."),
        told("user", "Hi"),
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": [{"text": "It is"}, {"text": "noon."}]},
        told("user", " And now? "),
    ]

    assert excerpt(messages) == [("user", "Hi"), ("assistant", "It is noon."), ("user", "And now?")]  # type: ignore[arg-type]


def test_a_long_conversation_keeps_its_beginning_for_some_turns_and_is_never_too_long() -> None:
    messages: list[Any] = []
    beginnings = []
    for number in range(40):
        messages.append(told("user", f"Question {number} " + "y" * 100))
        read = excerpt(messages)
        beginnings.append(read[0][1])
        assert sum(len(text.encode()) for _, text in read) <= HISTORY_BYTES
        assert read[-1] == ("user", messages[-1]["content"][0]["text"])
        assert number == 0 or len(read) >= 3
        messages.append(told("assistant", f"Answer {number} " + "z" * 100))

    assert 4 <= len(set(beginnings)) <= 14


def test_a_prompt_that_is_too_long_is_shortened_between_characters() -> None:
    read = excerpt([told("user", "Hi"), told("assistant", "Hello."), told("user", "é" * 5000)])

    assert read == [("user", "é" * (HISTORY_BYTES // 2))]


# --- what it writes ---------------------------------------------------------------------------------------------


async def test_pieces_are_told_one_by_one_whatever_shape_they_come_in() -> None:
    server = FakeServer(
        delta(None),
        [delta("It"), delta(" is")],
        json.dumps(delta(" noon")),
        json.dumps(delta(".")).encode(),
        delta(None, "stop"),
    )

    events = await events_of(LocalModel(server))

    assert texts(events) == ["It is", " noon", "."]
    assert {"messageStop": {"stopReason": "end_turn"}} in events
    assert events[-1]["metadata"]["usage"]["outputTokens"] == 3


async def test_the_limit_of_tokens_is_told() -> None:
    events = await events_of(LocalModel(FakeServer(delta("It"), delta(None, "length"))))

    assert {"messageStop": {"stopReason": "max_tokens"}} in events


@pytest.mark.parametrize(
    ("sent", "raised"),
    [
        ({"error": {"type": "exceed_context_size_error", "message": "3031 tokens"}}, ContextWindowOverflowException),
        ({"error": {"type": "invalid_request_error", "message": "bad grammar"}}, RuntimeError),
        ("no json", ValueError),
        (OSError("gone"), OSError),
    ],
)
async def test_what_goes_wrong_in_its_thread_is_raised_where_it_is_read(sent: object, raised: type[Exception]) -> None:
    with pytest.raises(raised):
        await events_of(LocalModel(FakeServer(delta("It"), sent, delta(" is"))))


async def test_it_stops_with_its_next_token_when_it_is_cancelled() -> None:
    cancelled = threading.Event()
    server = FakeServer(*[delta(" so")] * 1000, wait_for=threading.Event())
    assert server.wait_for is not None
    model = LocalModel(server)
    stream = model.stream([told("user", "Hi")], cancel_signal=cancelled)
    assert [await anext(stream), await anext(stream)][1] == {"contentBlockStart": {"start": {}}}  # type: ignore[call-overload]

    cancelled.set()
    rest = [event async for event in stream]
    server.wait_for.set()

    assert rest == []
    assert await asyncio.to_thread(server.was_stopped.wait, 10)


async def test_answers_are_written_one_after_another_and_one_that_nobody_wants_is_not_begun() -> None:
    may_go_on = threading.Event()
    server = FakeServer(delta("Yes"), wait_for=may_go_on)
    model = LocalModel(server)
    unwanted = model.stream([told("user", "Second")])

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(events_of, model, [told("user", "First")])
        while not server.asked:
            await anyio.lowlevel.checkpoint()
        await anext(unwanted)  # type: ignore[call-overload]
        await unwanted.aclose()  # type: ignore[attr-defined]
        may_go_on.set()
    await events_of(model, [told("user", "Third")])

    assert [asked["messages"][-1]["content"] for asked in server.asked] == ["First", "Third"]


def test_a_file_that_is_no_model_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"no model")

    with pytest.raises(ModelUnavailable, match=r"it can't be loaded$"):
        LocalModel.load(tmp_path / "model.gguf")


# --- the real one -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def local_model(asset_store: AssetStore) -> LocalModel:
    return LocalModel.load(asset_store.language_model())


@pytest.mark.model
@pytest.mark.parametrize("prompt", ORDINARY)
async def test_it_answers_in_a_few_plain_english_sentences(local_model: LocalModel, prompt: str) -> None:
    conversation = conversations_with(local_model)()

    async with conversation.answering(prompt) as pieces:
        answer = "".join([piece async for piece in pieces if isinstance(piece, str)])

    words = re.findall(r"[a-z']+", answer.lower())
    common = {"the", "a", "is", "it", "you", "i", "i'm", "to", "of", "and", "can", "that", "in", "are", "it's"}
    assert re.fullmatch(r"[A-Za-z0-9 ,.!?'%\"-]+", answer)
    assert answer.endswith((".", "!", "?"))
    assert 1 <= len(re.findall(r"[.!?](?=\s|$)", answer)) <= 8
    assert 4 <= len(words) <= 100
    assert sum(word in common for word in words) >= len(words) / 10


@pytest.mark.model
async def test_it_knows_the_capital_of_france(local_model: LocalModel) -> None:
    assert "Paris" in "".join(texts(await events_of(local_model, [told("user", "What is the capital of France?")])))


@pytest.mark.model
async def test_no_conversation_is_too_long_for_it_in_any_script(local_model: LocalModel) -> None:
    for text in ("あ𒀀🧿" * 2000, "a1-" * 2000):
        messages = [
            told("user", text),
            told("assistant", text),
            told("user", "Hi"),
            told("assistant", "Hi."),
            told("user", text),
        ]

        assert texts(await events_of(local_model, messages))


@pytest.mark.model
async def test_an_interruption_stops_it_at_once_and_it_answers_the_next_prompt(local_model: LocalModel) -> None:
    agent = Agent(model=local_model, callback_handler=None)
    conversation = StrandsConversation(agent)

    async with conversation.answering("Tell me a story about a dog.") as pieces:
        before = [await anext(pieces) for _ in range(3)]
        conversation.interrupt()
        assert [piece async for piece in pieces] == []
    async with conversation.answering("How do I make tea?") as pieces:
        after = [piece async for piece in pieces]

    assert agent.messages[1]["content"] == [{"text": "".join(map(str, before))}]
    assert len(after) > 5
    assert after[-1] == FLUSH


@pytest.mark.model
async def test_the_event_loop_goes_on_while_it_writes(local_model: LocalModel) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await anyio.lowlevel.checkpoint()
            turns += 1

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(count)
        tokens = texts(await events_of(local_model, [told("user", "What is a computer?")]))
        tasks.cancel_scope.cancel()

    assert turns > 10 * len(tokens)


@pytest.mark.model
def test_it_writes_nothing_to_the_terminal(asset_store: AssetStore, capfd: pytest.CaptureFixture[str]) -> None:
    LocalModel.load(asset_store.language_model())

    assert capfd.readouterr() == ("", "")
