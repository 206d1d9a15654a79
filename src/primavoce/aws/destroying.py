"""Taking a deployment down: agent, endpoint, then bucket, repositories and logs. Each step may be repeated."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from primavoce.aws import stacks
from primavoce.aws.account import Account, asking, is_absent
from primavoce.aws.names import Names
from primavoce.aws.waiting import Waiting
from primavoce.errors import DeploymentError

type OnNote = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Doomed:
    """What would be deleted."""

    stack: str
    status: str
    """``not there`` if there is none."""
    resources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deletion:
    """All that would be deleted."""

    stacks: tuple[Doomed, ...]
    """In order."""
    log_groups: tuple[str, ...] | None
    """After them, those that are still there; `None` if they can't be looked at, which a deletion then ends with."""


def order_of(names: Names) -> tuple[str, ...]:
    """Return the stacks in the order in which they are deleted: each before the one that it needs."""
    return tuple(reversed(names.stacks))


def doomed(account: Account, names: Names) -> Iterator[Doomed]:
    """Yield what would be deleted, in order.

    Raises:
        DeploymentError: the account can't be asked.
    """
    for name in order_of(names):
        found = stacks.find(account, name)
        if found is None:
            yield Doomed(name, "not there", ())
        else:
            yield Doomed(name, found.status, tuple(stacks.resources(account, name)))


def planned(account: Account, names: Names) -> Deletion:
    """Return all that would be deleted.

    Raises:
        DeploymentError: the account can't be asked for its stacks.
    """
    found = tuple(doomed(account, names))
    try:
        return Deletion(found, tuple(log_groups(account, names)))
    except DeploymentError:
        return Deletion(found, None)


def destroy(account: Account, names: Names, waiting: Waiting, *, on_note: OnNote) -> None:
    """Delete the stacks, and the logs that services have made by themselves.

    Raises:
        DeploymentError: something can't be deleted; what comes after it is still there.
    """
    for name in order_of(names):
        there = stacks.delete(account, name, waiting)
        on_note(f"{name} {'deleted' if there else 'was not there'}")
    for group in log_groups(account, names):
        delete_log_group(account, group)
        on_note(f"log group {group} deleted")


def log_groups(account: Account, names: Names) -> list[str]:
    """Return the log groups that services have made for this deployment.

    Raises:
        DeploymentError: the account can't be asked.
    """
    found = []
    with asking("logs:DescribeLogGroups"):
        pages = account.client("logs").get_paginator("describe_log_groups")
        for prefix in names.log_group_prefixes:
            for page in pages.paginate(logGroupNamePrefix=prefix):
                found += [each["logGroupName"] for each in page["logGroups"]]
    # The endpoint's has no end of its own: another deployment's may begin with it.
    mine = f"/aws/sagemaker/Endpoints/{names.endpoint}"
    return [each for each in dict.fromkeys(found) if not each.startswith(mine) or each == mine]


def delete_log_group(account: Account, name: str) -> None:
    """Delete the log group of that ``name``; one that has gone meanwhile is gone.

    Raises:
        DeploymentError: it can't be deleted.
    """
    try:
        with asking("logs:DeleteLogGroup"):
            account.client("logs").delete_log_group(logGroupName=name)
    except DeploymentError as error:
        if not is_absent(error):
            raise
