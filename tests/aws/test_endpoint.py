"""The endpoint, and what it takes to put an agent on it."""

from dataclasses import replace

import pytest

from primavoce.aws.endpoint import Endpoint, insist, why_not
from primavoce.aws.names import VERIFIED_TAG, Names
from primavoce.errors import EndpointNotVerified, StepFailed

DIGEST = f"sha256:{'cd' * 32}"
ARN = "arn:aws:sagemaker:us-east-1:123456789012:endpoint/primavoce-speech"
READY = Endpoint(
    name="primavoce-speech",
    arn=ARN,
    status="InService",
    config="config-1",
    digest=DIGEST,
    instances=1,
    desired_instances=1,
    instance_type="ml.g5.xlarge",
    verified=f"config-1@{DIGEST}",
)


@pytest.mark.parametrize(
    ("found", "reason", "command"),
    [
        (None, "isn't there", "primavoce aws deploy speech"),
        (replace(READY, status="Creating"), "is Creating", "primavoce aws deploy speech"),
        (replace(READY, status="Failed"), "is Failed", "primavoce aws deploy speech"),
        (replace(READY, verified=""), "has never been verified", "primavoce aws verify --part speech"),
        (replace(READY, config="config-2"), "has changed since", "primavoce aws verify --part speech"),
        (replace(READY, digest="sha256:other"), "has changed since", "primavoce aws verify --part speech"),
        (replace(READY, digest="", verified="config-1@"), "has changed since", "primavoce aws verify --part speech"),
    ],
)
def test_no_agent_is_put_on_an_endpoint_that_isnt_proven_to_speak(
    found: Endpoint | None, reason: str, command: str
) -> None:
    with pytest.raises(EndpointNotVerified) as caught:
        insist(found, Names())

    assert reason in str(caught.value)
    assert caught.value.command == command


def test_an_agent_is_put_on_an_endpoint_that_runs_just_what_was_verified() -> None:
    assert insist(READY, Names()) is READY
    assert why_not(READY) == ""


def test_the_command_that_comes_first_is_that_of_this_deployment() -> None:
    with pytest.raises(EndpointNotVerified) as caught:
        insist(None, Names("demo"))

    assert caught.value.command == "primavoce aws deploy speech --name demo"


def test_what_was_verified_fits_into_a_tag() -> None:
    longest = replace(READY, config="c" * 63)

    assert len(longest.identity) <= 256
    assert all(letter.isalnum() or letter in "_.:/=+-@ " for letter in longest.identity)


def describe(status: str = "InService", **more: object) -> dict[str, object]:
    from datetime import UTC, datetime

    moment = datetime(2026, 1, 1, tzinfo=UTC)
    image = {
        "SpecifiedImage": "123456789012.dkr.ecr.us-east-1.amazonaws.com/primavoce/speech:1",
        "ResolvedImage": f"123456789012.dkr.ecr.us-east-1.amazonaws.com/primavoce/speech@{DIGEST}",
        "ResolutionTime": moment,
    }
    variant = {
        "VariantName": "primary",
        "DeployedImages": [image],
        "CurrentInstanceCount": 2,
        "DesiredInstanceCount": 3,
    }
    return {
        "EndpointName": "primavoce-speech",
        "EndpointArn": ARN,
        "EndpointConfigName": "config-1",
        "EndpointStatus": status,
        "ProductionVariants": [variant],
        "CreationTime": moment,
        "LastModifiedTime": moment,
        **more,
    }


def tell(stubbed, told: dict[str, object], *tags: tuple[str, str]) -> None:
    from datetime import UTC, datetime

    variant = {"VariantName": "primary", "InstanceType": "ml.g5.xlarge"}
    config = {
        "EndpointConfigName": "config-1",
        "EndpointConfigArn": "arn:aws:sagemaker:us-east-1:123456789012:endpoint-config/config-1",
        "ProductionVariants": [variant],
        "CreationTime": datetime(2026, 1, 1, tzinfo=UTC),
    }
    listed = [{"Key": key, "Value": value} for key, value in tags]
    stubbed.answer("sagemaker", "describe_endpoint", told, EndpointName="primavoce-speech")
    stubbed.answer("sagemaker", "list_tags", {"Tags": listed}, ResourceArn=ARN)
    stubbed.answer("sagemaker", "describe_endpoint_config", config, EndpointConfigName="config-1")


@pytest.mark.aws
def test_an_endpoint_is_read_with_its_image_and_its_tag(stubbed) -> None:
    from primavoce.aws.endpoint import find

    tell(stubbed, describe(), ("project", "primavoce"), (VERIFIED_TAG, READY.identity))

    found = find(stubbed.account, "primavoce-speech")

    assert found == replace(READY, instances=2, desired_instances=3)
    assert found.is_verified


@pytest.mark.aws
def test_an_endpoint_that_isnt_there_is_none_and_one_that_may_not_be_seen_is_an_error(stubbed) -> None:
    from primavoce.aws.endpoint import find
    from primavoce.errors import AccountRefused

    stubbed.refuse("sagemaker", "describe_endpoint", "ValidationException", 'Could not find endpoint "x".')
    stubbed.refuse("sagemaker", "describe_endpoint", "AccessDeniedException", "you may not")

    assert find(stubbed.account, "primavoce-speech") is None
    with pytest.raises(AccountRefused):
        find(stubbed.account, "primavoce-speech")


@pytest.mark.aws
def test_a_failed_endpoint_tells_sagemakers_reason_and_the_containers_last_words(stubbed) -> None:
    from primavoce.aws.endpoint import wait_in_service
    from primavoce.aws.waiting import Waiting

    states: list[tuple[str, str]] = []
    waited: list[float] = []
    tell(stubbed, describe("Creating"))
    tell(stubbed, describe("Failed", FailureReason="The primary container did not pass the ping health check."))
    streams = {"logStreams": [{"logStreamName": "primary/i-1"}]}
    stubbed.answer("logs", "describe_log_streams", streams)
    stubbed.answer("logs", "get_log_events", {"events": [{"message": "cuda can't be used: no driver\n"}]})
    waiting = Waiting(lambda what, state, _: states.append((what, state)), waited.append)

    with pytest.raises(StepFailed) as caught:
        wait_in_service(stubbed.account, "primavoce-speech", waiting)

    assert states == [("endpoint primavoce-speech", "Creating")]
    assert "did not pass the ping health check" in str(caught.value)
    assert "cuda can't be used: no driver" in str(caught.value)


FORM = "application/vnd.docker.distribution.manifest.v2+json"


def tell_marked(stubbed) -> None:
    tags = [{"Key": VERIFIED_TAG, "Value": f"config-1@{DIGEST}"}]
    stubbed.answer("sagemaker", "add_tags", {"Tags": tags}, ResourceArn=ARN, Tags=tags)


@pytest.mark.aws
def test_what_was_verified_is_remembered_with_the_endpoint_and_its_image_is_kept(stubbed) -> None:
    from primavoce.aws.endpoint import mark_verified

    there = {"images": [{"imageManifest": "{}", "imageManifestMediaType": FORM}]}
    stubbed.answer("ecr", "batch_get_image", there)
    stubbed.answer("ecr", "put_image", {})
    tell_marked(stubbed)

    assert mark_verified(stubbed.account, Names(), replace(READY, verified="")) == ""


@pytest.mark.aws
def test_what_cant_be_kept_is_marked_all_the_same_and_told_with_what_to_do(stubbed) -> None:
    from primavoce.aws.endpoint import mark_verified

    stubbed.refuse("ecr", "batch_get_image", "AccessDeniedException")
    tell_marked(stubbed)

    told = mark_verified(stubbed.account, Names("demo"), READY)

    assert "ecr:BatchGetImage" in told
    assert "run `primavoce aws verify --part speech --name demo` again" in told
