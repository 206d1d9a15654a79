"""The first stack: what is kept, how it is kept from others, and that none of it stays."""

import json
from fnmatch import fnmatch

import pytest

from primavoce.aws.images import VERIFIED_PREFIX
from primavoce_infra.weights import VERIFIED_TAGS
from tests.infra.written import Written, flat, statements

pytestmark = [pytest.mark.infra, pytest.mark.timeout(300)]
STACK = "primavoce-weights"


def test_the_bucket_is_encrypted_and_shut_to_the_public(written: Written) -> None:
    bucket = written.template(STACK).one("AWS::S3::Bucket")

    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert bucket["OwnershipControls"]["Rules"] == [{"ObjectOwnership": "BucketOwnerEnforced"}]


@pytest.mark.parametrize(
    "condition", [{"Bool": {"aws:SecureTransport": "false"}}, {"NumericLessThan": {"s3:TlsVersion": 1.2}}]
)
def test_the_bucket_answers_by_tls_alone(written: Written, condition: object) -> None:
    policy = written.template(STACK).one("AWS::S3::BucketPolicy")

    (denied,) = [each for each in statements(policy) if each.get("Condition") == condition]

    assert (denied["Effect"], denied["Action"], denied["Principal"]) == ("Deny", "s3:*", {"AWS": "*"})
    assert len(denied["Resource"]) == 2  # the bucket, and what is in it


def test_the_bucket_is_emptied_before_it_goes(written: Written) -> None:
    template = written.template(STACK)

    emptied = template.one("Custom::S3AutoDeleteObjects")

    (bucket,) = template.all("AWS::S3::Bucket")
    assert emptied["BucketName"] == {"Ref": bucket}


def test_what_empties_the_bucket_leaves_no_log(written: Written) -> None:
    template = written.template(STACK)

    (function,) = template.all("AWS::Lambda::Function")
    (log_group,) = (
        name
        for name, each in template.all("AWS::Logs::LogGroup").items()
        if flat(each["Properties"]["LogGroupName"]) == f"/aws/lambda/<{function}>"
    )

    (emptied,) = template.all("Custom::S3AutoDeleteObjects").values()
    assert log_group in emptied["DependsOn"]  # so that it is deleted after the function's last call


def test_image_repositories_can_be_deleted_with_their_images(written: Written) -> None:
    repositories = written.template(STACK).all("AWS::ECR::Repository").values()

    assert {each["Properties"]["RepositoryName"] for each in repositories} == {"primavoce/agent", "primavoce/speech"}
    assert {each["Properties"]["EmptyOnDelete"] for each in repositories} == {True}


def test_images_are_scanned_and_never_change_under_a_tag(written: Written) -> None:
    for each in written.template(STACK).all("AWS::ECR::Repository").values():
        assert each["Properties"]["ImageScanningConfiguration"] == {"ScanOnPush": True}
        assert each["Properties"]["ImageTagMutability"] == "IMMUTABLE"


def test_old_images_go_by_themselves_and_what_has_spoken_is_counted_apart(written: Written) -> None:
    for each in written.template(STACK).all("AWS::ECR::Repository").values():
        rules = json.loads(each["Properties"]["LifecyclePolicy"]["LifecyclePolicyText"])["rules"]

        # In this order: what one rule's tags fit is expired by none that comes after it.
        selected = [rule["selection"] for rule in sorted(rules, key=lambda rule: rule["rulePriority"])]
        kept = [(each["tagStatus"], each.get("tagPatternList"), each["countNumber"]) for each in selected]
        assert kept == [("untagged", None, 7), ("tagged", ["verified-*"], 10), ("tagged", ["*"], 10)]


def test_the_tag_of_what_has_spoken_is_the_one_that_the_commands_give() -> None:
    assert fnmatch(VERIFIED_PREFIX + "cd" * 10, VERIFIED_TAGS)
    assert not fnmatch("cd" * 10, VERIFIED_TAGS)


@pytest.mark.parametrize(("name", "days"), [("primavoce", 30), ("tiny", 7)])
def test_the_endpoints_log_is_kept_for_so_long_and_no_longer(written: Written, name: str, days: int) -> None:
    log_groups = written.template(f"{name}-weights").all("AWS::Logs::LogGroup").values()

    kept = {flat(each["Properties"]["LogGroupName"]): each["Properties"]["RetentionInDays"] for each in log_groups}

    assert kept[f"/aws/sagemaker/Endpoints/{name}-speech"] == days


def test_its_exports_dont_depend_on_what_is_chosen(written: Written) -> None:
    exported = {
        name: {each for each in written.template(f"{name}-weights").content["Outputs"] if each.startswith("Exports")}
        for name in ("primavoce", "tiny", "still-life")
    }

    assert exported["primavoce"] == exported["tiny"] == exported["still-life"]


def test_it_tells_where_to_push_and_to_copy_to(written: Written) -> None:
    outputs = written.template(STACK).outputs

    assert outputs == {"AgentRepositoryUri", "BucketName", "EndpointLogGroup", "SpeechRepositoryUri"}
