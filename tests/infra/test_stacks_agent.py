"""The third stack: the runtime, who it is, and that it can't be first."""

import json
from typing import Any

import pytest

from tests.infra.written import Written, allowed, flat, statements

pytestmark = [pytest.mark.infra, pytest.mark.timeout(300)]
SERVICE = "bedrock-agentcore.amazonaws.com"
PROFILE = "arn:<AWS::Partition>:bedrock:<AWS::Region>:<AWS::AccountId>:inference-profile"
LOG_GROUPS = "arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:/aws/bedrock-agentcore/runtimes"


def runtime(written: Written, name: str = "primavoce") -> Any:
    return written.template(f"{name}-agent").one("AWS::BedrockAgentCore::Runtime")


def role(written: Written, name: str = "primavoce") -> Any:
    return written.template(f"{name}-agent").role(SERVICE)


def test_stacks_are_deployed_one_after_another(written: Written) -> None:
    assert written.needs("primavoce-weights") == set()
    assert written.needs("primavoce-speech") == {"primavoce-weights"}
    assert written.needs("primavoce-agent") >= {"primavoce-speech"}


def test_an_agents_choices_change_nothing_that_its_endpoint_exports(written: Written) -> None:
    exports = [
        {each for each in written.template(f"{name}-speech").content["Outputs"] if each.startswith("Exports")}
        for name in ("primavoce", "tiny", "still-life")
    ]

    assert exports[0] == exports[1] == exports[2]


def test_cloudformation_itself_refuses_an_agent_without_its_endpoint(written: Written) -> None:
    (endpoint,) = allowed(role(written))["sagemaker:InvokeEndpoint"]
    exported = {
        each["Export"]["Name"]: flat(each["Value"])
        for each in written.template("primavoce-speech").content["Outputs"].values()
        if "Export" in each
    }

    assert exported[endpoint.strip("<>")] == "<Endpoint>"  # its ARN


def test_it_speaks_by_one_endpoint(written: Written) -> None:
    may = allowed(role(written))

    speaking = {action: where for action, where in may.items() if action.startswith("sagemaker:")}

    assert set(speaking) == {
        "sagemaker:InvokeEndpoint",
        "sagemaker:InvokeEndpointWithBidirectionalStream",
        "sagemaker:InvokeEndpointWithResponseStream",
    }
    assert len(set().union(*speaking.values())) == 1


@pytest.mark.parametrize(
    ("name", "resources"),
    [
        (
            "primavoce",
            {
                f"{PROFILE}/global.amazon.nova-2-lite-v1:0",
                "arn:<AWS::Partition>:bedrock:*::foundation-model/amazon.nova-2-lite-v1:0",
            },
        ),
        (
            "still-life",
            {
                f"{PROFILE}/us.anthropic.claude-sonnet-4-6",
                "arn:<AWS::Partition>:bedrock:*::foundation-model/anthropic.claude-sonnet-4-6",
            },
        ),
        ("tiny", {"arn:<AWS::Partition>:bedrock:<AWS::Region>::foundation-model/amazon.nova-lite-v1:0"}),
    ],
)
def test_it_asks_one_model(written: Written, name: str, resources: set[str]) -> None:
    may = allowed(role(written, name))

    asking = {action: where for action, where in may.items() if action.startswith("bedrock:")}

    assert set(asking) == {"bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"}
    assert set().union(*asking.values()) == resources


def test_a_profiles_models_are_asked_through_the_profile_alone(written: Written) -> None:
    (routed,) = [each for each in statements(role(written)) if "*::foundation-model" in flat_or_nothing(each)]

    (through,) = routed["Condition"]["StringEquals"].items()
    assert (through[0], flat(through[1])) == (
        "bedrock:InferenceProfileArn",
        f"{PROFILE}/global.amazon.nova-2-lite-v1:0",
    )


def flat_or_nothing(statement) -> str:
    return "" if isinstance(statement["Resource"], list) else flat(statement["Resource"])


def test_it_may_do_nothing_else_but_be_run(written: Written) -> None:
    may = allowed(role(written))

    others = {action: where for action, where in may.items() if action.split(":")[0] not in ("bedrock", "sagemaker")}

    logging = {action: where for action, where in others.items() if action.startswith("logs:")}
    assert set(logging) == {
        "logs:CreateLogGroup",
        "logs:CreateLogStream",
        "logs:DescribeLogStreams",
        "logs:PutLogEvents",
    }
    assert set().union(*logging.values()) == {f"{LOG_GROUPS}/primavoce_agent-*"}
    assert {action for action in others if action not in logging} == {
        "ecr:BatchCheckLayerAvailability",
        "ecr:BatchGetImage",
        "ecr:GetAuthorizationToken",
        "ecr:GetDownloadUrlForLayer",
    }
    (repository,) = others["ecr:BatchGetImage"]
    assert repository.startswith("<primavoce-weights:ExportsOutputFnGetAttAgentImages")


def test_no_policy_is_added_to_its_role_from_elsewhere(written: Written) -> None:
    assert written.template("primavoce-agent").all("AWS::IAM::Policy") == {}


def test_agentcore_takes_the_role_on_for_this_runtime_of_this_account(written: Written) -> None:
    (trusted,) = role(written)["AssumeRolePolicyDocument"]["Statement"]

    assert flat(trusted["Condition"]["StringEquals"]["aws:SourceAccount"]) == "<AWS::AccountId>"
    assert flat(trusted["Condition"]["ArnLike"]["aws:SourceArn"]).endswith(":runtime/primavoce_agent-*")


def test_the_agent_is_told_its_model_and_its_endpoint(written: Written) -> None:
    environment = runtime(written)["EnvironmentVariables"]

    assert environment.pop("PRIMAVOCE_AGENT_SPEECH")["Fn::Join"][1][0] == "sagemaker:"
    assert environment == {
        "AWS_DEFAULT_REGION": {"Ref": "AWS::Region"},
        "AWS_REGION": {"Ref": "AWS::Region"},
        "DOCKER_CONTAINER": "1",
        "PRIMAVOCE_AGENT_MODEL": "bedrock:global.amazon.nova-2-lite-v1:0",
        "PRIMAVOCE_OPEN": "1",
    }


@pytest.mark.parametrize(("name", "seconds"), [("primavoce", 300), ("tiny", 120)])
def test_a_session_that_nobody_speaks_to_is_ended_soon(written: Written, name: str, seconds: int) -> None:
    assert runtime(written, name)["LifecycleConfiguration"] == {"IdleRuntimeSessionTimeout": seconds}


def test_it_is_an_http_container_of_the_agents_repository(written: Written) -> None:
    found = runtime(written, "tiny")

    assert found["ProtocolConfiguration"] == "HTTP"
    image = flat(found["AgentRuntimeArtifact"]["ContainerConfiguration"]["ContainerUri"])
    assert "/<tiny-weights:ExportsOutputRefAgentImages" in image
    assert image.endswith("@sha256:" + "a" * 64)


@pytest.mark.parametrize(
    ("name", "runtime_name"), [("primavoce", "primavoce_agent"), ("still-life", "still_life_agent")]
)
def test_the_runtimes_name_has_no_hyphen(written: Written, name: str, runtime_name: str) -> None:
    assert runtime(written, name)["AgentRuntimeName"] == runtime_name


def calls(written: Written, when: str) -> list[dict[str, object]]:
    made = written.template("tiny-agent").all("Custom::AWS").values()
    return [json.loads(flat(each["Properties"][when])) for each in made if when in each["Properties"]]


@pytest.mark.parametrize("when", ["Create", "Update"])
def test_its_log_is_made_unless_agentcore_has_made_it(written: Written, when: str) -> None:
    by_action = {each["action"]: each for each in calls(written, when)}

    name = by_action["CreateLogGroup"]["parameters"]["logGroupName"]
    assert name.startswith("/aws/bedrock-agentcore/runtimes/<Runtime")
    assert name.endswith(".AgentRuntimeId>-DEFAULT")
    assert by_action["CreateLogGroup"]["ignoreErrorCodesMatching"] == "ResourceAlreadyExistsException"
    assert by_action["PutRetentionPolicy"]["parameters"] == {"logGroupName": name, "retentionInDays": 7}


def test_its_log_goes_with_the_stack(written: Written) -> None:
    (deleted,) = calls(written, "Delete")

    assert deleted["action"] == "DeleteLogGroup"
    assert deleted["ignoreErrorCodesMatching"] == "ResourceNotFoundException"


def test_what_makes_the_log_may_change_that_one_alone(written: Written) -> None:
    template = written.template("primavoce-agent")
    may = allowed(template.role("lambda.amazonaws.com"))

    (own_log,) = may["logs:PutLogEvents"]
    (runtime_id,) = template.all("AWS::BedrockAgentCore::Runtime")
    group = f"{LOG_GROUPS}/<{runtime_id}.AgentRuntimeId>-DEFAULT"
    assert may["logs:DeleteLogGroup"] == {group, f"{group}:*"}
    assert own_log.strip("<>").removesuffix(".Arn") in template.all("AWS::Logs::LogGroup")
    assert "ManagedPolicyArns" not in template.role("lambda.amazonaws.com")


def test_it_tells_the_runtimes_arn(written: Written) -> None:
    assert written.template("primavoce-agent").outputs == {"RuntimeArn", "RuntimeId", "RuntimeLogGroup"}
