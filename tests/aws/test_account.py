"""Errors of an account, in words of ours."""

import pytest

from primavoce.errors import AccountRefused, AccountUnavailable, StepFailed

pytestmark = [pytest.mark.aws]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("AccessDenied", AccountRefused),
        ("AccessDeniedException", AccountRefused),
        ("ExpiredToken", AccountUnavailable),
        ("ThrottlingException", AccountUnavailable),
        ("ThrottledException", AccountUnavailable),
        ("RequestThrottled", AccountUnavailable),
        ("ServiceUnavailable", AccountUnavailable),
        ("InternalFailure", AccountUnavailable),
        ("ValidationException", StepFailed),
    ],
)
def test_each_kind_of_error_is_one_of_ours(stubbed, code: str, kind: type[Exception]) -> None:
    from primavoce.aws.account import asking

    stubbed.refuse("sts", "get_caller_identity", code)

    with pytest.raises(kind), asking("sts:GetCallerIdentity"):
        stubbed.account.client("sts").get_caller_identity()


def test_a_refusal_names_the_action() -> None:
    assert str(AccountRefused("s3:ListBucket", "no")) == "the AWS account doesn't allow s3:ListBucket: no"


def test_without_a_region_an_account_says_how_to_choose_one(nobody) -> None:
    from primavoce.aws.account import Account

    with pytest.raises(AccountUnavailable, match="AWS_REGION"):
        Account.open()


def test_without_credentials_an_account_says_how_to_get_some(nobody, monkeypatch: pytest.MonkeyPatch) -> None:
    from primavoce.aws.account import Account

    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    account = Account.open()

    assert account.region == "eu-west-1"
    with pytest.raises(AccountUnavailable, match="aws configure"):
        _ = account.number


def test_an_unknown_profile_is_one_sentence(nobody, monkeypatch: pytest.MonkeyPatch) -> None:
    from primavoce.aws.account import Account

    monkeypatch.setenv("AWS_PROFILE", "nobodys")

    with pytest.raises(AccountUnavailable, match="nobodys"):
        Account.open()


def test_an_account_is_asked_once_who_asks(stubbed) -> None:
    who = {"UserId": "u", "Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/me"}
    stubbed.answer("sts", "get_caller_identity", who)

    assert stubbed.account.number == "123456789012"
    assert stubbed.account.registry == "123456789012.dkr.ecr.us-east-1.amazonaws.com"


@pytest.mark.parametrize(
    ("code", "message", "absent"),
    [
        ("ResourceNotFoundException", "", True),
        ("ValidationError", "Stack with id x does not exist", True),
        ("ValidationException", 'Could not find endpoint "x".', True),
        ("ValidationException", "1 validation error detected", False),
        ("AccessDenied", "not found out", False),
    ],
)
def test_what_isnt_there_is_told_from_what_may_not_be_seen(stubbed, code: str, message: str, *, absent: bool) -> None:
    from primavoce.aws.account import asking, is_absent
    from primavoce.errors import DeploymentError

    stubbed.refuse("sts", "get_caller_identity", code, message)

    with pytest.raises(DeploymentError) as caught, asking("sts:GetCallerIdentity"):
        stubbed.account.client("sts").get_caller_identity()
    assert is_absent(caught.value) is absent


def test_a_service_that_fails_by_itself_can_be_asked_again_whatever_it_calls_that(stubbed) -> None:
    from primavoce.aws.account import asking, is_lasting

    stubbed.stub("sts").add_client_error("get_caller_identity", "Whatever", "we are sorry", http_status_code=503)

    with pytest.raises(AccountUnavailable, match="sts:GetCallerIdentity.*Whatever: we are sorry") as caught:
        with asking("sts:GetCallerIdentity"):
            stubbed.account.client("sts").get_caller_identity()
    assert not is_lasting(caught.value)


def failures() -> list[tuple[Exception, bool]]:
    """Return what may be raised below us, and whether it lasts until somebody signs in."""
    pytest.importorskip("botocore")
    from botocore import exceptions
    from botocore.parsers import ResponseParserError

    return [
        (exceptions.NoCredentialsError(), True),
        (exceptions.CredentialRetrievalError(provider="custom-process", error_msg="expired"), True),
        (exceptions.UnauthorizedSSOTokenError(), True),
        (exceptions.LoginRefreshRequired(), True),
        (RuntimeError("Credentials were refreshed, but the refreshed credentials are still expired."), True),
        (exceptions.EndpointConnectionError(endpoint_url="https://sts.example.com"), False),
        (ResponseParserError("invalid XML received: b'<html>'"), False),
    ]


@pytest.mark.parametrize("number", range(7))
def test_it_is_told_who_has_to_sign_in_from_who_has_to_wait(number: int) -> None:
    from primavoce.aws.account import asking, is_lasting

    failure, lasting = failures()[number]

    with pytest.raises(AccountUnavailable) as caught, asking("sts:GetCallerIdentity"):
        raise failure
    assert is_lasting(caught.value) is lasting


def test_a_mistake_of_ours_is_not_taken_for_the_accounts() -> None:
    from primavoce.aws.account import asking

    with pytest.raises(RuntimeError, match="ours"), asking("sts:GetCallerIdentity"):
        raise RuntimeError("ours")


@pytest.mark.parametrize("variable", ["AWS_REGION", "AWS_DEFAULT_REGION"])
def test_a_region_that_is_empty_is_none(nobody, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    from primavoce.aws.account import Account

    monkeypatch.setenv(variable, "")

    with pytest.raises(AccountUnavailable, match="no region is chosen: say --region, or set AWS_REGION"):
        Account.open()
