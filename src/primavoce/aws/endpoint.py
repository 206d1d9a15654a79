"""The speech endpoint: how it stands, and whether what it runs now is what was verified."""

from dataclasses import dataclass

from primavoce.aws import images
from primavoce.aws.account import Account, asking, is_absent
from primavoce.aws.names import VERIFIED_TAG, Names
from primavoce.aws.waiting import Waiting
from primavoce.errors import DeploymentError, EndpointNotVerified, StepFailed

IN_SERVICE = "InService"
FAILED_STATES = frozenset({"Failed", "OutOfService", "UpdateRollbackFailed"})
ENDPOINT_TIMEOUT_S = 3600.0
POLL_S = 15.0
STALE_S = 5.0
"""Seconds after which a tag that was set just now is told: services answer from copies."""
LOG_LINES = 12
"""Of the container's log that are shown when an endpoint fails."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What SageMaker says of the endpoint."""

    name: str
    arn: str
    status: str
    config: str
    """The name of its configuration; another with each change."""
    digest: str
    """Of the image that runs, ``sha256:…``; empty while none does."""
    instances: int
    desired_instances: int
    instance_type: str | None
    """`None` where it can't be told."""
    verified: str
    """What was verified last, as `identity` has it; empty if nothing was."""
    reason: str = ""
    """Why it failed."""

    @property
    def identity(self) -> str:
        """What runs: configuration and image. It may stand in a tag."""
        return f"{self.config}@{self.digest}"

    @property
    def is_verified(self) -> bool:
        """Whether just this was verified."""
        return bool(self.digest) and self.verified == self.identity


def find(account: Account, name: str) -> Endpoint | None:
    """Return the endpoint of that ``name``; `None` if there is none.

    Raises:
        DeploymentError: the account can't be asked.
    """
    client = account.client("sagemaker")
    try:
        with asking("sagemaker:DescribeEndpoint"):
            told = client.describe_endpoint(EndpointName=name)
    except DeploymentError as error:
        if is_absent(error):
            return None
        raise
    with asking("sagemaker:ListTags"):
        tags = {
            each["Key"]: each["Value"]
            for page in client.get_paginator("list_tags").paginate(ResourceArn=told["EndpointArn"])
            for each in page["Tags"]
        }
    variants = told.get("ProductionVariants", ())
    images = [image.get("ResolvedImage", "") for each in variants for image in each.get("DeployedImages", ())]
    return Endpoint(
        name=name,
        arn=told["EndpointArn"],
        status=told["EndpointStatus"],
        config=told.get("EndpointConfigName", ""),
        digest=next((image.rpartition("@")[2] for image in images if "@" in image), ""),
        instances=sum(each.get("CurrentInstanceCount", 0) for each in variants),
        desired_instances=sum(each.get("DesiredInstanceCount", 0) for each in variants),
        instance_type=_instance_type(account, told.get("EndpointConfigName", "")),
        verified=tags.get(VERIFIED_TAG, ""),
        reason=told.get("FailureReason", ""),
    )


def _instance_type(account: Account, config: str) -> str | None:
    try:
        with asking("sagemaker:DescribeEndpointConfig"):
            told = account.client("sagemaker").describe_endpoint_config(EndpointConfigName=config)
    except DeploymentError:
        return None
    found: str | None = next((each.get("InstanceType") for each in told["ProductionVariants"]), None)
    return found


def why_not(endpoint: Endpoint | None) -> str:
    """Return why no agent may be put on ``endpoint``; nothing if one may."""
    if endpoint is None:
        return "isn't there"
    if endpoint.status != IN_SERVICE:
        return f"is {endpoint.status}"
    if not endpoint.verified:
        return "has never been verified"
    if not endpoint.is_verified:
        return "has changed since it was verified"
    return ""


def insist(endpoint: Endpoint | None, names: Names) -> Endpoint:
    """Return ``endpoint``, on which an agent may be put.

    Raises:
        EndpointNotVerified: none may; the error says which command comes first.
    """
    reason = why_not(endpoint)
    if endpoint is None or reason:
        ready = endpoint is not None and endpoint.status == IN_SERVICE
        command = names.with_prefix("verify --part speech" if ready else "deploy speech")
        raise EndpointNotVerified(names.endpoint, reason, command)
    return endpoint


def insist_soon(account: Account, names: Names, waiting: Waiting) -> Endpoint:
    """Return the endpoint, on which an agent may be put; look twice where it only seems not to be verified.

    Raises:
        EndpointNotVerified: no agent may be put on it.
        DeploymentError: the account can't be asked.
    """
    found = find(account, names.endpoint)
    if found is not None and found.status == IN_SERVICE and not found.is_verified:
        waiting.sleep(STALE_S)
        found = find(account, names.endpoint)
    return insist(found, names)


def wait_in_service(account: Account, name: str, waiting: Waiting) -> Endpoint:
    """Return the endpoint when it is in service.

    Raises:
        StepFailed: it has failed, or takes too long; the reason is SageMaker's, and the container's last words.
        DeploymentError: the account can't be asked.
    """

    def look() -> tuple[bool, str, Endpoint | None]:
        found = find(account, name)
        state = "not there" if found is None else found.status
        return found is None or found.status in FAILED_STATES | {IN_SERVICE}, state, found

    found = waiting.until(f"endpoint {name}", look, timeout_s=ENDPOINT_TIMEOUT_S, every_s=POLL_S)
    if found is None:
        raise StepFailed(f"waiting for endpoint {name}", "it isn't there")
    if found.status != IN_SERVICE:
        last = "\n".join(("the container's last lines:", *lines)) if (lines := last_log_lines(account, name)) else ""
        told = f"{found.status}: {found.reason or 'no reason given'}"
        raise StepFailed(f"endpoint {name}", "\n".join(filter(None, (told, last))))
    return found


def last_log_lines(account: Account, name: str) -> list[str]:
    """Return what the endpoint's container said last; nothing if that can't be told."""
    group, client = f"/aws/sagemaker/Endpoints/{name}", account.client("logs")
    try:
        with asking("logs:GetLogEvents"):
            streams = client.describe_log_streams(
                logGroupName=group, orderBy="LastEventTime", descending=True, limit=1
            )["logStreams"]
            if not streams:
                return []
            told = client.get_log_events(
                logGroupName=group, logStreamName=streams[0]["logStreamName"], limit=LOG_LINES, startFromHead=False
            )
    except DeploymentError:
        return []
    return [each["message"].rstrip() for each in told["events"]]


def mark_verified(account: Account, names: Names, endpoint: Endpoint) -> str:
    """Remember, with the endpoint itself, that what it runs now was verified, and have its image kept.

    Returns:
        What is to be told, and done, if its image can't be kept: it has spoken all the same. Nothing if it is.

    Raises:
        DeploymentError: the endpoint can't be tagged.
    """
    with asking("sagemaker:AddTags"):
        account.client("sagemaker").add_tags(
            ResourceArn=endpoint.arn, Tags=[{"Key": VERIFIED_TAG, "Value": endpoint.identity}]
        )
    return images.keep_or_tell(account, names, "speech", endpoint.digest) if endpoint.digest else ""
