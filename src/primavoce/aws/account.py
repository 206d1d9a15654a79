"""An AWS account in a region, by boto3: clients that are made when they are used, and errors in words of ours."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

from primavoce.errors import AccountRefused, AccountUnavailable, ExtraMissing, StepFailed

MINIMUM_BOTO3 = (1, 42, 0)
"""Has AgentCore's runtimes and their control; tested with the version that is pinned."""
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
}
_THROTTLED = {"Throttling", "ThrottlingException", "TooManyRequestsException", "RequestLimitExceeded"}
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
        if session.region_name is None:
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
        AccountUnavailable: nobody can be asked, or not so often.
        StepFailed: the service says that it failed.
    """
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        code, message = code_of(error), str(error.response.get("Error", {}).get("Message", ""))
        if code in REFUSALS:
            raise AccountRefused(action, message or code) from error
        if code in _BAD_CREDENTIALS:
            raise AccountUnavailable(f"the credentials are refused ({code}): sign in again") from error
        if code in _THROTTLED:
            raise AccountUnavailable(f"{action} was asked too often: try again in a minute") from error
        raise StepFailed(action, f"{code}: {message}") from error
    except BotoCoreError as error:
        raise AccountUnavailable(_sentence(error)) from error


def code_of(error: Exception) -> str:
    """Return the service's own code of ``error``; empty if it has none."""
    answer = getattr(error, "response", None)
    return str(answer.get("Error", {}).get("Code", "")) if isinstance(answer, dict) else ""


def is_absent(error: BaseException | None) -> bool:
    """Return whether ``error``, or what it was made of, says that something isn't there."""
    found = error if getattr(error, "response", None) else getattr(error, "__cause__", None)
    if not isinstance(found, Exception):
        return False
    code, answer = code_of(found), getattr(found, "response", {})
    message = str(answer.get("Error", {}).get("Message", ""))
    # CloudFormation and SageMaker have one code for all that isn't valid.
    told = ("does not exist", "Could not find", "not found")
    if code in {"ValidationException", "ValidationError"}:
        return any(each in message for each in told)
    return code in _ABSENT


def _sentence(error: Exception) -> str:
    match type(error).__name__:
        case "NoCredentialsError" | "PartialCredentialsError" | "CredentialRetrievalError":
            return "there are no credentials: `aws configure`, `aws sso login`, or set AWS_ACCESS_KEY_ID and the others"
        case _:
            return str(error)
