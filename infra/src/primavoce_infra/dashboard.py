"""One page of CloudWatch: how much is going on, how soon, what goes wrong, and how hard the machines work."""

from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from primavoce_infra.alarms import EndpointAlarms
from primavoce_infra.log_metrics import FAULTS, FIRST_AUDIO, REFUSALS, UTTERANCES
from primavoce_infra.naming import Names
from primavoce_infra.settings import Settings
from primavoce_infra.variant_metrics import FIRST_CHUNK, SERVICE_ERRORS, SESSIONS, of_log, of_machine, of_sagemaker

HALF = 12
"""Of the width, which is 24."""


def endpoint_dashboard(
    scope: Construct, *, names: Names, settings: Settings, alarms: EndpointAlarms
) -> cloudwatch.Dashboard:
    """Return the endpoint's dashboard."""
    capacity = settings.capacity
    machine = ["CPUUtilization", "MemoryUtilization", *(["GPUUtilization"] if settings.has_gpu else [])]
    return cloudwatch.Dashboard(
        scope,
        "Dashboard",
        dashboard_name=names.dashboard,
        widgets=[
            [cloudwatch.AlarmStatusWidget(alarms=alarms.alarms, width=2 * HALF)],
            [
                cloudwatch.GraphWidget(
                    title="Sessions of an instance",
                    width=HALF,
                    left=[of_sagemaker(names, SESSIONS, statistic=each, label=each) for each in ("Average", "Maximum")],
                    left_annotations=[
                        cloudwatch.HorizontalAnnotation(value=capacity.target_sessions, label="scaling keeps to"),
                        cloudwatch.HorizontalAnnotation(value=capacity.sessions_per_instance, label="it can take"),
                    ],
                ),
                cloudwatch.GraphWidget(
                    title="Time to first audio, s",
                    width=HALF,
                    left=[of_log(names, FIRST_AUDIO, statistic=each, label=each) for each in ("p50", "p95")],
                    right=[of_sagemaker(names, FIRST_CHUNK, statistic="p95", label="first frame, p95, µs")],
                ),
            ],
            [
                cloudwatch.GraphWidget(
                    title="Utterances",
                    width=HALF,
                    left=[of_log(names, each, statistic="Sum") for each in (UTTERANCES, REFUSALS, FAULTS)],
                ),
                cloudwatch.GraphWidget(
                    title="Sessions and their errors",
                    width=HALF,
                    left=[of_sagemaker(names, each, statistic="Sum") for each in ("Invocations", *SERVICE_ERRORS)],
                ),
            ],
            [
                cloudwatch.GraphWidget(
                    title="Machines, %", width=2 * HALF, left=[of_machine(names, each) for each in machine]
                )
            ],
        ],
    )
