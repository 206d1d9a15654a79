"""The agent's runtime in Bedrock AgentCore: which one it is, and how it stands."""

from dataclasses import dataclass

from primavoce.aws.account import Account, asking
from primavoce.aws.waiting import Waiting
from primavoce.errors import StepFailed

READY = "READY"
FAILED_STATES = frozenset({"CREATE_FAILED", "UPDATE_FAILED", "DELETE_FAILED"})
RUNTIME_TIMEOUT_S = 1800.0
POLL_S = 10.0
MODEL_VARIABLE = "PRIMAVOCE_AGENT_MODEL"
"""The variable of the container by which the stack says what writes."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """What AgentCore says of a runtime."""

    name: str
    arn: str
    status: str
    version: str
    reason: str = ""
    """Why it failed."""
    model: str = ""
    """What writes, as ``primavoce agent --model`` takes it; empty where its container isn't told."""


def find(account: Account, name: str) -> Runtime | None:
    """Return the runtime of that ``name``; `None` if there is none.

    Raises:
        DeploymentError: the account can't be asked.
    """
    client = account.client("bedrock-agentcore-control")
    with asking("bedrock-agentcore:ListAgentRuntimes"):
        listed = [
            each
            for page in client.get_paginator("list_agent_runtimes").paginate()
            for each in page["agentRuntimes"]
            if each["agentRuntimeName"] == name
        ]
    if not listed:
        return None
    with asking("bedrock-agentcore:GetAgentRuntime"):
        told = client.get_agent_runtime(agentRuntimeId=listed[0]["agentRuntimeId"])
    return Runtime(
        name,
        told["agentRuntimeArn"],
        told["status"],
        told.get("agentRuntimeVersion", ""),
        told.get("failureReason", ""),
        told.get("environmentVariables", {}).get(MODEL_VARIABLE, ""),
    )


def wait_ready(account: Account, name: str, waiting: Waiting) -> Runtime:
    """Return the runtime when it is ready.

    Raises:
        StepFailed: it has failed, isn't there, or takes too long.
        DeploymentError: the account can't be asked.
    """

    def look() -> tuple[bool, str, Runtime | None]:
        found = find(account, name)
        state = "not there" if found is None else found.status
        return found is None or found.status in FAILED_STATES | {READY}, state, found

    found = waiting.until(f"runtime {name}", look, timeout_s=RUNTIME_TIMEOUT_S, every_s=POLL_S)
    if found is None:
        raise StepFailed(f"waiting for runtime {name}", "it isn't there")
    if found.status != READY:
        raise StepFailed(f"runtime {name}", f"{found.status}: {found.reason or 'no reason given'}")
    return found
