"""Stacks of CloudFormation: deployed by CDK, looked at and deleted through the account."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from primavoce.aws.account import Account, asking, is_absent
from primavoce.aws.commands import Commands, run_step
from primavoce.aws.names import Names
from primavoce.aws.waiting import Waiting
from primavoce.errors import DeploymentError, StepFailed

STACK_TIMEOUT_S = 3600.0
POLL_S = 10.0
STALE_LOOKS = 6
"""That may still tell how it was before: services answer from copies."""
_SHOWN_REASONS = 5
_ECHOES = ("Resource creation cancelled", "Resource update cancelled", "The following resource(s) failed")
"""How reasons begin that only say that something else has failed."""
_STACKS_SENTENCE = re.compile(r"\bprimavoce: (.+)")
"""What the stacks say of a choice that can't be used, among CDK's own words."""


@dataclass(frozen=True, slots=True)
class Stack:
    """What CloudFormation says of a stack."""

    name: str
    status: str
    reason: str = ""
    outputs: Mapping[str, str] = field(default_factory=dict)

    @property
    def in_progress(self) -> bool:
        """Whether CloudFormation is at work on it."""
        return self.status.endswith("_IN_PROGRESS") and self.status != "REVIEW_IN_PROGRESS"

    @property
    def stands(self) -> bool:
        """Whether it is there, whole, as it was deployed last or before that."""
        return self.status in {"CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"}


def find(account: Account, name: str) -> Stack | None:
    """Return the stack of that ``name``; `None` if there is none.

    Raises:
        DeploymentError: the account can't be asked.
    """
    try:
        with asking("cloudformation:DescribeStacks"):
            told = account.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
    except DeploymentError as error:
        if is_absent(error):
            return None
        raise
    if told["StackStatus"] == "DELETE_COMPLETE":
        return None
    outputs = {each["OutputKey"]: each["OutputValue"] for each in told.get("Outputs", ())}
    return Stack(name, told["StackStatus"], told.get("StackStatusReason", ""), outputs)


def settle(account: Account, name: str, waiting: Waiting) -> Stack | None:
    """Return the stack of that ``name`` when CloudFormation isn't at work on it: a deployment may have been left.

    Raises:
        DeploymentError: the account can't be asked, or it takes too long.
    """

    def look() -> tuple[bool, str, Stack | None]:
        found = find(account, name)
        return (found is None or not found.in_progress), "gone" if found is None else found.status, found

    return waiting.until(f"stack {name}", look, timeout_s=STACK_TIMEOUT_S, every_s=POLL_S)


def deploy_argv(name: str, context: Mapping[str, str]) -> tuple[str, ...]:
    """Return the command that deploys the one stack ``name``.

    The stacks before it are left as they are: without their own context they would be changed.
    """
    chosen = [part for key, value in context.items() for part in ("--context", f"{key}={value}")]
    return (
        *("cdk", "deploy", name, "--exclusively", "--require-approval", "never", "--progress", "events"),
        *("--no-notices", *chosen),
    )


def deploy(
    commands: Commands,
    account: Account,
    names: Names,
    name: str,
    context: Mapping[str, str],
    *,
    checkout: Path,
    waiting: Waiting,
) -> Stack:
    """Deploy the stack ``name``, and return it.

    Raises:
        DeploymentError: it can't be deployed; the reasons are CloudFormation's.
    """
    settle(account, name, waiting)
    before = latest_event(account, name)
    step = f"deploying {name}"
    try:
        run_step(commands, names, step, deploy_argv(name, context), folder=checkout / "infra")
    except StepFailed as error:
        reasons = failures(account, name, since=before) or _STACKS_SENTENCE.findall(error.reason)
        if not reasons:
            raise
        raise StepFailed(step, "\n".join(reasons), "put it right, and run the same command again") from error
    found = settle(account, name, waiting)
    if found is None or not found.stands:
        raise StepFailed(step, "it isn't there" if found is None else f"{found.status} {found.reason}".rstrip())
    return found


def latest_event(account: Account, name: str) -> str | None:
    """Return the id of what last happened to the stack ``name``; empty if nothing has, `None` if that isn't told."""
    try:
        return next((str(each["EventId"]) for each in _events(account, name)), "")
    except DeploymentError as error:
        return "" if is_absent(error) else None


def failures(account: Account, name: str, *, since: str | None) -> list[str]:
    """Return why resources of the stack ``name`` failed, the cause first; none if that can't be told.

    Args:
        account: Has the stack.
        name: Its name.
        since: The event after which, as `latest_event` has told it: this machine's clock may be another than theirs.
    """
    found: list[str] = []
    try:
        for each in _events(account, name) if since is not None else ():
            if each["EventId"] == since:
                break
            reason = each.get("ResourceStatusReason", "no reason given")
            if each["ResourceStatus"].endswith("_FAILED") and not reason.startswith(_ECHOES):
                found.append(f"{each['LogicalResourceId']} ({each['ResourceType']}): {reason}")
    except DeploymentError:
        return []
    return found[::-1][:_SHOWN_REASONS]


def _events(account: Account, name: str) -> Iterator[Mapping[str, Any]]:
    """Yield what has happened to the stack ``name``, the last of it first."""
    with asking("cloudformation:DescribeStackEvents"):
        pages = account.client("cloudformation").get_paginator("describe_stack_events")
        for page in pages.paginate(StackName=name):
            yield from page["StackEvents"]


def delete(account: Account, name: str, waiting: Waiting) -> bool:
    """Delete the stack ``name``, and return whether there was one.

    Raises:
        DeploymentError: it can't be deleted; the reasons are CloudFormation's.
    """
    found = settle(account, name, waiting)
    if found is None:
        return False
    before = latest_event(account, name)
    with asking("cloudformation:DeleteStack"):
        account.client("cloudformation").delete_stack(StackName=name)
    left = _settle_deleted(account, name, waiting, before=found.status)
    if left is not None:
        reasons = failures(account, name, since=before) or [f"{left.status} {left.reason}".rstrip()]
        raise StepFailed(f"deleting {name}", "\n".join(reasons), "put it right, and run the same command again")
    return True


def _settle_deleted(account: Account, name: str, waiting: Waiting, *, before: str) -> Stack | None:
    """Return what is left of a stack that is being deleted, when CloudFormation isn't at work on it any more.

    Right after it was asked to delete, it may still tell how the stack stood ``before``.

    Raises:
        DeploymentError: the account can't be asked, or it takes too long.
    """
    stale_looks = STALE_LOOKS

    def look() -> tuple[bool, str, Stack | None]:
        nonlocal stale_looks
        found = find(account, name)
        if found is None:
            return True, "gone", None
        stale = stale_looks > 0 and found.status == before
        stale_looks = stale_looks - 1 if stale else 0
        return not (found.in_progress or stale), found.status, found

    return waiting.until(f"stack {name}", look, timeout_s=STACK_TIMEOUT_S, every_s=POLL_S)


def resources(account: Account, name: str) -> list[str]:
    """Return what the stack ``name`` has, as type and name.

    Raises:
        DeploymentError: the account can't be asked.
    """
    with asking("cloudformation:ListStackResources"):
        pages = account.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=name)
        return [
            f"{each['ResourceType']} {each.get('PhysicalResourceId', '')}".rstrip()
            for page in pages
            for each in page["StackResourceSummaries"]
        ]
