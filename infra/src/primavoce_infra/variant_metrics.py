"""Figures of the endpoint: SageMaker's own, and those that are counted in its log."""

from collections.abc import Mapping

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from primavoce_infra.naming import VARIANT, Names

SESSIONS = "ConcurrentRequestsPerModel"
"""Sessions that are open, of one instance."""
FIRST_CHUNK = "FirstChunkLatency"
"""Microseconds from a session's beginning to the first frame of the container; sessions have no ModelLatency."""
SERVICE_ERRORS = ("Invocation5XXErrors", "InvocationModelErrors", "MidStreamErrors")
MINUTE = Duration.minutes(1)


def dimensions(names: Names) -> Mapping[str, str]:
    """Return what SageMaker's figures of the variant are told from others by."""
    return {"EndpointName": names.endpoint, "VariantName": VARIANT}


def of_sagemaker(
    names: Names, metric: str, *, statistic: str, label: str | None = None, period: Duration = MINUTE
) -> cloudwatch.Metric:
    """Return one of SageMaker's figures of the variant."""
    return cloudwatch.Metric(
        namespace="AWS/SageMaker",
        metric_name=metric,
        dimensions_map=dimensions(names),
        statistic=statistic,
        label=label,
        period=period,
    )


def of_machine(names: Names, metric: str) -> cloudwatch.Metric:
    """Return how much of its instances' ``metric`` the variant uses, in percent."""
    return cloudwatch.Metric(
        namespace="/aws/sagemaker/Endpoints",
        metric_name=metric,
        dimensions_map=dimensions(names),
        statistic="Average",
        period=MINUTE,
    )


def of_log(
    names: Names, metric: str, *, statistic: str, label: str | None = None, period: Duration = MINUTE
) -> cloudwatch.Metric:
    """Return one of the figures that `primavoce_infra.log_metrics` counts."""
    return cloudwatch.Metric(
        namespace=names.metric_namespace, metric_name=metric, statistic=statistic, label=label, period=period
    )
