"""What holds of every template: nothing stays, nothing is open, nothing is secret, and two linters agree."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from aws_cdk import Stack
from aws_cdk import aws_s3 as s3

from primavoce_infra.deployment import new_app
from tests.infra.written import Written, flat, listed, statements

pytestmark = [pytest.mark.infra, pytest.mark.timeout(300)]
CFN_LINT = str(Path(sys.executable).with_name("cfn-lint"))
ANYWHERE = {"cloudwatch:PutMetricData", "ecr:GetAuthorizationToken"}
"""Actions that IAM can't bind to a resource."""
UNTAGGED = {  # CloudFormation has no tags for these, or CDK's own function has none
    "AWS::ApplicationAutoScaling::ScalingPolicy",
    "AWS::Logs::MetricFilter",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::Subscription",
    "AWS::SNS::TopicPolicy",
    "Custom::AWS",
    "Custom::S3AutoDeleteObjects",
}


def test_three_deployments_stand_beside_one_another(written: Written) -> None:
    assert {each.name for each in written.templates()} == {
        f"{name}-{part}" for name in ("primavoce", "still-life", "tiny") for part in ("agent", "speech", "weights")
    }


def test_cdk_has_nothing_to_warn_of(written: Written) -> None:
    assert written.warnings() == []


def test_cdk_nag_has_nothing_to_say(written: Written) -> None:
    assert written.findings() == []


def test_cdk_nag_would_speak_up(tmp_path: Path) -> None:
    app = new_app(str(tmp_path))
    s3.Bucket(Stack(app, "open"), "Bucket")

    with pytest.raises(RuntimeError, match="AwsSolutions-S10"):
        app.synth()


def test_cfn_lint_has_nothing_to_say(written: Written) -> None:
    done = subprocess.run([CFN_LINT, *map(str, written.files())], check=False, capture_output=True, text=True)

    assert (done.returncode, done.stdout) == (0, "")


def test_cfn_lint_is_told_to_look_away_from_two_checks_alone(written: Written) -> None:
    left_alone = {
        (each["Type"], *each["Metadata"]["cfn-lint"]["config"]["ignore_checks"])
        for template in written.templates()
        for each in template.resources.values()
        if "cfn-lint" in each.get("Metadata", {})
    }

    assert left_alone == {
        ("AWS::BedrockAgentCore::Runtime", "W3005"),
        ("AWS::IAM::Role", "W3037"),
        ("AWS::Lambda::Function", "W3005"),
    }


def test_nothing_outlives_its_stack(written: Written) -> None:
    kept = [
        f"{template.name}: {name}"
        for template in written.templates()
        for name, each in template.resources.items()
        if {each.get("DeletionPolicy", "Delete"), each.get("UpdateReplacePolicy", "Delete")} != {"Delete"}
    ]

    assert kept == []


def test_what_is_deleted_by_default_only_if_told_so_is_told_so(written: Written) -> None:
    for template in written.templates():
        for kind in ("AWS::ECR::Repository", "AWS::Logs::LogGroup", "AWS::S3::Bucket"):
            assert {each.get("DeletionPolicy") for each in template.all(kind).values()} <= {"Delete"}


def test_all_that_can_have_tags_says_whose_it_is(written: Written) -> None:
    untagged = {
        each["Type"]
        for template in written.templates()
        for name, each in template.resources.items()
        if "primavoce" not in json.dumps(each["Properties"].get("Tags", ""))
        and not name.startswith("CustomS3AutoDeleteObjects")
    }

    assert untagged - UNTAGGED == set()


def test_no_role_may_do_anything_to_everything(written: Written) -> None:
    for template in written.templates():
        for each in (*template.all("AWS::IAM::Role").values(), *template.all("AWS::IAM::Policy").values()):
            for statement in statements(each["Properties"]):
                actions = set(listed(statement["Action"]))
                assert not [action for action in actions if "*" in action]
                if "*" in [flat(resource) for resource in listed(statement["Resource"])]:
                    assert actions <= ANYWHERE


def test_no_role_has_a_policy_of_awss_but_the_one_that_cdk_gives_its_function(written: Written) -> None:
    managed = {
        flat(policy)
        for template in written.templates()
        for each in template.all("AWS::IAM::Role").values()
        for policy in each["Properties"].get("ManagedPolicyArns", ())
    }

    assert managed == {"arn:${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"}


def test_no_template_holds_a_secret_or_an_account(written: Written) -> None:
    for path in written.files():
        text = re.sub(r"sha256:[0-9a-f]{64}|[0-9a-f]{64}\.zip", "", path.read_text())

        assert re.findall(r"(?i)AKIA[0-9A-Z]{16}|api_?keys?\b|password|secret|\b[0-9]{12}\b", text) == []
