"""What an account has and allows."""

import re
from pathlib import Path

import pytest

from primavoce.aws.names import Names

pytestmark = [pytest.mark.aws]

NAMES = Names()
NUMBER = "123456789012"
QUOTA = "ml.g5.xlarge for endpoint usage"


def who(arn: str) -> dict[str, str]:
    return {"UserId": "u", "Account": NUMBER, "Arn": arn}


USER = who(f"arn:aws:iam::{NUMBER}:user/me")


def test_bootstrap_is_there_or_not_or_may_not_be_seen(stubbed) -> None:
    from primavoce.aws.account_checks import bootstrap
    from primavoce.errors import AccountRefused

    stubbed.answer("sts", "get_caller_identity", USER)
    parameter = {"Parameter": {"Name": "/cdk-bootstrap/hnb659fds/version", "Value": "25"}}
    stubbed.answer("ssm", "get_parameter", parameter, Name="/cdk-bootstrap/hnb659fds/version")
    stubbed.refuse("ssm", "get_parameter", "ParameterNotFound")
    stubbed.refuse("ssm", "get_parameter", "AccessDeniedException")

    assert bootstrap(stubbed.account, NAMES).state == "ok"
    absent = bootstrap(stubbed.account, NAMES)
    assert (absent.state, absent.remedy) == ("missing", f"`cdk bootstrap aws://{NUMBER}/us-east-1`")
    with pytest.raises(AccountRefused):
        bootstrap(stubbed.account, NAMES)


def test_a_bootstrap_that_is_missing_is_made_by_the_profile_that_was_said(stubbed) -> None:
    from primavoce.aws.account_checks import bootstrap

    stubbed.answer("sts", "get_caller_identity", USER)
    stubbed.refuse("ssm", "get_parameter", "ParameterNotFound")

    remedy = bootstrap(stubbed.account, Names(profile="voice")).remedy

    assert remedy == f"`cdk bootstrap aws://{NUMBER}/us-east-1 --profile voice`"


def test_a_quota_that_was_never_changed_is_the_default(stubbed) -> None:
    from primavoce.aws.account_checks import quota_limit

    other = {"Quotas": [{"QuotaName": "ml.m5.large for endpoint usage", "Value": 4.0}]}
    stubbed.answer("service-quotas", "list_service_quotas", other, ServiceCode="sagemaker")
    found = {"Quotas": [{"QuotaName": QUOTA, "Value": 0.0}]}
    stubbed.answer("service-quotas", "list_aws_default_service_quotas", found, ServiceCode="sagemaker")

    assert quota_limit(stubbed.account, QUOTA) == 0.0


def test_a_quota_on_a_later_page_is_found(stubbed) -> None:
    from primavoce.aws.account_checks import quota_limit

    first = {"Quotas": [{"QuotaName": "ml.g5.xlarge for training job usage", "Value": 9.0}], "NextToken": "more"}
    stubbed.answer("service-quotas", "list_service_quotas", first, ServiceCode="sagemaker")
    second = {"Quotas": [{"QuotaName": QUOTA, "Value": 4.0}]}
    stubbed.answer("service-quotas", "list_service_quotas", second, ServiceCode="sagemaker", NextToken="more")

    assert quota_limit(stubbed.account, QUOTA) == 4.0


@pytest.mark.parametrize(
    ("arn", "whose"),
    [
        (f"arn:aws:iam::{NUMBER}:user/me", f"arn:aws:iam::{NUMBER}:user/me"),
        (f"arn:aws:iam::{NUMBER}:root", None),
    ],
)
def test_policies_are_the_users_own(stubbed, arn: str, whose: str | None) -> None:
    from primavoce.aws.account_checks import principal

    stubbed.answer("sts", "get_caller_identity", who(arn))

    assert principal(stubbed.account) == whose


def test_policies_of_a_session_are_those_of_its_role_wherever_its_path_is(stubbed) -> None:
    from datetime import UTC, datetime

    from primavoce.aws.account_checks import principal

    arn = f"arn:aws:iam::{NUMBER}:role/teams/speech/Deployer"
    role = {
        "Path": "/teams/speech/",
        "RoleName": "Deployer",
        "RoleId": "AROA0123456789012345",
        "Arn": arn,
        "CreateDate": datetime(2026, 1, 1, tzinfo=UTC),
    }
    stubbed.answer("sts", "get_caller_identity", who(f"arn:aws:sts::{NUMBER}:assumed-role/Deployer/me"))
    stubbed.answer("iam", "get_role", {"Role": role}, RoleName="Deployer")

    assert principal(stubbed.account) == arn


def test_what_the_simulator_denies_cannot_be_told_for_it_may_be_allowed_on_our_resources(stubbed) -> None:
    from primavoce.aws.account_checks import permissions

    stubbed.answer("sts", "get_caller_identity", USER)
    results = [
        {"EvalActionName": "ecr:PutImage", "EvalDecision": "allowed"},
        {"EvalActionName": "sagemaker:AddTags", "EvalDecision": "implicitDeny"},
    ]
    stubbed.answer("iam", "simulate_principal_policy", {"EvaluationResults": results})

    found = permissions(stubbed.account)

    assert found.state == "unknown"
    assert "sagemaker:AddTags" in found.detail
    assert "ecr:PutImage" not in found.detail


def availability(**changes: str) -> dict[str, object]:
    states = {
        "authorizationStatus": "AUTHORIZED",
        "entitlementAvailability": "AVAILABLE",
        "regionAvailability": "AVAILABLE",
        **changes,
    }
    return {"modelId": "m", "agreementAvailability": {"status": "AVAILABLE"}, **states}


def test_access_to_an_inference_profile_is_access_to_the_models_behind_it(stubbed) -> None:
    from datetime import UTC, datetime

    from primavoce.aws.account_checks import model_access

    model = "amazon.nova-2-lite-v1:0"
    profile = {
        "inferenceProfileName": "n",
        "inferenceProfileArn": f"arn:aws:bedrock:us-east-1:{NUMBER}:inference-profile/global.{model}",
        "models": [{"modelArn": f"arn:aws:bedrock:{region}::foundation-model/{model}"} for region in ("a", "b")],
        "inferenceProfileId": f"global.{model}",
        "status": "ACTIVE",
        "type": "SYSTEM_DEFINED",
        "createdAt": datetime(2026, 1, 1, tzinfo=UTC),
    }
    stubbed.answer("bedrock", "get_inference_profile", profile, inferenceProfileIdentifier=f"global.{model}")
    stubbed.answer("bedrock", "get_foundation_model_availability", availability(), modelId=model)

    assert model_access(stubbed.account, f"global.{model}").state == "ok"


def test_a_model_that_must_be_asked_for_is_missing(stubbed) -> None:
    from primavoce.aws.account_checks import model_access

    stubbed.answer(
        "bedrock", "get_foundation_model_availability", availability(entitlementAvailability="NOT_AVAILABLE")
    )

    found = model_access(stubbed.account, "amazon.nova-lite-v1:0")

    assert (found.state, found.blocks) == ("missing", True)
    assert "entitlement" in found.detail


def test_a_model_that_isnt_there_is_missing(stubbed) -> None:
    from primavoce.aws.account_checks import model_access

    stubbed.refuse("bedrock", "get_foundation_model_availability", "ResourceNotFoundException")

    assert model_access(stubbed.account, "amazon.nothing-v1:0").state == "missing"


def test_a_look_that_is_refused_cannot_be_told_and_is_never_taken_for_missing(stubbed) -> None:
    from primavoce.aws.account_checks import account_findings
    from primavoce.aws.findings import verdict

    stubbed.answer("sts", "get_caller_identity", USER)
    for service, method in (
        ("ssm", "get_parameter"),
        ("service-quotas", "list_service_quotas"),
        ("iam", "simulate_principal_policy"),
        ("bedrock", "get_inference_profile"),
    ):
        stubbed.refuse(service, method, "AccessDeniedException", "you may not")

    found = list(
        account_findings(stubbed.account, NAMES, instance_type="ml.g5.xlarge", instances=1, model="us.a.b-v1:0")
    )

    states = {each.name: each.state for each in found}
    assert states == {
        "credentials": "ok",
        "region": "ok",
        "CDK bootstrap": "unknown",
        f"quota: {QUOTA}": "unknown",
        "IAM actions": "unknown",
        "model access": "unknown",
    }
    assert verdict(found, "deploy").can_deploy
    assert all("you may not" in each.detail for each in found if each.state == "unknown")


def test_without_credentials_nothing_else_is_asked(stubbed) -> None:
    from primavoce.aws.account_checks import account_findings

    stubbed.refuse("sts", "get_caller_identity", "InvalidClientTokenId")

    found = list(
        account_findings(stubbed.account, NAMES, instance_type="ml.g5.xlarge", instances=1, model="us.a.b-v1:0")
    )

    assert (found[0].name, found[0].blocks) == ("credentials", True)
    # What else would be looked at is told all the same.
    assert [(each.name, each.state) for each in found[1:]] == [
        ("region", "ok"),
        ("CDK bootstrap", "unknown"),
        (f"quota: {QUOTA}", "unknown"),
        ("IAM actions", "unknown"),
        ("model access", "unknown"),
    ]


def test_what_to_do_without_credentials_is_told_once() -> None:
    from botocore.exceptions import NoCredentialsError

    from primavoce.aws.account import Account
    from primavoce.aws.account_checks import account_findings

    def nobody(_: str) -> object:
        raise NoCredentialsError

    account = Account("us-east-1", nobody)
    found = next(account_findings(account, NAMES, instance_type="ml.g5.xlarge", instances=1, model="us.a.b-v1:0"))

    assert found.detail == "the AWS account can't be asked: there are no credentials"
    assert found.remedy.count("`aws configure`") == 1


DOCUMENT = (Path(__file__).parents[2] / "docs/aws.md").read_text()


def told_of(command: str) -> set[str]:
    """Return the actions that docs/aws.md says a command needs."""
    (row,) = re.findall(rf"(?m)^\| `{command}` \| (.*) \|$", DOCUMENT.partition("## Who may do what")[2])
    return set(re.findall(r"`([a-z0-9-]+:[A-Z]\w+)`", row))


def asked_by(*modules: str) -> set[str]:
    folder = Path(__file__).parents[2] / "src/primavoce/aws"
    source = "\n".join((folder / f"{each}.py").read_text() for each in modules)
    return set(re.findall(r'asking\("([a-z0-9-]+:[A-Z]\w+)"\)', source))


def test_what_destroy_asks_stands_in_its_row_of_the_page() -> None:
    assert asked_by("destroying", "leftovers", "stacks", "runtime") - told_of("destroy") == set()


def test_measuring_needs_the_endpoints_tags_read_and_not_written() -> None:
    (row,) = re.findall(r"(?m)^\| `bench` \| (.*) \|$", DOCUMENT)

    assert row.startswith("the same but for `sagemaker:AddTags` and `ecr`,")
    assert "sagemaker:ListTags" in told_of("verify") & asked_by("endpoint")
