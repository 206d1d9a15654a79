"""The fleet that is there, as Application Auto Scaling tells it; moto plays that."""

from collections.abc import Iterator

import pytest

from primavoce.aws.account import Account
from primavoce.aws.fleet import DIMENSION, Fleet, deployed
from primavoce.aws.names import Names
from tests.aws.world import World

pytestmark = [pytest.mark.aws]
NAMES = Names()


@pytest.fixture
def moto_account(nobody, monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    import boto3
    from moto import mock_aws

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    stacks = {"cloudformation": World().account().client("cloudformation")}  # moto's takes half of the world to import
    with mock_aws():
        yield Account("us-east-1", lambda service: stacks.get(service) or boto3.client(service))


def scale(account: Account, endpoint: str, least: int, most: int) -> None:
    """Make an endpoint, and let it scale."""
    sagemaker = account.client("sagemaker")
    role = "arn:aws:iam::123456789012:role/r"
    sagemaker.create_model(ModelName=endpoint, ExecutionRoleArn=role, PrimaryContainer={"Image": "i"})
    variant = {"VariantName": "primary", "ModelName": endpoint, "InstanceType": "ml.g4dn.xlarge"}
    variants = [{**variant, "InitialInstanceCount": 1, "InitialVariantWeight": 1.0}]
    sagemaker.create_endpoint_config(EndpointConfigName=endpoint, ProductionVariants=variants)
    sagemaker.create_endpoint(EndpointName=endpoint, EndpointConfigName=endpoint)
    account.client("application-autoscaling").register_scalable_target(
        ServiceNamespace="sagemaker",
        ResourceId=f"endpoint/{endpoint}/variant/primary",
        ScalableDimension=DIMENSION,
        MinCapacity=least,
        MaxCapacity=most,
    )


def test_its_limits_are_those_of_this_deployments_endpoint(moto_account: Account) -> None:
    scale(moto_account, "other-speech", 9, 99)
    scale(moto_account, "primavoce-speech", 2, 20)

    assert deployed(moto_account, NAMES) == Fleet(2, 20)


def test_without_an_endpoint_there_is_none(moto_account: Account) -> None:
    assert deployed(moto_account, NAMES) == Fleet(0, 0)


def test_without_scaling_it_is_what_runs() -> None:
    world = World(endpoint={"config": "c", "digest": "sha256:1", "status": "InService"}, instances=7)

    assert deployed(world.account(), NAMES) == Fleet(running=7)


def test_without_scaling_the_limits_are_those_that_it_was_deployed_with() -> None:
    world = World(
        stacks={NAMES.speech_stack: "UPDATE_COMPLETE"},
        endpoint={"config": "c", "digest": "sha256:1", "status": "InService"},
        instances=7,
        outputs={"MinInstances": "4", "MaxInstances": "8", "SessionsPerInstance": "40"},
    )

    assert deployed(world.account(), NAMES) == Fleet(4, 8, running=7, sessions_per_instance=40)


def test_scaling_that_somebody_has_set_by_hand_goes_before_what_was_deployed() -> None:
    world = World(
        stacks={NAMES.speech_stack: "UPDATE_COMPLETE"},
        limits=(2, 20),
        outputs={"MinInstances": "4", "MaxInstances": "8", "SessionsPerInstance": "40"},
    )

    assert deployed(world.account(), NAMES) == Fleet(2, 20, sessions_per_instance=40)
