"""Strands' own model of Bedrock, on loopback, in a conversation that can be spoken."""

import gc

import boto3
import pytest
from botocore.config import Config
from strands import Agent, ModelRetryStrategy, tool
from strands.models import BedrockModel

from primavoce.agent.conversation import Flush
from primavoce.agent.strands.conversation import StrandsConversation
from primavoce.errors import AgentError, ModelRefused, ModelThrottled
from primavoce.testing.aws.bedrock import BedrockTrouble, ToolCall, bedrock

pytestmark = [pytest.mark.agent, pytest.mark.anyio]


def conversation(url: str) -> StrandsConversation:
    @tool
    def clock() -> str:
        """Tell the time."""
        return "noon"

    once = Config(retries={"total_max_attempts": 1})
    session = boto3.Session(aws_access_key_id="id", aws_secret_access_key="secret", region_name="us-east-1")
    model = BedrockModel(boto_session=session, boto_client_config=once, endpoint_url=url, model_id="example.model-v1:0")
    agent = Agent(model=model, tools=[clock], retry_strategy=ModelRetryStrategy(max_attempts=1), callback_handler=None)
    return StrandsConversation(agent)


async def written(talk: StrandsConversation) -> list[str]:
    async with talk.answering("What time is it?") as pieces:
        return ["|" if isinstance(piece, Flush) else piece async for piece in pieces]


async def test_what_the_model_says_is_said_before_and_after_its_tool() -> None:
    async with bedrock(["Let me see.", ToolCall("clock")], "It is noon.") as model:
        said = await written(conversation(model.url))

    assert "".join(said) == "Let me see.|It is noon.|"
    assert said[0] == "Let"
    assert "noon" in str(model.requests[1]["messages"])  # the tool's result went back


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # botocore leaves a broken socket open
@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        (BedrockTrouble.THROTTLING, ModelThrottled),
        (BedrockTrouble.ACCESS_DENIED, ModelRefused),
        (BedrockTrouble.NO_MODEL, ModelRefused),
        (BedrockTrouble.STREAM_ERROR, AgentError),
        (BedrockTrouble.BREAK_OFF, AgentError),
    ],
)
async def test_each_trouble_is_an_error_of_the_agents(trouble: BedrockTrouble, error: type) -> None:
    async with bedrock(trouble) as model:
        with pytest.raises(error):
            await written(conversation(model.url))
    gc.collect()
