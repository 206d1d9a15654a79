"""The stand-in for Bedrock, spoken to by boto3, and by Strands' own model in a conversation of ours."""

import gc
import json
from contextlib import closing

import anyio.to_thread
import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from primavoce.testing.aws.bedrock import LAST_WORDS, REFUSALS, BedrockTrouble, ToolCall, bedrock, words_of

pytestmark = [pytest.mark.aws]


def client(url: str):  # noqa: ANN201 - boto3's have no type
    return boto3.client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="id",
        aws_secret_access_key="secret",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=1),
    )


def converse(url: str) -> list[dict]:
    asked = {"modelId": "example.model-v1:0", "messages": [{"role": "user", "content": [{"text": "Hello?"}]}]}
    with closing(client(url)) as calling, closing(calling.converse_stream(**asked)["stream"]) as events:
        return list(events)


@pytest.mark.parametrize("text", ["Hello.", " Two  words \n", "one two three"])
def test_words_are_the_whole_text(text: str) -> None:
    assert "".join(words_of(text)) == text


@pytest.mark.anyio
async def test_a_text_comes_word_by_word() -> None:
    async with bedrock("Hello there, you.") as model:
        events = await anyio.to_thread.run_sync(converse, model.url)

    said = [event["contentBlockDelta"]["delta"]["text"] for event in events if "contentBlockDelta" in event]
    assert said == ["Hello", " there,", " you."]
    assert events[0] == {"messageStart": {"role": "assistant"}}
    assert {"messageStop": {"stopReason": "end_turn"}} in events
    assert events[-1]["metadata"]["usage"]["totalTokens"] == 2
    assert model.models == ["example.model-v1:0"]
    assert model.requests[0]["messages"] == [{"role": "user", "content": [{"text": "Hello?"}]}]


@pytest.mark.anyio
async def test_a_call_of_a_tool_comes_in_pieces_and_the_next_turn_follows() -> None:
    async with bedrock(["Let me see.", ToolCall("clock", {"zone": "UTC"})], "It is noon.") as model:
        first = await anyio.to_thread.run_sync(converse, model.url)
        second = await anyio.to_thread.run_sync(converse, model.url)

    started = [event["contentBlockStart"] for event in first if "contentBlockStart" in event]
    pieces = [
        event["contentBlockDelta"]["delta"]["toolUse"]["input"]
        for event in first
        if "toolUse" in event.get("contentBlockDelta", {}).get("delta", {})
    ]
    assert started[0]["start"]["toolUse"]["name"] == "clock"
    assert json.loads("".join(pieces)) == {"zone": "UTC"}
    assert {"messageStop": {"stopReason": "tool_use"}} in first
    assert {"messageStop": {"stopReason": "end_turn"}} in second


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (BedrockTrouble.THROTTLING, "ThrottlingException"),
        (BedrockTrouble.ACCESS_DENIED, "AccessDeniedException"),
        (BedrockTrouble.NO_MODEL, "ResourceNotFoundException"),
        (BedrockTrouble.INVALID, "ValidationException"),
        (BedrockTrouble.MODEL_TIMEOUT, "ModelTimeoutException"),
        (BedrockTrouble.MODEL_ERROR, "ModelErrorException"),
        (BedrockTrouble.NOT_READY, "ModelNotReadyException"),
        (BedrockTrouble.INTERNAL_ERROR, "InternalServerException"),
        (BedrockTrouble.UNAVAILABLE, "ServiceUnavailableException"),
        (BedrockTrouble.STREAM_ERROR, "modelStreamErrorException"),
        (BedrockTrouble.STREAM_THROTTLING, "throttlingException"),
        (BedrockTrouble.STREAM_INVALID, "validationException"),
        (BedrockTrouble.STREAM_INTERNAL_ERROR, "internalServerException"),
        (BedrockTrouble.STREAM_UNAVAILABLE, "serviceUnavailableException"),
    ],
)
async def test_each_trouble_has_its_code(trouble: BedrockTrouble, code: str) -> None:
    async with bedrock(trouble) as model:
        with pytest.raises(ClientError) as failed:
            await anyio.to_thread.run_sync(converse, model.url)

    assert failed.value.response["Error"]["Code"] == code


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # botocore leaves a broken socket open
@pytest.mark.anyio
@pytest.mark.parametrize("trouble", [BedrockTrouble.BREAK_OFF, BedrockTrouble.STALL])
async def test_a_stream_that_breaks_off_or_stalls_is_an_error_of_the_connection(trouble: BedrockTrouble) -> None:
    async with bedrock(trouble) as model:
        with pytest.raises(Exception, match=r"(?i)prematurely|timed out"):
            await anyio.to_thread.run_sync(converse, model.url)
    gc.collect()


@pytest.mark.anyio
async def test_a_turn_fails_where_it_is_told_to() -> None:
    async with bedrock([ToolCall("clock", {"zone": "UTC"}), BedrockTrouble.TRUNCATION], "It is noon.") as model:
        cut = await anyio.to_thread.run_sync(converse, model.url)
        whole = await anyio.to_thread.run_sync(converse, model.url)

    kinds = [next(iter(event)) for event in cut]
    assert kinds == ["messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockDelta"]  # and nothing ends
    assert {"messageStop": {"stopReason": "end_turn"}} in whole


@pytest.mark.anyio
async def test_a_model_that_may_say_no_more_says_so() -> None:
    async with bedrock(BedrockTrouble.TOO_LONG) as model:
        events = await anyio.to_thread.run_sync(converse, model.url)

    assert {"messageStop": {"stopReason": "max_tokens"}} in events
    assert {"contentBlockStop": {"contentBlockIndex": 0}} in events


@pytest.mark.anyio
async def test_every_trouble_of_the_services_model_is_there() -> None:
    model = client("http://localhost").meta.service_model.operation_model("ConverseStream")
    refusals = {error.name for error in model.error_shapes}
    last_words = {name for name in model.output_shape.members["stream"].members if name.endswith("Exception")}

    assert {refusal.kind for refusal in REFUSALS.values()} == refusals
    assert {kind for kind, _ in LAST_WORDS.values()} == last_words
