"""Taking down, and what is left: what nobody may look at is never taken for gone."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from primavoce.aws.account import Account
from primavoce.aws.destroying import order_of
from primavoce.aws.leftovers import Leftover, Leftovers, Unseen
from primavoce.aws.names import Names
from tests.aws.world import refusal

NAMES = Names()
MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
BUCKET = Leftover("bucket", "primavoce-weights-x", "what is in it", "aws s3 rb")
SHARED = Leftover("CDK bootstrap", "CDKToolkit", "images", "", shared=True)
BLIND = Unseen("buckets", "the AWS account doesn't allow s3:ListAllMyBuckets: no")


def test_the_agent_goes_first_and_the_bucket_last() -> None:
    assert order_of(NAMES) == ("primavoce-agent", "primavoce-speech", "primavoce-weights")


@pytest.mark.parametrize(
    ("found", "unseen", "clean", "sentence"),
    [
        ((), (), True, "nothing of this deployment is left"),
        ((SHARED,), (), True, "nothing of this deployment is left"),
        ((BUCKET, SHARED), (), False, "1 left that can bill"),
        ((), (BLIND,), False, "it can't be told whether anything is left of: buckets"),
        ((BUCKET,), (BLIND,), False, "1 left, and it can't be told whether anything is left of: buckets"),
    ],
)
def test_nothing_seen_is_not_the_same_as_nothing_there(
    found: tuple[Leftover, ...], unseen: tuple[Unseen, ...], sentence: str, *, clean: bool
) -> None:
    left = Leftovers(found, unseen)

    assert (left.is_clean, left.sentence) == (clean, sentence)
    assert left.as_object()["clean"] is clean


@pytest.mark.aws
def test_a_look_that_is_refused_is_told_and_the_others_go_on(stubbed) -> None:
    from primavoce.aws import leftovers as module

    stubbed.refuse("s3", "list_buckets", "AccessDenied", "you may not")
    logs = {"logGroups": [{"logGroupName": "/aws/sagemaker/Endpoints/primavoce-speech"}]}
    for prefix in NAMES.log_group_prefixes:
        told = logs if prefix.endswith("primavoce-speech") else {"logGroups": []}
        stubbed.answer("logs", "describe_log_groups", told, logGroupNamePrefix=prefix)
    looks = {kind: module.LOOKS[kind] for kind in ("buckets", "log groups")}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LOOKS", looks)
        left = module.leftovers(stubbed.account, NAMES)

    assert [each.name for each in left.found] == ["/aws/sagemaker/Endpoints/primavoce-speech"]
    [unseen] = left.unseen
    assert unseen.kind == "buckets"
    assert "s3:ListAllMyBuckets" in unseen.reason


@pytest.mark.aws
def test_another_deployments_log_group_is_none_of_ours(stubbed) -> None:
    from primavoce.aws.destroying import log_groups

    groups = ["/aws/sagemaker/Endpoints/primavoce-speech", "/aws/sagemaker/Endpoints/primavoce-speech-of-others"]
    for prefix in NAMES.log_group_prefixes:
        told = [{"logGroupName": name} for name in groups if name.startswith(prefix)]
        stubbed.answer("logs", "describe_log_groups", {"logGroups": told}, logGroupNamePrefix=prefix)

    assert log_groups(stubbed.account, NAMES) == groups[:1]


# --- with moto


class Stacks:
    """CloudFormation, as far as it is asked here; moto's own needs half of AWS. A stack takes its bucket along."""

    def __init__(self) -> None:
        self.buckets: dict[str, str | None] = {}
        """By the name of the stack."""

    def describe_stacks(self, StackName: str) -> dict[str, object]:  # noqa: N803 - as boto3 has it
        if StackName not in self.buckets:
            raise refusal("ValidationError", f"Stack with id {StackName} does not exist")
        return {"Stacks": [{"StackStatus": "CREATE_COMPLETE"}]}

    def delete_stack(self, StackName: str) -> None:  # noqa: N803 - as boto3 has it
        import boto3

        if bucket := self.buckets.pop(StackName):
            boto3.client("s3").delete_bucket(Bucket=bucket)

    def get_paginator(self, _: str) -> "Stacks":
        return self

    def paginate(self, StackName: str) -> list[dict[str, object]]:  # noqa: N803 - as boto3 has it
        bucket = self.buckets[StackName]
        found = [{"ResourceType": "AWS::S3::Bucket", "PhysicalResourceId": bucket}] if bucket else []
        return [{"StackResourceSummaries": found, "StackEvents": []}]


class NoTags:
    """The tagging API of an account in which nothing is tagged."""

    def get_paginator(self, _: str) -> "NoTags":
        return self

    def paginate(self, **_: object) -> list[dict[str, object]]:
        return [{"ResourceTagMappingList": []}]


@dataclass
class MotoAccount:
    account: Account
    stacks: Stacks

    def client(self, service: str) -> Any:
        return self.account.client(service)

    def deploy(self) -> None:
        """Put something like a deployment there."""
        self.stacks.buckets = dict.fromkeys(NAMES.stacks, None) | {NAMES.weights_stack: BUCKET.name}
        self.client("s3").create_bucket(Bucket=BUCKET.name)
        for group in ("/aws/sagemaker/Endpoints/primavoce-speech", "/aws/lambda/primavoce-weights-Emptier"):
            self.client("logs").create_log_group(logGroupName=group)


@pytest.fixture
def moto_account(nobody, monkeypatch: pytest.MonkeyPatch) -> Iterator[MotoAccount]:
    """An account in which moto plays the services."""
    import boto3
    from moto import mock_aws

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    stacks = Stacks()
    ours = {"cloudformation": stacks, "resourcegroupstaggingapi": NoTags()}
    with mock_aws():
        yield MotoAccount(Account("us-east-1", lambda service: ours.get(service) or boto3.client(service)), stacks)


@pytest.mark.aws
def test_a_deployment_is_taken_down_in_moto_and_nothing_of_it_is_left(moto_account) -> None:
    from primavoce.aws.destroying import destroy, doomed
    from primavoce.aws.leftovers import leftovers
    from primavoce.aws.waiting import Waiting

    moto_account.deploy()
    found = list(doomed(moto_account.account, NAMES))
    assert [each.stack for each in found] == list(order_of(NAMES))
    assert found[-1].resources == (f"AWS::S3::Bucket {BUCKET.name}",)
    told: list[str] = []

    destroy(moto_account.account, NAMES, Waiting(sleep=lambda _: None), on_note=told.append)

    assert told[:3] == ["primavoce-agent deleted", "primavoce-speech deleted", "primavoce-weights deleted"]
    assert len(told) == 5
    left = leftovers(moto_account.account, NAMES)
    assert (left.own, left.unseen) == ((), ())


@pytest.mark.aws
def test_taking_down_twice_in_moto_is_no_error(moto_account) -> None:
    from primavoce.aws.destroying import destroy
    from primavoce.aws.waiting import Waiting

    told: list[str] = []
    destroy(moto_account.account, NAMES, Waiting(sleep=lambda _: None), on_note=told.append)

    assert told == [
        "primavoce-agent was not there",
        "primavoce-speech was not there",
        "primavoce-weights was not there",
    ]


@pytest.mark.aws
def test_what_is_left_in_moto_is_found_wherever_it_is(moto_account) -> None:
    from primavoce.aws.leftovers import leftovers
    from primavoce.aws.names import bootstrap_bucket, bootstrap_repository

    moto_account.deploy()
    ecr, s3 = moto_account.client("ecr"), moto_account.client("s3")
    ecr.create_repository(repositoryName=NAMES.repository("speech"))
    here = (moto_account.account.number, moto_account.account.region)
    bootstrap_images, files = bootstrap_repository(*here), bootstrap_bucket(*here)
    ecr.create_repository(repositoryName=bootstrap_images)
    manifest = json.dumps({"schemaVersion": 2, "mediaType": MANIFEST, "config": {"digest": "sha256:0"}, "layers": []})
    ecr.put_image(repositoryName=bootstrap_images, imageManifest=manifest, imageTag="x")
    s3.create_bucket(Bucket=files)
    s3.put_object(Bucket=files, Key="asset.zip", Body=b"x" * 1000)

    left = leftovers(moto_account.account, NAMES)

    names = {each.name: each for each in left.found}
    assert {*NAMES.stacks, BUCKET.name, NAMES.repository("speech")} <= names.keys()
    assert names[bootstrap_images].shared
    assert names[files].shared
    assert not names[BUCKET.name].shared
    assert not left.is_clean


@pytest.mark.aws
def test_old_versions_of_cdks_files_are_left_though_no_file_is_listed(moto_account) -> None:
    from primavoce.aws.leftovers import leftovers
    from primavoce.aws.names import bootstrap_bucket

    s3 = moto_account.client("s3")
    files = bootstrap_bucket(moto_account.account.number, moto_account.account.region)
    s3.create_bucket(Bucket=files)
    s3.put_bucket_versioning(Bucket=files, VersioningConfiguration={"Status": "Enabled"})
    s3.put_object(Bucket=files, Key="asset.zip", Body=b"x" * 1_000_000)
    s3.delete_object(Bucket=files, Key="asset.zip")

    (found,) = leftovers(moto_account.account, NAMES).found

    assert s3.list_objects_v2(Bucket=files)["KeyCount"] == 0
    assert (found.name, found.bills) == (files, "1 files, old versions included, 1.0 MB, every month")
    assert "console" in found.remedy


@pytest.mark.aws
def test_neighbours_never_list_what_is_each_others(moto_account) -> None:
    from primavoce.aws.leftovers import leftovers

    sagemaker = moto_account.client("sagemaker")
    role = "arn:aws:iam::123456789012:role/r"
    deployments = ("primavoce", "prima-voce", "primavoce2", "primavoce-s")
    for prefix in deployments:
        model = f"{Names(prefix).speech_stack}-Model-abc"
        sagemaker.create_model(ModelName=model, ExecutionRoleArn=role, PrimaryContainer={"Image": "i"})
    sagemaker.create_model(ModelName="primavocespeechother", ExecutionRoleArn=role, PrimaryContainer={"Image": "i"})

    for prefix in deployments:
        found = [each.name for each in leftovers(moto_account.account, Names(prefix)).own]
        assert found == [f"{prefix}-speech-Model-abc"]


@pytest.mark.aws
def test_what_deletes_a_leftover_is_said_with_the_region_and_the_profile(moto_account) -> None:
    from primavoce.aws.leftovers import leftovers

    moto_account.deploy()
    left = leftovers(moto_account.account, Names(region="us-east-1", profile="voice"))

    assert len(left.own) >= 5
    assert all(each.remedy.endswith(" --region us-east-1 --profile voice") for each in left.own)


@pytest.mark.aws
def test_what_is_found_by_its_name_isnt_told_again_by_its_tag(stubbed) -> None:
    from primavoce.aws import leftovers as module

    arns = ["arn:aws:s3:::primavoce-weights-x", "arn:aws:sagemaker:us-east-1:123456789012:model/model-abc"]
    listed = [{"ResourceARN": arn, "Tags": []} for arn in arns]
    filters = [{"Key": "project", "Values": ["primavoce"]}, {"Key": "deployment", "Values": ["primavoce"]}]
    told = {"ResourceTagMappingList": listed, "PaginationToken": ""}
    stubbed.answer("resourcegroupstaggingapi", "get_resources", told, TagFilters=filters)
    stubbed.answer("s3", "list_buckets", {"Buckets": [{"Name": "primavoce-weights-x"}, {"Name": "another"}]})
    looks = {kind: module.LOOKS[kind] for kind in ("buckets", "tagged resources")}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LOOKS", looks)
        left = module.leftovers(stubbed.account, NAMES)

    assert [each.name for each in left.found] == ["primavoce-weights-x", arns[1]]


@pytest.mark.parametrize(
    ("found", "unseen", "sentence"),
    [
        (1, 0, "1 there now that can bill"),
        (0, 0, "nothing of this deployment is there now"),
        (1, 1, "1 there now, and it can't be told whether anything is there now of: buckets"),
    ],
)
def test_what_is_there_before_a_deletion_is_not_left_and_is_deleted_by_no_other_command(
    found: int, unseen: int, sentence: str
) -> None:
    there = (Leftover("endpoint", "primavoce-speech", "each hour", "aws sagemaker delete-endpoint"),) * found
    before = Leftovers(there, (Unseen("buckets", "no"),) * unseen).before_deleting()

    assert before.sentence == sentence
    assert [each.remedy for each in before.found] == [""] * found
