"""How a deployment stands: stacks, endpoint, runtime, alarms, and what it costs an hour."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

from primavoce.aws import endpoint, runtime, stacks
from primavoce.aws.account import Account, asking
from primavoce.aws.endpoint import Endpoint
from primavoce.aws.leftovers import Unseen
from primavoce.aws.names import SCALE_IN, Names
from primavoce.aws.prices import usd_per_hour
from primavoce.aws.runtime import Runtime
from primavoce.aws.stacks import Stack
from primavoce.errors import DeploymentError

ALARMS = "alarms"
"""What `Unseen` calls them."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands; what couldn't be looked at is in `unseen`, and not taken for absent."""

    region: str
    stacks: tuple[Stack, ...]
    """Those that are there."""
    endpoint: Endpoint | None
    runtime: Runtime | None
    alarms: tuple[str, ...]
    """Those that have gone off."""
    usd_per_hour: float | None
    """Of the endpoint's instances; null where their price isn't known, or none is there."""
    unseen: tuple[Unseen, ...]

    @property
    def is_blind(self) -> bool:
        """Whether something that may be deployed couldn't be looked at: alarms are only there with a stack."""
        return any(each.kind != ALARMS for each in self.unseen)

    def as_object(self) -> dict[str, object]:
        """Return all of it, for programs."""
        found = asdict(self)
        if self.endpoint is not None:
            found["endpoint"]["is_verified"] = self.endpoint.is_verified
        return found


def standing(account: Account, names: Names) -> Standing:
    """Return how the deployment stands."""
    unseen: list[Unseen] = []

    def seen[Found](kind: str, look: Callable[[], Found]) -> Found | None:
        try:
            return look()
        except DeploymentError as error:
            unseen.append(Unseen(kind, str(error)))
            return None

    listed = [seen(name, lambda name=name: stacks.find(account, name)) for name in names.stacks]  # type: ignore[misc]
    found = seen("endpoint", lambda: endpoint.find(account, names.endpoint))
    agent = seen("runtime", lambda: runtime.find(account, names.runtime))
    alarms = seen(ALARMS, lambda: gone_off(account, names)) or ()
    return Standing(
        account.region,
        tuple(each for each in listed if each is not None),
        found,
        agent,
        alarms,
        None if found is None else usd_per_hour(found.instance_type, found.instances),
        tuple(unseen),
    )


def gone_off(account: Account, names: Names) -> tuple[str, ...]:
    """Return the alarms of the endpoint that have gone off, but for that of scaling itself.

    Raises:
        DeploymentError: the account can't be asked.
    """
    with asking("cloudwatch:DescribeAlarms"):
        pages = account.client("cloudwatch").get_paginator("describe_alarms")
        return tuple(
            each["AlarmName"]
            for page in pages.paginate(AlarmNamePrefix=f"{names.endpoint}-", StateValue="ALARM")
            for each in page["MetricAlarms"]
            if not each["AlarmName"].endswith(SCALE_IN)
        )
