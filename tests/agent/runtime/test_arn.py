import pytest

from primavoce.agent.runtime.arn import RuntimeArn
from primavoce.errors import InvalidSetting

ARN = "arn:aws:bedrock-agentcore:eu-west-1:123456789012:runtime/voice-AbCdEf1234"


def test_an_arn_tells_the_region_and_the_name() -> None:
    found = RuntimeArn.parse(ARN)

    assert found == RuntimeArn(ARN, "aws", "eu-west-1", "voice-AbCdEf1234")


def test_an_endpoints_arn_names_the_runtime_and_the_endpoint() -> None:
    found = RuntimeArn.parse(f"{ARN}/runtime-endpoint/live")

    assert (found.runtime, found.endpoint) == (ARN, "live")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("arn:aws-us-gov:bedrock-agentcore:us-gov-west-1:123456789012:runtime/a", "us-gov-west-1"),
        ("arn:aws-cn:bedrock-agentcore:cn-north-1:123456789012:runtime/a_b-c", "cn-north-1"),
    ],
)
def test_other_partitions_have_runtimes_too(text: str, region: str) -> None:
    assert RuntimeArn.parse(text).region == region


@pytest.mark.parametrize(
    "text",
    [
        "",
        "voice",
        "arn:aws:bedrock-agentcore:eu-west-1:123456789012:agent/voice",
        "arn:aws:bedrock-agentcore:eu-west-1:12345:runtime/voice",
        "arn:aws:bedrock-agentcore:x@example.com:443/#-1:123456789012:runtime/voice",
        "arn:aws:bedrock:eu-west-1:123456789012:runtime/voice",
        "arn:gcp:bedrock-agentcore:eu-west-1:123456789012:runtime/voice",
        f"{ARN}/",
        f"{ARN}/ws",
        f"{ARN}\n",
        f" {ARN}",
    ],
)
def test_anything_else_is_no_arn_of_a_runtime(text: str) -> None:
    with pytest.raises(InvalidSetting, match="--runtime"):
        RuntimeArn.parse(text)
