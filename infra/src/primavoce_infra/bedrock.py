"""What of Bedrock one model needs, worked out of its id."""

from aws_cdk import Aws
from aws_cdk import aws_iam as iam

GEOGRAPHIES = frozenset({"apac", "au", "ca", "eu", "global", "jp", "sa", "us", "us-gov"})
"""What an inference profile's id begins with: where its requests may go. A model's begins with who made it."""
ACTIONS = ("bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream")
"""Converse and ConverseStream ask for these two as well."""


def model_statements(model: str) -> list[iam.PolicyStatement]:
    """Return what lets a role ask ``model``, and no other."""
    geography, _, behind = model.partition(".")
    if geography not in GEOGRAPHIES:
        return [_allow(_foundation_model(model, region=Aws.REGION))]
    profile = f"arn:{Aws.PARTITION}:bedrock:{Aws.REGION}:{Aws.ACCOUNT_ID}:inference-profile/{model}"
    routed = _allow(_foundation_model(behind, region="*"))  # a profile says itself which regions, and may be global
    routed.add_condition("StringEquals", {"bedrock:InferenceProfileArn": profile})
    return [_allow(profile), routed]


def _foundation_model(model: str, *, region: str) -> str:
    return f"arn:{Aws.PARTITION}:bedrock:{region}::foundation-model/{model}"


def _allow(resource: str) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=list(ACTIONS), resources=[resource])
