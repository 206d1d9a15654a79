"""How what cfn-lint finds, and is meant so, is left alone: at its resource, and nowhere else."""

from aws_cdk import CfnResource
from constructs import IConstruct

SAID_TWICE = "W3005"
"""A dependency that a reference says already: CDK writes it out."""
UNKNOWN_ACTION = "W3037"
"""An action that isn't in the list that cfn-lint comes with."""


def leave_alone(construct: IConstruct, check: str) -> None:
    """Let cfn-lint skip one ``check`` at the resource that ``construct`` is, or stands for."""
    resource = construct if isinstance(construct, CfnResource) else construct.node.default_child
    assert isinstance(resource, CfnResource)
    resource.add_metadata("cfn-lint", {"config": {"ignore_checks": [check]}})
