"""Who SageMaker is when it runs the speech container: it may fetch one image and one folder, and write one log."""

from aws_cdk import Aws
from aws_cdk import aws_iam as iam
from constructs import Construct

from primavoce_infra.acknowledging import acknowledge
from primavoce_infra.ecr_access import WHY_ALL, pull_statements
from primavoce_infra.naming import MODELS_PREFIX
from primavoce_infra.weights import WeightsStack

METRIC_NAMESPACES = ["AWS/SageMaker", "/aws/sagemaker/Endpoints"]
"""What SageMaker publishes an endpoint's figures in."""


def speech_role(scope: Construct, weights: WeightsStack, *, model_data: str) -> iam.Role:
    """Return the endpoint's execution role; the bucket is no part of it unless there is ``model_data`` in it."""
    log_group = weights.endpoint_log_group.attr_arn  # ends in :*, its streams
    policies = {
        "Image": iam.PolicyDocument(statements=pull_statements(weights.speech_repository)),
        "Log": iam.PolicyDocument(
            statements=[
                iam.PolicyStatement(
                    actions=[
                        "logs:CreateLogGroup",
                        "logs:CreateLogStream",
                        "logs:DescribeLogStreams",
                        "logs:PutLogEvents",
                    ],
                    resources=[log_group],
                )
            ]
        ),
        "Figures": iam.PolicyDocument(
            statements=[
                iam.PolicyStatement(
                    actions=["cloudwatch:PutMetricData"],
                    resources=["*"],
                    conditions={"StringEquals": {"cloudwatch:namespace": METRIC_NAMESPACES}},
                )
            ]
        ),
    }
    reasons = {
        "AwsSolutions-IAM5[Resource::*]": f"{WHY_ALL} cloudwatch:PutMetricData can't be bound either; a condition "
        "keeps it to SageMaker's two namespaces.",
    }
    if model_data:
        folder = f"{MODELS_PREFIX}/{model_data}/*"
        policies["Weights"] = iam.PolicyDocument(statements=_read(weights.bucket_arn, folder))
        reasons[f"AwsSolutions-IAM5[Resource::{weights.bucket_arn}/{folder}]"] = (
            "What lies in one folder, whose names are ours."
        )
    role = iam.Role(
        scope,
        "ExecutionRole",
        description="SageMaker, as it runs the speech container",
        assumed_by=iam.ServicePrincipal(
            "sagemaker.amazonaws.com", conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}}
        ),
        inline_policies=policies,
    )
    acknowledge(role, reasons)
    return role


def _read(bucket: str, folder: str) -> list[iam.PolicyStatement]:
    return [
        iam.PolicyStatement(actions=["s3:GetObject"], resources=[f"{bucket}/{folder}"]),
        iam.PolicyStatement(
            actions=["s3:ListBucket"],
            resources=[bucket],
            conditions={"StringLike": {"s3:prefix": [folder]}},
        ),
    ]
