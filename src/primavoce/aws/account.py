"""An AWS account in a region, by boto3: clients that are made when they are used, and errors in words of ours."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Self

from primavoce.errors import AccountRefused, AccountUnavailable, ExtraMissing, StepFailed

MINIMUM_BOTO3 = (1, 42, 0)
"""Has AgentCore's runtimes and their control; tested with the version that is pinned."""
SIGN_IN = "`aws configure`, `aws sso login`, or set AWS_ACCESS_KEY_ID and the others"
"""What to do where there are no credentials."""
CONNECT_TIMEOUT_S, READ_TIMEOUT_S = 10, 65
_REGION = ("region", ["AWS_REGION", "AWS_DEFAULT_REGION"], None, None)
"""Where the region is looked for: by itself, boto3 knows only the second, and CDK prefers the first."""
REFUSALS = {
    "AccessDenied",
    "AccessDeniedException",
    "UnauthorizedOperation",
    "AuthorizationError",
    "AuthorizationErrorException",
    "NotAuthorized",
    "OptInRequired",
    "SubscriptionRequiredException",
}
_BAD_CREDENTIALS = {
    "ExpiredToken",
    "ExpiredTokenException",
    "InvalidClientTokenId",
    "UnrecognizedClientException",
    "InvalidSignatureException",
    "SignatureDoesNotMatch",
    "IncompleteSignature",
    "MissingAuthenticationToken",
    "InvalidAccessKeyId",
    "TokenRefreshRequired",
}
_NO_CREDENTIALS = {
    "NoCredentialsError",
    "PartialCredentialsError",
    "CredentialRetrievalError",
    "UnknownCredentialError",
    "InvalidConfigError",
    "ProfileNotFound",
    "RefreshWithMFAUnsupportedError",
    "SSOError",
    "LoginError",
    "NoAuthTokenError",
    "TokenRetrievalError",
    "RuntimeError",
}
"""botocore's errors, and what is made of them, where it has no credentials, or can't renew those that it had."""
_STILL_EXPIRED = "refreshed credentials are still expired"
"""What a `RuntimeError` of botocore's says."""
_THROTTLED = {
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottled",
    "RequestThrottledException",
    "TooManyRequestsException",
    "RequestLimitExceeded",
    "SlowDown",
}
_FAILING = {
    "InternalError",
    "InternalFailure",
    "InternalServerError",
    "InternalServerException",
    "ServiceUnavailable",
    "ServiceUnavailableException",
}
"""Codes of services that fail by themselves, whatever the status that comes with them; so does each from 500 on."""
_ABSENT = {
    "ResourceNotFound",
    "ResourceNotFoundException",
    "RepositoryNotFoundException",
    "ImageNotFoundException",
    "ParameterNotFound",
    "NoSuchBucket",
    "NoSuchEntity",
    "NotFound",
    "404",
}

type Client = Any
"""Of boto3, which has no types."""
type MakeClient = Callable[[str], Client]
"""Makes boto3's client of a service."""


class Account:
    """An account in a region.

    Args:
        region: Its name.
        make_client: Makes clients of services.
    """

    def __init__(self, region: str, make_client: MakeClient) -> None:
        self.region = region
        self._make_client = make_client
        self._clients: dict[str, Client] = {}
        self._identity: Mapping[str, str] | None = None

    @classmethod
    def open(cls) -> Self:
        """Return the account that boto3 finds credentials for: variables, a profile, a role; nothing is sent yet.

        Raises:
            ExtraMissing: boto3 isn't installed.
            AccountUnavailable: there is no such profile, or no region is chosen.
        """
        try:
            import boto3  # type: ignore[import-untyped]
            import botocore.session  # type: ignore[import-untyped]
            from botocore.config import Config  # type: ignore[import-untyped]
            from botocore.exceptions import BotoCoreError  # type: ignore[import-untyped]
        except ModuleNotFoundError as error:
            raise ExtraMissing("`primavoce aws`", "aws") from error
        for name in ("boto3", "botocore", "urllib3"):
            logging.getLogger(name).setLevel(logging.WARNING)  # lower down they write what they sign
        try:
            session = boto3.Session(botocore_session=botocore.session.Session(session_vars={"region": _REGION}))
        except BotoCoreError as error:
            raise AccountUnavailable(str(error)) from error
        if not session.region_name:  # a variable of the shell's that isn't set makes an empty one
            raise AccountUnavailable("no region is chosen: say --region, or set AWS_REGION")
        config = Config(
            connect_timeout=CONNECT_TIMEOUT_S,
            read_timeout=READ_TIMEOUT_S,
            retries={"mode": "standard", "total_max_attempts": 4},
        )
        return cls(session.region_name, lambda service: session.client(service, config=config))

    def client(self, service: str) -> Client:
        """Return boto3's client of ``service``; one for all who ask.

        Raises:
            AccountUnavailable: there can't be one.
        """
        if service not in self._clients:
            with asking(service):
                self._clients[service] = self._make_client(service)
        return self._clients[service]

    @property
    def identity(self) -> Mapping[str, str]:
        """Who asks: ``Account`` and ``Arn``.

        Raises:
            AccountUnavailable: nobody who is known.
        """
        if self._identity is None:
            with asking("sts:GetCallerIdentity"):
                self._identity = self.client("sts").get_caller_identity()
        return self._identity

    @property
    def number(self) -> str:
        """The account's twelve digits.

        Raises:
            AccountUnavailable: nobody who is known asks.
        """
        return self.identity["Account"]

    @property
    def registry(self) -> str:
        """Where the account's images are in this region.

        Raises:
            AccountUnavailable: nobody who is known asks.
        """
        suffix = "amazonaws.com.cn" if self.region.startswith("cn-") else "amazonaws.com"
        return f"{self.number}.dkr.ecr.{self.region}.{suffix}"


@contextmanager
def asking(action: str) -> Iterator[None]:
    """Make errors of ours of those that a call of boto3 raises.

    Args:
        action: What is asked, as IAM writes it.

    Raises:
        AccountRefused: it isn't allowed.
        AccountUnavailable: nobody can be asked, or not so often, or the service has failed by itself.
        StepFailed: the service says that it failed.
    """
    from botocore.exceptions import BotoCoreError, ClientError
    from botocore.parsers import ResponseParserError  # type: ignore[import-untyped]

    try:
        yield
    except ClientError as error:
        code, message = code_of(error), str(_answer(error).get("Message", ""))
        if code in REFUSALS:
            raise AccountRefused(action, message or code) from error
        if code in _BAD_CREDENTIALS:
            raise AccountUnavailable(f"the credentials are refused ({code}): sign in again") from error
        if code in _THROTTLED:
            raise AccountUnavailable(f"{action} was asked too often: try again in a minute") from error
        if code in _FAILING or _status(error) >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise AccountUnavailable(f"{action} was answered by {code}: {message}") from error
        raise StepFailed(action, f"{code}: {message}") from error
    except ResponseParserError as error:
        told = f"{action} was answered by something that isn't AWS's, or in part only; is a proxy between?"
        raise AccountUnavailable(told) from error
    except BotoCoreError as error:
        raise AccountUnavailable(_sentence(error)) from error
    except RuntimeError as error:
        if _STILL_EXPIRED not in str(error):
            raise
        raise AccountUnavailable("the credentials have expired: sign in again") from error


def code_of(error: BaseException | None) -> str:
    """Return the service's own code of ``error``, or of what it was made of; empty if it has none."""
    return str(_answer(error).get("Code", ""))


def _answer(error: BaseException | None) -> Mapping[str, Any]:
    """Return what the service has said of ``error``; nothing if it was no service."""
    found = error if getattr(error, "response", None) else getattr(error, "__cause__", None)
    answer = getattr(found, "response", None)
    return answer.get("Error", {}) if isinstance(answer, dict) else {}


def _status(error: BaseException) -> int:
    """Return the HTTP status of a service's answer; 0 if there is none."""
    answer = getattr(error, "response", None)
    found = answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) if isinstance(answer, dict) else 0
    return found if isinstance(found, int) else 0


def is_lasting(error: AccountUnavailable) -> bool:
    """Return whether somebody has to sign in before the account can be asked, so that no waiting helps."""
    kinds = {each.__name__ for each in type(error.__cause__).__mro__}
    return code_of(error) in _BAD_CREDENTIALS or not kinds.isdisjoint(_NO_CREDENTIALS)


def is_absent(error: BaseException | None) -> bool:
    """Return whether ``error``, or what it was made of, says that something isn't there."""
    code, message = code_of(error), str(_answer(error).get("Message", ""))
    # CloudFormation and SageMaker have one code for all that isn't valid.
    told = ("does not exist", "Could not find", "not found")
    if code in {"ValidationException", "ValidationError"}:
        return any(each in message for each in told)
    return code in _ABSENT


def _sentence(error: Exception) -> str:
    match type(error).__name__:
        case "NoCredentialsError" | "PartialCredentialsError" | "CredentialRetrievalError":
            return f"there are no credentials: {SIGN_IN}"
        case _:
            return str(error)
