"""The fleet that is there: how far scaling may go, and the room for sessions. A redeployment may take none away."""

from collections.abc import Mapping
from dataclasses import dataclass

from primavoce.aws import endpoint, stacks
from primavoce.aws.account import Account, asking
from primavoce.aws.names import Names

VARIANT = "primary"
"""The endpoint's only one, as the stacks call it."""
DIMENSION = "sagemaker:variant:DesiredInstanceCount"


@dataclass(frozen=True, slots=True)
class Fleet:
    """What a redeployment has to leave possible, lest sessions are cut off."""

    min_instances: int = 0
    """That are there when nobody speaks; 0 if that isn't known."""
    max_instances: int = 0
    """That scaling may have; 0 if that isn't known."""
    running: int = 0
    """That are there while nothing scales; 0 if scaling is set up."""
    sessions_per_instance: int = 0
    """That each of them takes; 0 if that isn't known."""

    def context(self) -> dict[str, str]:
        """Return what the stacks are told of it; they know the capacity that is to come, and refuse a smaller one."""
        return {
            "deployed_min": str(self.min_instances),
            "deployed_max": str(self.max_instances),
            "deployed_running": str(self.running),
            "deployed_sessions": str(self.sessions_per_instance),
        }


def deployed(account: Account, names: Names) -> Fleet:
    """Return the fleet of the endpoint.

    While nothing scales, its limits are those that it was deployed with: they hold again when scaling is back.

    Raises:
        DeploymentError: the account can't be asked.
    """
    stack = stacks.find(account, names.speech_stack)
    outputs = {} if stack is None else stack.outputs
    sessions = _number(outputs, "SessionsPerInstance")
    with asking("application-autoscaling:DescribeScalableTargets"):
        told = account.client("application-autoscaling").describe_scalable_targets(
            ServiceNamespace="sagemaker",
            ResourceIds=[f"endpoint/{names.endpoint}/variant/{VARIANT}"],
            ScalableDimension=DIMENSION,
        )["ScalableTargets"]
    if told:
        return Fleet(told[0]["MinCapacity"], told[0]["MaxCapacity"], sessions_per_instance=sessions)
    found = endpoint.find(account, names.endpoint)
    if found is None:
        return Fleet()
    running = max(found.instances, found.desired_instances)
    return Fleet(_number(outputs, "MinInstances"), _number(outputs, "MaxInstances"), running, sessions)


def _number(outputs: Mapping[str, str], name: str) -> int:
    """Return a number that the stack tells; 0 if an older one doesn't."""
    told = outputs.get(name, "")
    return int(told) if told.isdecimal() else 0
