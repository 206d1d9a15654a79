"""What our calls say to, and read from, the services' control planes, which moto plays; CloudFormation's is left out.

moto's SageMaker knows no instance types of after 2021, garbles the ARN of a configuration that has tags, and doesn't
say which image runs: that is put there. Its CloudWatch doesn't look at states where alarms are asked for by name.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from primavoce.aws import endpoint, runtime
from primavoce.aws.account import Account
from primavoce.aws.endpoint import Endpoint, insist, mark_verified, why_not
from primavoce.aws.fleet import DIMENSION, Fleet, deployed
from primavoce.aws.leftovers import leftovers
from primavoce.aws.names import Names
from primavoce.aws.prices import usd_per_hour
from primavoce.aws.standing import standing
from primavoce.aws.waiting import Waiting
from tests.aws.test_leftovers import Stacks

pytestmark = pytest.mark.aws

NAMES = Names()
NUMBER, REGION = "123456789012", "us-east-1"
ROLE = f"arn:aws:iam::{NUMBER}:role/primavoce"
MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
INSTANCE_TYPE = "ml.g4dn.xlarge"
TAGS = [{"Key": "project", "Value": "primavoce"}, {"Key": "deployment", "Value": NAMES.prefix}]


@dataclass
class Deployed:
    """An account in which moto plays the services, and what is deployed there."""

    account: Account

    def client(self, service: str) -> Any:
        return self.account.client(service)

    def push(self) -> str:
        """Put an image into the repository, and return its digest."""
        ecr = self.client("ecr")
        ecr.create_repository(repositoryName=NAMES.repository("speech"))
        manifest = (
            f'{{"schemaVersion": 2, "mediaType": "{MANIFEST}", "config": {{"digest": "sha256:0"}}, "layers": []}}'
        )
        put = ecr.put_image(repositoryName=NAMES.repository("speech"), imageManifest=manifest, imageTag="1")
        digest: str = put["image"]["imageId"]["imageDigest"]
        return digest

    def configure(self, config: str, name: str) -> None:
        sagemaker = self.client("sagemaker")
        sagemaker.create_model(ModelName=config, ExecutionRoleArn=ROLE, PrimaryContainer={"Image": "i"}, Tags=TAGS)
        variant = {"VariantName": "primary", "ModelName": config, "InstanceType": INSTANCE_TYPE}
        sagemaker.create_endpoint_config(
            EndpointConfigName=config,
            ProductionVariants=[{**variant, "InitialInstanceCount": 1, "InitialVariantWeight": 1.0}],
        )
        sagemaker.create_endpoint(EndpointName=name, EndpointConfigName=config, Tags=TAGS)

    def run_image(self, digest: str) -> None:
        """Have SageMaker say which image the endpoint runs."""
        from moto.sagemaker.models import sagemaker_backends

        [found] = sagemaker_backends[NUMBER][REGION].endpoints.values()
        resolved = f"{self.account.registry}/{NAMES.repository('speech')}@{digest}"
        for variant in found.production_variants:
            variant["DeployedImages"] = [{"SpecifiedImage": resolved, "ResolvedImage": resolved}]

    def deploy_agent(self, **environment: str) -> str:
        made = self.client("bedrock-agentcore-control").create_agent_runtime(
            agentRuntimeName=NAMES.runtime,
            agentRuntimeArtifact={"containerConfiguration": {"containerUri": f"{self.account.registry}/a:1"}},
            roleArn=ROLE,
            networkConfiguration={"networkMode": "PUBLIC"},
            environmentVariables=environment,
        )
        arn: str = made["agentRuntimeArn"]
        return arn

    def find(self) -> Endpoint:
        found = endpoint.find(self.account, NAMES.endpoint)
        assert found is not None
        return found


@pytest.fixture
def there(nobody, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployed]:
    import boto3
    from moto import mock_aws

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    stacks = {"cloudformation": Stacks()}
    with mock_aws():
        yield Deployed(Account(REGION, lambda service: stacks.get(service) or boto3.client(service)))


def test_an_endpoint_that_isnt_there_is_none(there: Deployed) -> None:
    there.configure("primavoce-speech-1", "primavoce-speech-of-others")

    assert endpoint.find(there.account, NAMES.endpoint) is None


def test_an_endpoint_is_read_as_sagemaker_tells_it(there: Deployed) -> None:
    there.configure("primavoce-speech-1", NAMES.endpoint)
    there.client("sagemaker").update_endpoint_weights_and_capacities(
        EndpointName=NAMES.endpoint, DesiredWeightsAndCapacities=[{"VariantName": "primary", "DesiredInstanceCount": 3}]
    )

    assert there.find() == Endpoint(
        name=NAMES.endpoint,
        arn=f"arn:aws:sagemaker:{REGION}:{NUMBER}:endpoint/{NAMES.endpoint}",
        status="InService",
        config="primavoce-speech-1",
        digest="",
        instances=3,
        desired_instances=3,
        instance_type=INSTANCE_TYPE,
        verified="",
    )


def test_an_endpoint_in_service_is_waited_for_no_longer(there: Deployed) -> None:
    there.configure("primavoce-speech-1", NAMES.endpoint)
    waited: list[float] = []

    found = endpoint.wait_in_service(there.account, NAMES.endpoint, Waiting(sleep=waited.append))

    assert (found.status, waited) == ("InService", [])


def test_what_was_verified_is_a_tag_that_is_read_again_and_its_image_is_kept(there: Deployed) -> None:
    digest = there.push()
    there.configure("primavoce-speech-1", NAMES.endpoint)
    there.run_image(digest)
    before = there.find()

    assert mark_verified(there.account, NAMES, before) == ""

    assert why_not(before) == "has never been verified"
    assert insist(there.find(), NAMES).verified == f"primavoce-speech-1@{digest}"
    kept = there.client("ecr").describe_images(repositoryName=NAMES.repository("speech"))["imageDetails"]
    assert [len(each["imageTags"]) for each in kept] == [2]


def test_another_image_makes_what_was_verified_unproven(there: Deployed) -> None:
    digest = there.push()
    there.configure("primavoce-speech-1", NAMES.endpoint)
    there.run_image(digest)
    mark_verified(there.account, NAMES, there.find())
    there.run_image(f"sha256:{'ef' * 32}")

    assert why_not(there.find()) == "has changed since it was verified"


def test_an_image_that_isnt_there_any_more_is_told_and_its_endpoint_has_spoken_all_the_same(there: Deployed) -> None:
    there.push()
    there.configure("primavoce-speech-1", NAMES.endpoint)
    there.run_image(f"sha256:{'ef' * 32}")

    assert "has no image" in mark_verified(there.account, NAMES, there.find())

    assert there.find().is_verified


def test_the_containers_last_words_are_found_in_the_endpoints_log(there: Deployed) -> None:
    logs, group = there.client("logs"), f"/aws/sagemaker/Endpoints/{NAMES.endpoint}"
    now_ms = int(time.time() * 1000) - 60_000  # moto refuses what is old
    logs.create_log_group(logGroupName=group)
    logs.create_log_stream(logGroupName=group, logStreamName="primary/i-1")
    logs.put_log_events(
        logGroupName=group,
        logStreamName="primary/i-1",
        logEvents=[{"timestamp": now_ms + place, "message": f"line {place}\n"} for place in range(20)],
    )

    assert endpoint.last_log_lines(there.account, NAMES.endpoint) == [f"line {place}" for place in range(8, 20)]


def test_scaling_tells_how_far_it_may_go(there: Deployed) -> None:
    there.configure("primavoce-speech-1", NAMES.endpoint)
    unscaled = deployed(there.account, NAMES)
    there.client("application-autoscaling").register_scalable_target(
        ServiceNamespace="sagemaker",
        ResourceId=f"endpoint/{NAMES.endpoint}/variant/primary",
        ScalableDimension=DIMENSION,
        MinCapacity=2,
        MaxCapacity=8,
    )

    assert (unscaled, deployed(there.account, NAMES)) == (Fleet(running=1), Fleet(2, 8))


def test_a_runtime_is_read_with_the_model_that_it_is_told(there: Deployed) -> None:
    before = runtime.find(there.account, NAMES.runtime)
    arn = there.deploy_agent(PRIMAVOCE_AGENT_MODEL="bedrock:example.model-v1:0", PRIMAVOCE_OPEN="1")

    found = runtime.wait_ready(there.account, NAMES.runtime, Waiting(sleep=lambda _: None))

    assert before is None
    assert (found.arn, found.status, found.version) == (arn, "READY", "1")
    assert found.model == "bedrock:example.model-v1:0"


def test_a_standing_has_the_endpoint_the_runtime_what_has_gone_off_and_the_price(there: Deployed) -> None:
    there.configure("primavoce-speech-1", NAMES.endpoint)
    arn = there.deploy_agent()
    watch = there.client("cloudwatch")
    for name in (f"{NAMES.endpoint}-errors", f"{NAMES.endpoint}-scale-in", "another-errors"):
        watch.put_metric_alarm(
            AlarmName=name,
            ComparisonOperator="GreaterThanThreshold",
            EvaluationPeriods=1,
            MetricName="m",
            Namespace="n",
            Period=60,
            Statistic="Sum",
            Threshold=1,
        )
        watch.set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="so")

    found = standing(there.account, NAMES)

    assert found.unseen == ()
    assert found.endpoint == there.find()
    assert found.runtime is not None
    assert found.runtime.arn == arn
    assert found.alarms == (f"{NAMES.endpoint}-errors",)
    assert found.usd_per_hour == usd_per_hour(INSTANCE_TYPE, 1)


def test_whatever_of_sagemaker_is_left_is_found_by_its_name_and_told_once(there: Deployed) -> None:
    there.configure("primavoce-speech-1", NAMES.endpoint)
    arn = there.deploy_agent()

    left = leftovers(there.account, NAMES)

    assert left.unseen == ()
    assert {(each.kind, each.name) for each in left.found} == {
        ("endpoint", NAMES.endpoint),
        ("endpoint configuration", "primavoce-speech-1"),
        ("model", "primavoce-speech-1"),
        ("runtime", NAMES.runtime),
    }
    assert arn.rpartition("/")[2] in next(each.remedy for each in left.found if each.kind == "runtime")


def test_what_is_named_otherwise_is_found_by_its_tags(there: Deployed) -> None:
    there.configure("SpeechModel-AbCd", "of-nobody")

    found = leftovers(there.account, NAMES).found

    assert {each.kind for each in found} == {"tagged"}
    assert any(each.name.endswith("endpoint/of-nobody") for each in found)


def test_after_what_the_remedies_say_nothing_of_it_is_left(there: Deployed) -> None:
    from botocore import xform_name

    there.configure("primavoce-speech-1", NAMES.endpoint)
    sagemaker = there.client("sagemaker")
    for each in leftovers(there.account, NAMES).found:
        aws, service, operation, option, name = each.remedy.split()
        action = sagemaker.meta.service_model.operation_model("".join(map(str.title, operation.split("-"))))
        [parameter] = action.input_shape.required_members
        assert (aws, service, option) == ("aws", "sagemaker", f"--{xform_name(parameter, '-')}")
        getattr(sagemaker, operation.replace("-", "_"))(**{parameter: name})

    left = leftovers(there.account, NAMES)

    assert (left.found, left.sentence) == ((), "nothing of this deployment is left")
