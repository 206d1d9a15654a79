"""What a role needs to pull images of one repository."""

from aws_cdk import aws_ecr as ecr
from aws_cdk import aws_iam as iam

WHY_ALL = (
    "ecr:GetAuthorizationToken can't be bound to a resource: it logs in to the registry, and gives nothing of a "
    "repository away. Pulling is allowed from one repository."
)
"""Why a resource is ``*``."""


def pull_statements(repository: ecr.IRepository) -> list[iam.PolicyStatement]:
    """Return what lets a role pull from ``repository``, and from no other."""
    return [
        iam.PolicyStatement(actions=["ecr:GetAuthorizationToken"], resources=["*"]),
        iam.PolicyStatement(
            actions=["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"],
            resources=[repository.repository_arn],
        ),
    ]
